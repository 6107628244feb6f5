import type { Db, MongoClient } from 'mongodb'
import type { Failed } from '../../flow/failed.js'
import { warnOfFailure } from '../../flow/failed.js'
import type { Store } from '../store.js'
import { StoreRefused, StoreUnavailable } from '../store.js'
import { connectionTo } from './mongoConnection.js'
import type { History } from './mongoHistories.js'
import { currentHistory, inHistory } from './mongoHistories.js'
import { MongoJournal } from './mongoJournal.js'
import { refuseUnfinished } from './mongoRestore.js'
import { mongoStore } from './mongoStore.js'

/** How long, in ms, an append goes on trying and looking for its outcome: `Patience` in mongoJournal.ts. */
const patience = { unsent: 3000, sent: 10_000 }
const defaultDatabase = 'edgewright'

/**
 * The store of several instances: a MongoDB, or a server that speaks its protocol. Needs no transactions.
 * Reads and writes wait for the majority, so what was read is never rolled back.
 *
 * @param given.history another than the one that the instances of the database go on with
 */
export async function openMongo({
  uri,
  history: given,
  failed = warnOfFailure,
}: {
  uri: string
  history?: History
  failed?: Failed | undefined
}): Promise<Store> {
  const connection = connectionTo(uri, failed)
  const { client } = connection
  const database = databaseOf(client, uri)
  const opened = async () => {
    await client.connect()
    await refuseUnfinished(database)
    const history = given ?? (await currentHistory(database))
    const collections = inHistory(database, history)
    const journal = new MongoJournal(collections, patience)
    await journal.prepare()
    return mongoStore({ connection, database, history, collections, journal, failed })
  }
  return opened().catch(async (cause: Error) => {
    await connection.close()
    if (cause instanceof StoreRefused) throw cause
    throw new StoreUnavailable(`MongoDB cannot be used: ${cause.message}`, { cause })
  })
}

/** The database that the URI names, or our own. */
export const databaseOf = (client: MongoClient, uri: string): Db =>
  client.db(/^[^:]+:\/\/[^/]+\/[^?]/.test(uri) ? undefined : defaultDatabase)
