import type { Collection, Db } from 'mongodb'
import type { RecordDocument } from '../documents.js'
import { documentOf } from '../documents.js'
import type { Entry, LoadedRecord, Part, Restored } from '../store.js'
import { StoreRefused, StoreUnavailable } from '../store.js'
import { createBlobs } from './mongoBlobs.js'
import type { Collections, History } from './mongoHistories.js'
import { currentHistory, inHistory, nameHistory, newHistory, removeHistory, takePlaceOf } from './mongoHistories.js'
import { MongoJournal } from './mongoJournal.js'

interface RestoringMark {
  readonly _id: 'restoring'
  /** Kinds whose collections may have been begun, as keys. */
  readonly kinds?: Readonly<Record<string, boolean>>
}

interface RecordsMark {
  readonly _id: 'records'
  readonly revision: number
  readonly kinds: Readonly<Record<string, boolean>>
}

interface JournalMark {
  readonly _id: 'journal'
  readonly base: number
}

type Mark = RestoringMark | RecordsMark | JournalMark

/** What is written at once. */
const atOnce = { bytes: 4_000_000, documents: 1000 }
/** How long, in ms, a piece of the journal is tried. */
const patience = { unsent: 30_000, sent: 30_000 }

const marksOf = (database: Collections): Collection<Mark> => database.collection('marks')

/** A database that holds half a restore is nobody's store. */
export async function refuseUnfinished(database: Db): Promise<void> {
  if (!(await marksOf(database).findOne({ _id: 'restoring' }))) return
  throw new StoreRefused(
    'A restore into this database was cut short: run `edgewright restore FILE` again, which begins anew.',
  )
}

/**
 * Makes the store anew from the parts of a backup. Into an empty database it is written as it comes, and until the last
 * part nobody can open it. Where there is a store already, that one is there until the new one is, whole: instances
 * that use it go on with the new one by themselves.
 */
export async function restoreMongo(
  database: Db,
  { force }: { force: boolean },
  parts: AsyncIterable<Part>,
): Promise<Restored> {
  const marks = marksOf(database)
  const isUnfinished = (await marks.findOne({ _id: 'restoring' })) !== null
  const old = await currentHistory(database)
  const holdsStore = (await inHistory(database, old).collection('journal').findOne({})) !== null
  if (holdsStore && !isUnfinished) {
    if (force) return replace(database, old, parts)
    throw new StoreRefused(
      `The database ${database.databaseName} holds a store. Restore into another one, or replace it with --force.`,
    )
  }
  await marks.updateOne({ _id: 'restoring' }, { $set: { at: new Date() } }, { upsert: true })
  await empty(database)
  const restored = await write(database, parts)
  await nameHistory(database)
  await marks.deleteOne({ _id: 'restoring' })
  return restored
}

/** Writes a new history beside the one that is used. */
export async function prepareMongo(database: Db, next: History, parts: AsyncIterable<Part>): Promise<Restored> {
  try {
    return await write(inHistory(database, next), parts)
  } catch (error) {
    // What is left of it is swept at the next start.
    await removeHistory(database, next).catch(() => {})
    throw error
  }
}

async function replace(database: Db, old: History, parts: AsyncIterable<Part>): Promise<Restored> {
  const next = await newHistory(database)
  const restored = await prepareMongo(database, next, parts)
  const lastOf = async (): Promise<number> => {
    const journal = inHistory(database, old).collection<{ _id: number }>('journal')
    return (await journal.findOne({}, { sort: { _id: -1 }, projection: { _id: 1 } }))?._id ?? 0
  }
  try {
    while (!(await takePlaceOf(database, { old, next, revision: await lastOf() })));
  } catch (error) {
    // What is left of it is swept at the next start.
    if (error instanceof StoreRefused) await removeHistory(database, next).catch(() => {})
    throw error
  }
  return restored
}

async function empty(database: Db): Promise<void> {
  const marks = marksOf(database)
  const kinds = (await marks.find({ _id: { $in: ['restoring', 'records'] } }).toArray()).flatMap((mark) =>
    'kinds' in mark ? Object.keys(mark.kinds ?? {}) : [],
  )
  // The marks that name the collections go last, so that a restore that is cut short here finds them again.
  for (const name of ['journal', 'journalChunks', 'blobs', 'blobChunks', ...new Set(kinds)]) {
    await database.collection(name).deleteMany({})
  }
  await marks.deleteMany({ _id: { $ne: 'restoring' } })
}

