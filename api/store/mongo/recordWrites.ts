import type { Collection } from 'mongodb'
import { isLong, turn } from '../../flow/turns.js'
import type { RecordDocument } from '../documents.js'
import { documentOf } from '../documents.js'
import type { StoredRecord } from '../store.js'
import { within } from '../within.js'
import { driver } from './driver.js'

/** The records of one kind by their id; `null` for those that are gone. */
export type OfKind = Map<number, { readonly record: StoredRecord | null; readonly revision: number }>

/** Records whose revisions are asked for at a time. */
const readPage = 5000
/** Documents, and bytes of them, that are written in one go. */
const writePage = 500
const writeBytes = 1_000_000
/** Documents that are taken at a time, so that their parsing holds nobody up. */
export const loadPage = 500
/** How long, in ms, one step of catching up may take; the driver's own bounds do not hold (mongoConnection.ts). */
export const stepTime = 120_000

/** Writes each record unless the collection has a newer one under its id. */
export async function writeRecords(collection: Collection<RecordDocument>, records: OfKind): Promise<void> {
  let documents: RecordDocument[] = []
  for (const [id, { record, revision }] of records) {
    documents.push(documentOf(id, revision, record))
    if (isLong()) await turn()
    if (documents.length < readPage) continue
    await within(stepTime, writeDocuments(collection, documents))
    documents = []
  }
  await within(stepTime, writeDocuments(collection, documents))
}

async function writeDocuments(
  collection: Collection<RecordDocument>,
  documents: readonly RecordDocument[],
): Promise<void> {
  let left = documents
  while (left.length > 0) {
    const revisions = await revisionsOf(collection, left)
    const fresh = left.filter((document) => !revisions.has(document._id))
    const newer = left.filter((document) => (revisions.get(document._id) ?? Number.POSITIVE_INFINITY) < document.rev)
    for (const some of pagesOf(newer)) {
      await collection.bulkWrite(
        some.map((document) => ({
          replaceOne: { filter: { _id: document._id, rev: { $lt: document.rev } }, replacement: document },
        })),
        { ordered: false },
      )
    }
    // What another instance inserts meanwhile is looked at again, now as one that exists.
    left = []
    for (const some of pagesOf(fresh)) if (!(await insertAll(collection, some))) left = [...left, ...some]
  }
}

/** As many as are sent in one go: the driver makes them into bytes while nobody else has a turn. */
function* pagesOf(documents: readonly RecordDocument[]): Generator<readonly RecordDocument[]> {
  const { BSON } = driver()
  let from = 0
  let size = 0
  for (const [at, document] of documents.entries()) {
    const next = BSON.calculateObjectSize(document)
    if (at > from && (size + next > writeBytes || at - from === writePage)) {
      yield documents.slice(from, at)
      from = at
      size = 0
    }
    size += next
  }
  if (from < documents.length) yield documents.slice(from)
}

async function revisionsOf(
  collection: Collection<RecordDocument>,
  documents: readonly RecordDocument[],
): Promise<Map<number, number>> {
  const found = new Map<number, number>()
  const ids = documents.map((document) => document._id)
  const cursor = collection.find({ _id: { $in: ids } }, { projection: { rev: 1 }, batchSize: loadPage })
  for await (const { _id, rev } of cursor) {
    found.set(_id, rev)
    if (isLong()) await turn()
  }
  return found
}

/** False when some were there already. */
async function insertAll(
  collection: Collection<RecordDocument>,
  documents: readonly RecordDocument[],
): Promise<boolean> {
  try {
    await collection.insertMany(documents, { ordered: false })
    return true
  } catch (error) {
    if (error instanceof driver().MongoBulkWriteError && error.code === 11000) return false
    throw error
  }
}
