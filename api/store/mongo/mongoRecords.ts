import type { Collection } from 'mongodb'
import { isLong, turn } from '../../flow/turns.js'
import type { RecordDocument } from '../documents.js'
import { recordOf } from '../documents.js'
import type { Entry, Loaded, LoadedRecord, StoredRecord } from '../store.js'
import { JournalTrimmed, StoreRefused } from '../store.js'
import { within } from '../within.js'
import type { Collections } from './mongoHistories.js'
import type { MongoJournal } from './mongoJournal.js'
import type { OfKind } from './recordWrites.js'
import { loadPage, stepTime, writeRecords } from './recordWrites.js'

interface MarkDocument {
  readonly _id: 'records'
  /** Every entry up to this one is in the record collections. */
  readonly revision: number
  /** The kinds that have a collection, as keys. */
  readonly kinds: Readonly<Record<string, boolean>>
}

type Latest = Map<string, OfKind>

const mostAttempts = 5
const page = 100

/** The record collections: one per kind, written after the journal, up to a mark. */
export class MongoRecords {
  readonly #database: Collections
  readonly #journal: MongoJournal
  readonly #marks: Collection<MarkDocument>
  /** Own entries that are not in the collections yet, so that they need not be read back. */
  readonly #recent = new Map<number, Entry>()
  #position = 0

  constructor(database: Collections, journal: MongoJournal) {
    this.#database = database
    this.#journal = journal
    this.#marks = database.collection('marks')
  }

  remember(entry: Entry): void {
    this.#recent.set(entry.revision, entry)
  }

  /**
   * Brings the collections up to the journal's end, whoever wrote the entries.
   *
   * It goes on from the mark, but never jumps within one call: a server whose conditional update is not atomic
   * could let an older write of ours pass a newer one of another instance, and the newer is then written again.
   */
  async catchUp(): Promise<void> {
    const mark = await within(stepTime, this.#marks.findOne({ _id: 'records' }))
    this.#position = Math.max(this.#position, mark?.revision ?? 0)
    for (const revision of this.#recent.keys()) if (revision <= this.#position) this.#recent.delete(revision)
    for (;;) {
      const entries = await within(stepTime, this.#following(this.#position))
      if (entries.length === 0) return
      const reached = entries.at(-1)!.revision
      const latest: Latest = new Map()
      for (const entry of entries) await apply(latest, entry)
      for (const [kind, records] of latest) await writeRecords(this.#collectionOf(kind), records)
      const kinds = [...latest.keys()].map((kind) => [`kinds.${kind}`, true])
      const $set = kinds.length > 0 ? { $set: Object.fromEntries(kinds) } : {}
      const moved = { $max: { revision: reached }, ...$set }
      await within(stepTime, this.#marks.updateOne({ _id: 'records' }, moved, { upsert: true }))
      this.#position = reached
      for (const { revision } of entries) this.#recent.delete(revision)
    }
  }

  /** Up to which revision the journal is no longer needed, and which older entries it still is needed for. */
  async needed(last: number): Promise<{ last: number; entries: number[] }> {
    const mark = await this.#marks.findOne({ _id: 'records' })
    const reached = Math.min(last, mark?.revision ?? 0)
    const large = Object.keys(mark?.kinds ?? {}).map((kind) =>
      this.#collectionOf(kind)
        .find({ large: true, rev: { $lte: reached } }, { projection: { rev: 1 } })
        .toArray(),
    )
    return { last: reached, entries: (await Promise.all(large)).flat().map(({ rev }) => rev) }
  }

  async load(): Promise<Loaded> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#loadOnce()
      } catch (error) {
        // The journal was trimmed while the records were read: the mark has gone on, too.
        if (!(error instanceof JournalTrimmed)) throw error
        if (attempt === mostAttempts) throw damaged('the records lack what was removed from the journal')
      }
    }
  }

  async #loadOnce(): Promise<Loaded> {
    const mark = await this.#marks.findOne({ _id: 'records' })
    const state: Latest = new Map()
    for (const kind of Object.keys(mark?.kinds ?? {}))
      state.set(kind, await this.#readRecords(this.#collectionOf(kind), kind))
    let revision = mark?.revision ?? 0
    for (;;) {
      const entries = await this.#journal.after(revision, page)
      if (entries.length === 0) break
      for (const entry of entries) await apply(state, entry)
      revision = entries.at(-1)!.revision
    }
    const next = await this.#journal.gapAfter(revision)
    if (next !== null) throw damaged(`journal entry ${revision + 1} is missing, the next is ${next}`)
    await mustFit(state, revision)
    return { ...(await loadedOf(state)), revision, time: await this.#journal.latestTime() }
  }

  async #following(revision: number): Promise<Entry[]> {
    const own: Entry[] = []
    for (
      let next = this.#recent.get(revision + 1);
      next && own.length < page;
      next = this.#recent.get(next.revision + 1)
    )
      own.push(next)
    return own.length > 0 ? own : this.#journal.after(revision, page)
  }

  async #readRecords(collection: Collection<RecordDocument>, kind: string): Promise<OfKind> {
    const records: OfKind = new Map()
    for await (const document of collection.find({}, { batchSize: loadPage })) {
      const record = document.large
        ? await this.#largeRecord(kind, document)
        : document.gone
          ? null
          : recordOf(document)
      records.set(document._id, { record, revision: document.rev })
      if (isLong()) await turn()
    }
    return records
  }

  async #largeRecord(kind: string, document: RecordDocument): Promise<StoredRecord | null> {
    const entry = await this.#journal.at(document.rev)
    return entry?.changes.findLast((change) => change.kind === kind && change.id === document._id)?.after ?? null
  }

  #collectionOf(kind: string): Collection<RecordDocument> {
    return this.#database.collection(kind)
  }
}

/** What nobody wrote who writes by our rules: it is not started with. */
const damaged = (what: string): StoreRefused =>
  new StoreRefused(
    `The database is damaged: ${what}. Stop every instance and restore a backup with \`edgewright restore --force FILE\`.`,
  )

/** Throws StoreRefused when a record is of a later revision than the journal's last. */
async function mustFit(state: Latest, revision: number): Promise<void> {
  for (const [kind, records] of state) {
    for (const [id, { revision: written }] of records) {
      if (isLong()) await turn()
      if (written > revision) throw damaged(`${kind} ${id} is of revision ${written}, the journal ends at ${revision}`)
    }
  }
}

/** Puts an entry's changes over a state, except where the state is newer. */
async function apply(state: Latest, { revision, changes }: Entry): Promise<void> {
  for (const { kind, id, after } of changes) {
    const records = state.get(kind) ?? new Map()
    state.set(kind, records)
    if ((records.get(id)?.revision ?? 0) <= revision) records.set(id, { record: after, revision })
    if (isLong()) await turn()
  }
}

async function loadedOf(state: Latest): Promise<Pick<Loaded, 'lastIds' | 'records'>> {
  const records: LoadedRecord[] = []
  const lastIds: Record<string, number> = {}
  for (const [kind, ofKind] of state) {
    for (const [id, { record, revision: written }] of ofKind) {
      if (id > (lastIds[kind] ?? 0)) lastIds[kind] = id
      if (record) records.push({ kind, record, revision: written })
      if (isLong()) await turn()
    }
  }
  return { lastIds, records }
}
