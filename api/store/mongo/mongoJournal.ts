import { setTimeout as delay } from 'node:timers/promises'
import type { Binary, Collection, MongoServerError } from 'mongodb'
import { isLong, turn } from '../../flow/turns.js'
import { changeSlices, parseChanges } from '../changesText.js'
import { cleanText } from '../documents.js'
import type { LogQuery } from '../entries.js'
import { linesOf, newestBefore } from '../entries.js'
import type { Outcome } from '../groupCommit.js'
import type { Change, Entry, EntryHead, LoggedLine } from '../store.js'
import { AppendFailed, HistoryReplaced, JournalTrimmed, StoreUnavailable } from '../store.js'
import { within } from '../within.js'
import type { ChunkDocument, EntryDocument, Made } from './journalDocuments.js'
import { chunkId, headOf, identity, idOf, madeOf } from './journalDocuments.js'
import type { Collections } from './mongoHistories.js'

interface MarkDocument {
  readonly _id: 'journal'
  /** Entries up to this one were removed, but for those that hold records too large for a document. */
  readonly base: number
}

/** Entries that are removed at once. */
const trimmedAtOnce = 500
/** Entries that the driver takes from the server at a time, where only their heads are read. */
const headBatch = 200
const retryDelay = 100
/** How long, in ms, one chunk may take, and the look-up for an outcome. */
const chunkTime = 3000
const lookUpTime = 1500
const duplicateKey = 11000

/** How long, in ms, an append goes on trying. */
export interface Patience {
  /** As long as nothing was sent that could be the commit. */
  readonly unsent: number
  /** When something was: to say how it went is worth waiting for. One attempt may take a third of it. */
  readonly sent: number
}

/** The journal in MongoDB: a document per entry, inserted under its revision, which is the commit. */
export class MongoJournal {
  readonly #entries: Collection<EntryDocument>
  readonly #chunks: Collection<ChunkDocument>
  readonly #marks: Collection<MarkDocument>
  readonly #patience: Patience

  constructor(database: Collections, patience: Patience) {
    this.#entries = database.collection('journal')
    this.#chunks = database.collection('journalChunks')
    this.#marks = database.collection('marks')
    this.#patience = patience
  }

  async prepare(): Promise<void> {
    await this.#entries.createIndex({ time: 1 })
    await this.#entries.createIndex({ user: 1, _id: -1 })
    await this.#entries.createIndex({ 'log.level': 1, _id: -1 })
    await this.#chunks.createIndex({ revision: 1 })
  }

  async head(): Promise<number> {
    const newest = await this.#entries.findOne({}, { sort: { _id: -1 }, projection: { _id: 1 } })
    return newest?._id ?? 0
  }

  /** The latest time of any entry; empty when there is none. */
  async latestTime(): Promise<string> {
    const latest = await this.#entries.findOne({}, { sort: { time: -1 }, projection: { time: 1 } })
    return latest?.time ?? ''
  }

