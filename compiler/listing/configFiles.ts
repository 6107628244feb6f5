import { headerOf } from '../cdn/header.js'
import type { CompileJob } from '../core/compile.js'
import { createRegistry } from '../core/registry.js'
import { configFiles, unknownFile } from '../files/index.js'
import { snapshots } from '../snapshots/index.js'

const snapshotFolder = 'snapshots/'

/** Everything that can be compiled, by the name it is compiled under. */
export const catalogue = createRegistry(
  [...configFiles, ...snapshots.map((snapshot) => ({ ...snapshot, name: snapshotFolder + snapshot.name }))],
  unknownFile,
  headerOf,
)

/** The compile of a snapshot document. Its name holds a slash, which no config file's name does. */
export const snapshotJob = (name: string, cdnId: number): CompileJob => ({
  file: snapshotFolder + name,
  scope: 'cdns',
  subjectId: cdnId,
})
