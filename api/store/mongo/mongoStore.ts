import type { Db } from 'mongodb'
import type { Failed } from '../../flow/failed.js'
import type { Captured } from '../contents.js'
import { contentsOf } from '../contents.js'
import { normalised } from '../entries.js'
import type { Change, Entry, Loaded, Store } from '../store.js'
import { Trimming } from '../trimming.js'
import { within } from '../within.js'
import { createBlobs } from './mongoBlobs.js'
import { MongoCommits } from './mongoCommits.js'
import type { MongoConnection } from './mongoConnection.js'
import type { Collections, History } from './mongoHistories.js'
import { sweepHistories } from './mongoHistories.js'
import type { MongoJournal } from './mongoJournal.js'
import { MongoRecords } from './mongoRecords.js'
import { RecordsBehind } from './recordsBehind.js'

/** How long, in ms, the move of a blob may take, and the end of what is done in the background. */
const blobTime = 15_000
const closeTime = 5000
/** What is in pieces of any number takes as long as it takes; each of them is bounded by the silence. */
const longest = 2 ** 31 - 1

interface Given {
  readonly connection: MongoConnection
  readonly database: Db
  readonly history: History
  readonly collections: Collections
  readonly journal: MongoJournal
  readonly failed: Failed
}

/** The store over one history of a database. */
export function mongoStore(given: Given): Store {
  const { connection, journal } = given
  const { answered } = connection
  const inUse = new InMongo(given)
  const { blobs, commits } = inUse
  const store: Store = {
    history: given.history.name,
    load: () => inUse.load(),
    append: (entries) => commits.append(entries),
    entriesAfter: (revision, limit) => inUse.entriesAfter(revision, limit),
    headsAfter: (revision, limit) => answered(journal.headsAfter(revision, limit)),
    changesOf: (revision) => inUse.changesOf(revision),
    head: () => answered(journal.head()),
    base: () => answered(journal.base()),
    lastBefore: (time) => answered(journal.lastBefore(time)),
    trim: (revision) => inUse.trim(revision),
    log: (query) => answered(journal.log(normalised(query))),
    putBlob: ({ hash, bytes }) => answered(blobs.put(hash, bytes), blobTime),
    getBlob: (hash) => answered(blobs.get(hash), blobTime),
    deleteBlobs: (hashes) => answered(blobs.remove(hashes), blobTime),
    listBlobs: () => answered(blobs.list()),
    ping: () => inUse.ping(),
    settled: () => inUse.settled(),
    close: () => inUse.close(),
    contents: (blobsOf) => contentsOf({ ...store, capture: () => inUse.capture() }, blobsOf),
  }
  return store
}

/** What more than one question to the store needs, and what takes more than a line to answer. */
class InMongo {
  readonly #given: Given
  readonly #records: MongoRecords
  readonly #behind: RecordsBehind
  readonly #trimming = new Trimming()
  readonly commits: MongoCommits
  readonly blobs: ReturnType<typeof createBlobs>

  constructor(given: Given) {
    const { connection, collections, journal, failed } = given
    const records = new MongoRecords(collections, journal)
    const behind = new RecordsBehind(records, failed)
    this.#given = given
    this.#records = records
    this.#behind = behind
    this.commits = new MongoCommits({ connection, journal, records, behind })
    this.blobs = createBlobs(collections)
  }

  async load(): Promise<Loaded> {
    const loaded = await this.#answered(this.#records.load(), longest)
    this.commits.heardOf(loaded.revision)
    this.#sweep(loaded.revision).catch((error: unknown) => this.#behind.tell('leftovers', error))
    return loaded
  }

  /** What crashes and restores left behind goes while the service runs. */
  async #sweep(revision: number): Promise<void> {
    await this.#behind.write()
    await this.#given.journal.sweep(revision)
    await this.blobs.sweep()
    await sweepHistories(this.#given.database)
  }

  async entriesAfter(revision: number, limit: number): Promise<Entry[]> {
    const entries = await this.#answered(this.#given.journal.after(revision, limit))
    this.commits.heardOf(entries.at(-1)?.revision ?? 0)
    return entries
  }

  async *changesOf(revision: number): AsyncGenerator<readonly Change[]> {
    const slices = this.#given.journal.changesOf(revision)
    for (;;) {
      const { done, value } = await this.#answered(slices.next())
      if (done) return
      yield value
    }
  }

  trim(revision: number): Promise<number> {
    return this.#trimming.run(() => this.#answered(this.#removeUpTo(revision), longest))
  }

  async #removeUpTo(revision: number): Promise<number> {
    const { journal } = this.#given
    const head = await journal.head()
    await this.#behind.write()
    const needed = await this.#records.needed(Math.min(revision, head - 1))
    if (needed.last > 0) await journal.trim(needed.last, needed.entries, () => this.#behind.isStopped)
    return journal.base()
  }

  /** After a write has failed, only a write that succeeds shows that the next one can. */
  async ping(): Promise<void> {
    const { database } = this.#given
    await this.#answered(database.command({ ping: 1 }))
    if (!this.commits.hasFailed) return
    const probe = database.collection<{ _id: 'probe'; at: Date }>('marks')
    await this.#answered(probe.updateOne({ _id: 'probe' }, { $set: { at: new Date() } }, { upsert: true }))
    this.commits.recovered()
  }

  async settled(): Promise<void> {
    await this.commits.idle()
    await this.#answered(this.#behind.write(), longest)
  }

  async capture(): Promise<Captured> {
    const { records: loaded, revision, lastIds } = await this.#answered(this.#records.load(), longest)
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

  async close(): Promise<void> {
    await this.commits.idle()
    const underWay = [this.#behind.stop(), this.#trimming.isOver()]
    // What hangs is not waited for: the next start goes on from the mark. What fails was told.
    await within(closeTime, Promise.allSettled(underWay)).catch(() => {})
    await this.#given.connection.close()
  }

  #answered<T>(work: Promise<T>, time?: number): Promise<T> {
    return this.#given.connection.answered(work, time)
  }
}