  /**
   * Inserts entries in order. Every failure is answered by looking which of them are there: an insert may have
   * been done although its answer was lost, and repeating it is harmless since its revision is its key. One that
   * was sent and is not there may still arrive: until another entry has its revision, its outcome is unknown.
   */
  async insert(given: readonly Entry[]): Promise<Outcome> {
    const made: Made[] = []
    for (const entry of given) made.push(await madeOf(entry))
    let until = performance.now() + this.#patience.unsent
    let committed = 0
    let sent = false
    for (;;) {
      try {
        for (const one of made.slice(committed)) await this.#writeChunks(one)
        const documents = made.slice(committed).map(({ document }) => document)
        if (!sent) until = performance.now() + this.#patience.sent
        sent = true
        const left = Math.max(retryDelay, until - performance.now())
        await within(Math.min(this.#patience.sent / 3, left), this.#entries.insertMany(documents, { ordered: true }))
        return { committed: given.length }
      } catch (cause) {
        try {
          const found = await within(lookUpTime, this.#countOwn(given.slice(committed)))
          committed += found.own
          if (committed === given.length) return { committed }
          if (found.lost) {
            // What is left of them is swept at the next start.
            await within(lookUpTime, this.#forgetChunks(made.slice(committed))).catch(() => {})
            return { committed }
          }
        } catch {
          // The look-up failed as well: what is there stays unknown until the next round.
        }
        if (performance.now() + retryDelay > until) {
          const message = `The journal cannot be written: ${(cause as Error).message}`
          return {
            committed,
            error: new AppendFailed(message, { cause, committed, outcome: sent ? 'unknown' : 'none' }),
          }
        }
        await delay(retryDelay)
      }
    }
  }

  async base(): Promise<number> {
    return (await this.#marks.findOne({ _id: 'journal' }))?.base ?? 0
  }

  async lastBefore(time: string): Promise<number> {
    const base = await this.base()
    const newer = { _id: { $gt: base }, time: { $gte: time } }
    const first = await this.#entries.findOne(newer, { sort: { _id: 1 }, projection: { _id: 1 } })
    return first ? first._id - 1 : Math.max(base, await this.head())
  }

  /** @param kept revisions of entries that stay, although nobody is shown them any more */
  async trim(last: number, kept: readonly number[], isStopped: () => boolean): Promise<void> {
    const oldest = await this.#entries.findOne(
      { _id: { $nin: [...kept] } },
      { sort: { _id: 1 }, projection: { _id: 1 } },
    )
    // First the mark: whoever reads while the entries go knows that they do.
    await this.#marks.updateOne({ _id: 'journal' }, { $max: { base: last } }, { upsert: true })
    for (let from = oldest?._id ?? last + 1; from <= last && !isStopped(); from += trimmedAtOnce) {
      const range = { $gte: from, $lte: Math.min(last, from + trimmedAtOnce - 1), $nin: [...kept] }
      await this.#chunks.deleteMany({ revision: range })
      await this.#entries.deleteMany({ _id: range })
    }
  }

  async after(revision: number, limit: number): Promise<Entry[]> {
    const found = await this.#entries
      .find({ _id: { $gt: revision } })
      .sort({ _id: 1 })
      .limit(limit)
      .toArray()
    if (found.length > 0) await this.#mustBeThere(revision)
    const read: Entry[] = []
    for (const document of found) {
      if (document._id !== revision + read.length + 1) break
      if (document.replacedBy && read.length > 0) break
      if (document.replacedBy) throw new HistoryReplaced('A restore has put another store into the place of this one')
      read.push(await this.#entryOf(document))
      if (isLong()) await turn()
    }
    return read
  }

  /** The next entry there is, when the one that has to follow `revision` is missing; `null` when nothing is. */
  async gapAfter(revision: number): Promise<number | null> {
    const next = await this.#entries.findOne({ _id: { $gt: revision } }, { sort: { _id: 1 }, projection: { _id: 1 } })
    return next === null || next._id === revision + 1 ? null : next._id
  }

  async headsAfter(revision: number, limit: number): Promise<EntryHead[]> {
    const cursor = this.#entries
      .find({ _id: { $gt: revision } }, { batchSize: headBatch })
      .project<Omit<EntryDocument, 'changes'>>({ changes: 0 })
      .sort({ _id: 1 })
      .limit(limit)
    const heads: EntryHead[] = []
    for await (const document of cursor) {
      if (heads.length === 0) await this.#mustBeThere(revision)
      if (document._id !== revision + heads.length + 1) break
      const { time, user, log } = headOf(document)
      heads.push({ revision: document._id, time, user, id: idOf(document), requestId: document.requestId, log })
      if (isLong()) await turn()
    }
    return heads
  }

  async *changesOf(revision: number): AsyncGenerator<readonly Change[]> {
    const document = await this.#entries.findOne({ _id: revision })
    await this.#mustBeThere(revision - 1)
    if (document) yield* changeSlices(await this.#jsonOf(document))
  }

  async at(revision: number): Promise<Entry | null> {
    const document = await this.#entries.findOne({ _id: revision })
    return document && this.#entryOf(document)
  }

  async log(query: LogQuery): Promise<LoggedLine[]> {
    const base = await this.base()
    const cursor = this.#entries
      .find({
        _id: { $gt: base, $lte: newestBefore(query.before) },
        ...(query.since !== undefined && { time: { $gte: query.since } }),
        ...(query.user !== undefined && { user: cleanText(query.user) }),
        ...(query.level !== undefined && { 'log.level': query.level as Entry['log'][number]['level'] }),
      })
      .project<Omit<EntryDocument, 'changes'>>({ changes: 0 })
      .sort({ _id: -1 })
      .batchSize(headBatch)
    const lines: LoggedLine[] = []
    for await (const document of cursor) {
      lines.push(...linesOf(headOf(document), query))
      if (lines.length >= query.limit) break
      if (isLong()) await turn()
    }
    return lines.slice(0, query.limit)
  }

  /** Removes chunks of entries that lost their revision to another. Those of revisions not yet taken may still win. */
  async sweep(head: number): Promise<void> {
    const left = await this.#chunks
      .find({ revision: { $lte: head } })
      .project<Omit<ChunkDocument, 'bytes'>>({ bytes: 0 })
      .toArray()
    for (const { _id, revision, requestId, entry = requestId } of left) {
      const winner = await this.#entries.findOne({ _id: revision }, { projection: identity })
      if (!winner || idOf(winner) !== entry) await this.#chunks.deleteOne({ _id })
    }
  }

  /** Whether what follows `revision` is still in the journal: asked after reading, so that nothing went meanwhile. */
  async #mustBeThere(revision: number): Promise<void> {
    const base = await this.base()
    if (revision < base) throw new JournalTrimmed(base)
  }

  async #writeChunks({ entry: { revision, id }, pieces }: Made): Promise<void> {
    for (const [number, bytes] of pieces.entries()) {
      const chunk = { _id: chunkId(revision, id, number), revision, entry: id, bytes }
      await within(chunkTime, this.#chunks.insertOne(chunk)).catch((error: MongoServerError) => {
        if (error.code !== duplicateKey) throw error
      })
    }
  }

  async #forgetChunks(lost: readonly Made[]): Promise<void> {
    for (const { entry, pieces } of lost) {
      if (pieces.length > 0) await this.#chunks.deleteMany({ revision: entry.revision, entry: entry.id })
    }
  }

  /** How many of `given`, from the first on, are in the journal as our own, and whether the next is another's. */
  async #countOwn(given: readonly Entry[]): Promise<{ own: number; lost: boolean }> {
    const first = given[0]!.revision
    const there = await this.#entries
      .find({ _id: { $gte: first, $lt: first + given.length } }, { projection: identity })
      .sort({ _id: 1 })
      .toArray()
    const owners = new Map(there.map((document) => [document._id, idOf(document)]))
    const foreign = given.findIndex(({ revision, id }) => owners.get(revision) !== id)
    if (foreign === -1) return { own: given.length, lost: false }
    return { own: foreign, lost: owners.has(given[foreign]!.revision) }
  }

  async #entryOf(document: EntryDocument): Promise<Entry> {
    const { revision, time, user, log } = headOf(document)
    const changes = await parseChanges(await this.#jsonOf(document))
    return { revision, time, user, id: idOf(document), requestId: document.requestId, changes, log }
  }

  async #jsonOf(document: EntryDocument): Promise<string> {
    const { _id, changes } = document
    return typeof changes === 'string' ? changes : this.#readChunks(_id, idOf(document), changes)
  }

  async #readChunks(revision: number, id: string, count: number): Promise<string> {
    const pieces: Uint8Array[] = []
    for (let number = 0; number < count; number++) {
      const chunk = await this.#chunks.findOne({ _id: chunkId(revision, id, number) })
      if (!chunk) throw new StoreUnavailable(`Chunk ${number} of journal entry ${revision} is missing`)
      pieces.push((chunk.bytes as Binary).buffer)
    }
    return Buffer.concat(pieces).toString('utf8')
  }
}
