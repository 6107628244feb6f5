import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MongoClient } from 'mongodb'
import { openEmbedded } from '../../api/store/lmdb/embedded.js'
import { openMongo } from '../../api/store/mongo/mongo.js'
import type { Store } from '../../api/store/store.js'

/** Where a store lies: it can be opened, closed and opened again, and removed in the end. */
export interface Place {
  open(): Promise<Store>
  remove(): Promise<void>
}

export function embeddedPlace(): Place & { readonly directory: string } {
  const directory = mkdtempSync(join(tmpdir(), 'edgewright-store-'))
  return {
    directory,
    open: () => openEmbedded({ dataDir: directory }),
    remove: async () => rmSync(directory, { recursive: true, force: true }),
  }
}

/** A new database on the server at `uri`; what follows its path is kept. */
export function mongoPlace(uri: string): Place & { readonly uri: string } {
  const name = `edgewright_test_${randomBytes(6).toString('hex')}`
  const [, server, options] = /^([^?]*?\/\/[^/?]+)\/?[^?]*(\?.*)?$/.exec(uri) ?? []
  const own = `${server}/${name}${options ?? ''}`
  return {
    uri: own,
    open: () => openMongo({ uri: own }),
    async remove() {
      const client = new MongoClient(own)
      await client.db().dropDatabase()
      await client.close()
    },
  }
}
