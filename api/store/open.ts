import type { Settings } from '../settings.js'
import { openEmbedded } from './embedded.js'
import { openMongo } from './mongo.js'
import type { Store } from './store.js'

/**
 * The store the settings name: MongoDB with MONGODB_URI, else the embedded one in DATA_DIR. Both are imported here
 * and not when first wanted: loaders that keep such modules apart would make a second StoreUnavailable, which no
 * caller knows.
 */
export function openStore({ mongoUri, dataDir }: Settings): Promise<Store> {
  return mongoUri === null ? openEmbedded({ dataDir }) : openMongo({ uri: mongoUri })
}
