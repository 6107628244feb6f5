import type { Settings } from '../settings.js'
import { openEmbedded } from './embedded.js'
import { restoreEmbedded } from './embeddedRestore.js'
import { databaseOf, openMongo } from './mongo.js'
import { clientFor } from './mongoConnection.js'
import { restoreMongo } from './mongoRestore.js'
import type { Part, Restored, Store } from './store.js'

/**
 * The store the settings name: MongoDB with MONGODB_URI, else the embedded one in DATA_DIR. Both are imported here
 * and not when first wanted: loaders that keep such modules apart would make a second StoreUnavailable, which no
 * caller knows.
 */
export function openStore({ mongoUri, dataDir }: Settings): Promise<Store> {
  return mongoUri === null ? openEmbedded({ dataDir }) : openMongo({ uri: mongoUri })
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
