import type { Resource } from '../resource/define.js'
import divisions from './divisions.js'
import regions from './regions.js'

/** Every record kind, one line each. Order does not matter. */
export const resources: readonly Resource[] = [divisions, regions]