async function write(database: Collections, parts: AsyncIterable<Part>): Promise<Restored> {
  const counts = { revision: 0, records: 0, entries: 0, blobs: 0 }
  const marks = marksOf(database)
  const journal = new MongoJournal(database, patience)
  await journal.prepare()
  const blobs = createBlobs(database)
  const records = recordWriter(database)
  const entries = entryWriter(journal)
  let lastIds: Readonly<Record<string, number>> = {}
  let base = 0
  for await (const part of parts) {
    if ('blob' in part) {
      await blobs.put(part.blob, part.bytes)
      counts.blobs += 1
    } else if ('state' in part) {
      counts.revision = part.state.revision
      lastIds = part.state.lastIds
    } else if ('record' in part) {
      await records.put(part.record)
      counts.records += 1
    } else if ('journal' in part) {
      base = part.journal.base
      await entries.putLarge(records.large.filter(({ revision }) => revision <= base))
    } else {
      await entries.put(part.entry)
      counts.entries += 1
    }
  }
  await entries.flush()
  await records.finish(lastIds, counts.revision)
  const kinds = Object.fromEntries([...records.kinds.keys()].map((kind) => [kind, true]))
  await marks.insertOne({ _id: 'records', revision: counts.revision, kinds })
  if (base > 0) await marks.insertOne({ _id: 'journal', base })
  return counts
}

function recordWriter(database: Collections) {
  const kinds = new Map<string, { highest: number }>()
  const large: LoadedRecord[] = []
  let documents: RecordDocument[] = []
  let bytes = 0
  let of = ''
  const flush = async (): Promise<void> => {
    if (documents.length > 0) await database.collection<RecordDocument>(of).insertMany(documents)
    documents = []
    bytes = 0
  }
  const begin = async (kind: string): Promise<void> => {
    await flush()
    of = kind
    if (kinds.has(kind)) return
    kinds.set(kind, { highest: 0 })
    await marksOf(database).updateOne({ _id: 'restoring' }, { $set: { [`kinds.${kind}`]: true } })
  }
  return {
    large: large as readonly LoadedRecord[],
    kinds: kinds as ReadonlyMap<string, object>,
    async put(record: LoadedRecord): Promise<void> {
      const { kind, revision } = record
      if (kind !== of) await begin(kind)
      const document = documentOf(record.record.id, revision, record.record)
      if (document.large) large.push(record)
      const known = kinds.get(kind)!
      known.highest = Math.max(known.highest, record.record.id)
      documents.push(document)
      bytes += document.large ? 0 : JSON.stringify(document).length
      if (documents.length >= atOnce.documents || bytes >= atOnce.bytes) await flush()
    },
    /** The largest id of a kind may be that of a record that was deleted: its mark is put back. */
    async finish(lastIds: Readonly<Record<string, number>>, revision: number): Promise<void> {
      for (const [kind, id] of Object.entries(lastIds)) {
        if (id <= (kinds.get(kind)?.highest ?? 0)) continue
        await begin(kind)
        documents.push(documentOf(id, revision, null))
      }
      await flush()
    },
  }
}

function entryWriter(journal: MongoJournal) {
  let waiting: Entry[] = []
  let bytes = 0
  const flush = async (): Promise<void> => {
    const { committed, error } = await journal.insert(waiting)
    if (committed < waiting.length) throw error ?? new StoreUnavailable('Somebody else writes into this database')
    waiting = []
    bytes = 0
  }
  return {
    async put(entry: Entry): Promise<void> {
      waiting.push(entry)
      bytes += JSON.stringify(entry.changes).length
      if (waiting.length >= atOnce.documents || bytes >= atOnce.bytes) await flush()
    },
    flush: async () => {
      if (waiting.length > 0) await flush()
    },
    /** Records that no document can hold lie in the entry that wrote them. Where that was removed, they alone do. */
    async putLarge(records: readonly LoadedRecord[]): Promise<void> {
      const byRevision = new Map<number, LoadedRecord[]>()
      for (const one of records) byRevision.set(one.revision, [...(byRevision.get(one.revision) ?? []), one])
      for (const [revision, ofIt] of byRevision) {
        const changes = ofIt.map(({ kind, record }) => ({ kind, id: record.id, before: null, after: record }))
        const id = `restored-${revision}`
        const entry: Entry = { revision, time: '', user: '', id, requestId: id, changes, log: [] }
        const { committed, error } = await journal.insert([entry])
        if (committed < 1) throw error ?? new StoreUnavailable('Somebody else writes into this database')
      }
    },
  }
}
