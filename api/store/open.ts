import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Settings } from '../config/settings.js'
import type { Failed } from '../flow/failed.js'
import { openEmbedded } from './lmdb/embedded.js'
import { restoreEmbedded, unfinished } from './lmdb/embeddedRestore.js'
import { databaseOf, openMongo } from './mongo/mongo.js'
import { clientFor } from './mongo/mongoConnection.js'
import { restoreMongo } from './mongo/mongoRestore.js'
import type { Broken, Part, Restored, Store } from './store.js'
import { StoreRefused } from './store.js'

/**
 * The store the settings name: MongoDB with MONGODB_URI, else the embedded one in DATA_DIR. Both are imported here
 * and not when first wanted: loaders that keep such modules apart would make a second StoreUnavailable, which no
 * caller knows.
 *
 * @param told.failed told of what fails beside what is asked of the store; without it, standard error is
 * @param told.broken told when the store fails beneath the process, which is then to end
 */
export function openStore({ mongoUri, dataDir }: Settings, told: Told = {}): Promise<Store> {
  return mongoUri === null ? openEmbedded({ dataDir, ...told }) : openMongo({ uri: mongoUri, failed: told.failed })
}

interface Told {
  readonly failed?: Failed | undefined
  readonly broken?: Broken | undefined
}

/**
 * As `openStore`, but a place that holds nothing is refused and none is made there: whoever backs up or exports what
 * is in a folder with a misspelt name is to hear of it.
 */
export async function openExisting(settings: Settings, told?: Told): Promise<Store> {
  const { mongoUri, dataDir } = settings
  if (mongoUri === null && !['store.mdb', unfinished].some((name) => existsSync(join(dataDir, name)))) {
    throw new StoreRefused(`There is no store in ${dataDir}. Set DATA_DIR or MONGODB_URI to what the service uses.`)
  }
  const store = await openStore(settings, told)
  try {
    if ((await store.head()) > 0) return store
    throw new StoreRefused('The store is empty. Set DATA_DIR or MONGODB_URI to what the service uses.')
  } catch (error) {
    await store.close()
    throw error
  }
}

/**
 * Puts everything of a backup into the store that the settings name, which nobody else may use meanwhile. All of it
 * or nothing: what is cut short refuses to be opened until a restore is finished.
 *
 * @param force also where there is a store already
 */
export async function restoreStore(
  { mongoUri, dataDir }: Settings,
  { force }: { force: boolean },
  parts: AsyncIterable<Part>,
): Promise<Restored> {
  if (mongoUri === null) return restoreEmbedded({ dataDir, force }, parts)
  const client = clientFor(mongoUri)
  try {
    return await restoreMongo(databaseOf(client, mongoUri), { force }, parts)
  } finally {
    await client.close()
  }
}
