import { setTimeout as delay } from 'node:timers/promises'
import { openEmbedded } from '../../api/store/lmdb/embedded.js'
import { openMongo } from '../../api/store/mongo/mongo.js'
import type { Store } from '../../api/store/store.js'
import { StoreUnavailable } from '../../api/store/store.js'
import { stormEntry } from './storm.js'

/**
 * Writes to a store until it is killed: `stormChild.ts embedded DIRECTORY` or `stormChild.ts mongo URI`,
 * with `wide` behind it for entries of thousands of changes. Prints
 * `start REVISION` once it has loaded, then `done REVISION` for every entry that the store has acknowledged.
 */
async function storm(store: Store, isWide: boolean): Promise<never> {
  let head = (await store.load()).revision
  process.stdout.write(`start ${head}\n`)
  for (;;) {
    try {
      // Some alone, some together: shared commits must be whole as well.
      const together = 1 + (head % 4)
      const entries = Array.from({ length: together }, (_, index) => stormEntry(head + index + 1, isWide))
      const counts = await Promise.all(entries.map((entry) => store.append([entry])))
      for (const [index, count] of counts.entries()) {
        if (count === 1) process.stdout.write(`done ${head + index + 1}\n`)
      }
      head = await store.head()
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error
      await delay(50)
      head = await store.head().catch(() => head)
    }
  }
}

const [adapter, place = '', width] = process.argv.slice(2)
const store = adapter === 'mongo' ? await openMongo({ uri: place }) : await openEmbedded({ dataDir: place })
await storm(store, width === 'wide')
