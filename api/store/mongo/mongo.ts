import type { Db, MongoClient } from 'mongodb'
import type { Failed, Unawaited } from '../../flow/failed.js'
import { warnOfFailure } from '../../flow/failed.js'
import type { Captured } from '../contents.js'
import { contentsOf } from '../contents.js'
import { checkEntries, normalised } from '../entries.js'
import { groupCommit } from '../groupCommit.js'
import type { Entry, Store } from '../store.js'
import { StoreRefused, StoreUnavailable } from '../store.js'
import { within } from '../within.js'
import { createBlobs } from './mongoBlobs.js'
import { connectionTo } from './mongoConnection.js'
import type { History } from './mongoHistories.js'
import { currentHistory, inHistory, sweepHistories } from './mongoHistories.js'
import { MongoJournal } from './mongoJournal.js'
import { MongoRecords } from './mongoRecords.js'
import { refuseUnfinished } from './mongoRestore.js'

/** How long, in ms, an append goes on trying and looking for its outcome: `Patience` in mongoJournal.ts. */
const patience = { unsent: 3000, sent: 10_000 }
/** How long, in ms, the move of a blob may take, and the end of what is done in the background. */
const blobTime = 15_000
const closeTime = 5000
/** What is in pieces of any number takes as long as it takes; each of them is bounded by the silence. */
const longest = 2 ** 31 - 1
/** How long, in ms, until records that could not be written are tried again. */
const recordsRetry = 1000
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
  const { client, answered } = connection
  const database = databaseOf(client, uri)
  const opened = async () => {
    await client.connect()
    await refuseUnfinished(database)
    const history = given ?? (await currentHistory(database))
    const collections = inHistory(database, history)
    const journal = new MongoJournal(collections, patience)
    await journal.prepare()
    return { history, collections, journal }
  }
  const { history, collections, journal } = await opened().catch(async (cause: Error) => {
    await connection.close()
    if (cause instanceof StoreRefused) throw cause
    throw new StoreUnavailable(`MongoDB cannot be used: ${cause.message}`, { cause })
  })
  const records = new MongoRecords(collections, journal)
  const blobs = createBlobs(collections)

  let failure: StoreUnavailable | null = null
  let known = 0
  let closed = false
  let catchingUp: Promise<void> | null = null
  let behind = false
  let trimming: Promise<number> = Promise.resolve(0)
  let retry: NodeJS.Timeout | undefined

  /** Runs until nothing is left to do; callers share the run that is under way. */
  function writeRecords(): Promise<void> {
    behind = true
    catchingUp ??= (async () => {
      try {
        while (behind && !closed) {
          behind = false
          await records.catchUp()
        }
      } catch (error) {
        if (!closed) retry = setTimeout(catchUp, recordsRetry).unref()
        throw error
      } finally {
        catchingUp = null
      }
    })()
    return catchingUp
  }

  const toldOf = (work: Unawaited) => (error: unknown) => {
    if (!closed) failed(work, error)
  }

  /** Nobody waits for the records: what they are is in the journal. */
  function catchUp(): void {
    writeRecords().catch(toldOf('records'))
  }

  const commits = groupCommit<Entry>(async (entries) => {
    const first = entries[0]?.revision ?? 0
    // Who knows better asks before sending what nobody may confirm.
    if (first > known + 1 || !connection.isThere) known = await answered(journal.head())
    if (first > known + 1) {
      return { committed: 0, error: new RangeError(`entry ${first} does not follow entry ${known}, the newest`) }
    }
    const outcome = await journal.insert(entries)
    failure = outcome.error instanceof StoreUnavailable ? outcome.error : null
    if (failure) connection.failed()
    for (const entry of entries.slice(0, outcome.committed)) records.remember(entry)
    known = Math.max(known, first + outcome.committed - 1)
    if (outcome.committed > 0) catchUp()
    return outcome
  })

  const store: Store = {
    history: history.name,

    async load() {
      const loaded = await answered(records.load(), longest)
      known = Math.max(known, loaded.revision)
      writeRecords()
        .then(() => journal.sweep(loaded.revision))
        .then(() => blobs.sweep())
        .then(() => sweepHistories(database))
        .catch(toldOf('leftovers'))
      return loaded
    },

    async append(entries) {
      checkEntries(entries)
      return commits.append(entries)
    },

    async entriesAfter(revision, limit) {
      const entries = await answered(journal.after(revision, limit))
      known = Math.max(known, entries.at(-1)?.revision ?? 0)
      return entries
    },

    headsAfter: (revision, limit) => answered(journal.headsAfter(revision, limit)),
    async *changesOf(revision) {
      const slices = journal.changesOf(revision)
      for (;;) {
        const { done, value } = await answered(slices.next())
        if (done) return
        yield value
      }
    },

    head: () => answered(journal.head()),
    base: () => answered(journal.base()),
    lastBefore: (time) => answered(journal.lastBefore(time)),

    trim(revision) {
      const work = async (): Promise<number> => {
        const head = await journal.head()
        await writeRecords()
        const needed = await records.needed(Math.min(revision, head - 1))
        if (needed.last > 0) await journal.trim(needed.last, needed.entries, () => closed)
        return journal.base()
      }
      // Who asked for the one before has heard of its failure.
      trimming = trimming.catch(() => 0).then(() => answered(work(), longest))
      return trimming
    },

    log: (query) => answered(journal.log(normalised(query))),

    putBlob: ({ hash, bytes }) => answered(blobs.put(hash, bytes), blobTime),
    getBlob: (hash) => answered(blobs.get(hash), blobTime),
    deleteBlobs: (hashes) => answered(blobs.remove(hashes), blobTime),
    listBlobs: () => answered(blobs.list()),

    /** After a write has failed, only a write that succeeds shows that the next one can. */
    async ping() {
      await answered(database.command({ ping: 1 }))
      if (!failure) return
      const probe = database.collection<{ _id: 'probe'; at: Date }>('marks')
      await answered(probe.updateOne({ _id: 'probe' }, { $set: { at: new Date() } }, { upsert: true }))
      failure = null
    },

    async settled() {
      await commits.idle()
      await answered(writeRecords(), longest)
    },

    async close() {
      await commits.idle()
      closed = true
      clearTimeout(retry)
      // What hangs is not waited for: the next start goes on from the mark. What fails was told.
      await within(closeTime, Promise.allSettled([catchingUp, trimming])).catch(() => {})
      await connection.close()
    },

    contents: (blobsOf) => contentsOf({ ...store, capture }, blobsOf),
  }
  return store

  async function capture(): Promise<Captured> {
    const { records: loaded, revision, lastIds } = await answered(records.load(), longest)
    return {
      revision,
      lastIds,
      records: {
        async *[Symbol.asyncIterator]() {
          yield* loaded
        },
      },
      release: () => {},
    }
  }
}

/** The database that the URI names, or our own. */
export const databaseOf = (client: MongoClient, uri: string): Db =>
  client.db(/^[^:]+:\/\/[^/]+\/[^?]/.test(uri) ? undefined : defaultDatabase)
