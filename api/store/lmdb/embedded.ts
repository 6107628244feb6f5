import { accessSync, chmodSync, constants, existsSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { makeDirectory, makeDurable } from '../../config/directory.js'
import type { Failed } from '../../flow/failed.js'
import { warnOfFailure } from '../../flow/failed.js'
import { StoreDamaged } from '../rowCheck.js'
import type { Broken, Store } from '../store.js'
import { StoreRefused } from '../store.js'
import { makeStore, openTables } from '../tables.js'
import { refusalOf } from './damaged.js'
import { removeUnfinished, unfinished } from './embeddedRestore.js'
import { embeddedStore } from './embeddedStore.js'
import { lockDirectory } from './lock.js'

/**
 * The store of a single process: LMDB in `dataDir`. One transaction writes journal entries, records and
 * indexes, so they cannot disagree. For the main thread only.
 *
 * Commits are synchronous and stop the event loop for one fdatasync. The asynchronous writes of `lmdb` are no
 * alternative: a commit that fails there is an unhandled rejection besides, which ends the process.
 */
export async function openEmbedded({
  dataDir,
  failed = warnOfFailure,
  broken = () => undefined,
}: {
  dataDir: string
  failed?: Failed | undefined
  /** Told when the file fails beneath the process, which is then to end. */
  broken?: Broken | undefined
}): Promise<Store> {
  const refused = (cause: unknown): StoreRefused =>
    cause instanceof StoreDamaged
      ? refusalOf(dataDir, cause)
      : new StoreRefused(`The data directory ${dataDir} cannot be used: ${(cause as Error).message}`, { cause })
  const usable = <T>(use: () => T): T => {
    try {
      return use()
    } catch (cause) {
      throw refused(cause)
    }
  }
  usable(() => {
    makeDirectory(resolve(dataDir))
    if (!statSync(dataDir).isDirectory()) throw new Error('it is not a directory')
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK)
  })
  const release = await lockDirectory(dataDir)
  try {
    const file = join(dataDir, 'store.mdb')
    if (!existsSync(file) && existsSync(join(dataDir, unfinished))) {
      throw new StoreRefused(
        `A restore into the data directory ${dataDir} was cut short: run \`edgewright restore FILE\` again.`,
      )
    }
    if (existsSync(file)) {
      // What a restore left beside it that was cut short is nobody's.
      usable(() => removeUnfinished(dataDir))
    } else {
      await makeStore(file).catch((cause) => {
        throw refused(cause)
      })
    }
    const tables = usable(() => openTables(file))
    usable(() => {
      chmodSync(file, 0o600)
      makeDurable(dataDir)
    })
    try {
      return usable(() => embeddedStore(tables, { dataDir, release, failed, broken }))
    } catch (error) {
      await tables.close()
      throw error
    }
  } catch (error) {
    release()
    throw error
  }
}
