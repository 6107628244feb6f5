import type { Settings } from '../settings.js'
import { openEmbedded } from './embedded.js'
import type { Store } from './store.js'

/** The store the settings name: MongoDB with MONGODB_URI, else the embedded one in DATA_DIR. */
export async function openStore({ mongoUri, dataDir }: Settings): Promise<Store> {
  if (mongoUri === null) return openEmbedded({ dataDir })
  // The driver takes a tenth of a second to load, which only those wait for who use it.
  const { openMongo } = await import('./mongo.js')
  return openMongo({ uri: mongoUri })
}
