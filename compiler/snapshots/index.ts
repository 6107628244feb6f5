import type { Snapshot } from '../core/defineFile.js'
import crConfig from './CRConfig.js'
import faultList from './faultList.js'
import monitoring from './monitoring.js'
import routing from './routing.js'

/** Every snapshot document, by the name it is compiled under. They make a registry of their own. */
export const snapshots: readonly Snapshot[] = [monitoring, routing, crConfig, faultList]
