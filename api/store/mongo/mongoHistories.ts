import { randomBytes, randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { Collection, CollectionOptions, Db, Document } from 'mongodb'
import { AppendFailed, StoreRefused } from '../store.js'
import type { Clock } from './mongoTime.js'
import { storeTime } from './mongoTime.js'

/** Where collections are found by their names, and the time is told. */
export type Collections = Pick<Db, 'collection' | 'command'>

/** What a database holds: the one past that its instances go on with. */
export interface History {
  /** What the names of its collections begin with; none for a store that was never put into the place of another. */
  readonly prefix: string
  /** Tells it from every other; empty for a store that never was restored. */
  readonly name: string
}

interface HistoryMark {
  readonly _id: 'history'
  readonly prefix: string
  readonly name: string
  /** The one that this one took the place of, and when. */
  readonly replaced?: string
  readonly since?: Date
}

/** The last entry of a journal that another history took the place of: whoever comes to it has nothing to append to. */
interface LastEntry {
  readonly _id: number
  readonly time: string
  readonly user: string
  readonly id: string
  readonly requestId: string
  readonly log: readonly []
  readonly changes: string
  readonly replacedBy?: string
}

/** How often, with a pause in ms, the last entry is tried. */
const tries = { most: 10, pause: 500 }
const pattern = /^restored-([0-9a-f]{12})-[0-9a-f]{8}\./
/** How long, in ms, what a dead restore left, or an instance may still be held up on, is let be. */
const dayMilliseconds = 24 * 3600 * 1000

/** A new past, beside all there are. */
export async function newHistory(database: Clock): Promise<History> {
  const made = await storeTime(database)
  const prefix = `restored-${made.getTime().toString(16).padStart(12, '0')}-${randomBytes(4).toString('hex')}`
  return { prefix, name: prefix }
}

export const inHistory = (database: Db, { prefix }: Pick<History, 'prefix'>): Collections => ({
  collection: <T extends Document = Document>(name: string, options?: CollectionOptions): Collection<T> =>
    database.collection<T>(prefix === '' ? name : `${prefix}.${name}`, options),
  command: (...asked) => database.command(...asked),
})

const marksOf = (database: Db): Collection<HistoryMark> => database.collection('marks')
const journalOf = (database: Db, history: Pick<History, 'prefix'>): Collection<LastEntry> =>
  inHistory(database, history).collection('journal')

/** The history to go on with, whatever was cut short between the end of the one before and the mark that says so. */
export async function currentHistory(database: Db): Promise<History> {
  const mark = await marksOf(database).findOne({ _id: 'history' })
  let current: History = mark ? { prefix: mark.prefix, name: mark.name } : { prefix: '', name: '' }
  for (;;) {
    const newest = await journalOf(database, current).findOne({}, { sort: { _id: -1 }, projection: { replacedBy: 1 } })
    if (!newest?.replacedBy) return current
    const next = { prefix: newest.replacedBy, name: newest.replacedBy }
    await pointTo(database, next, current)
    current = next
  }
}

/** Names the history of a database that had none. */
export async function nameHistory(database: Db): Promise<void> {
  await marksOf(database).replaceOne({ _id: 'history' }, { prefix: '', name: randomUUID() }, { upsert: true })
}

/**
 * Ends the journal of one history with the entry that says which took its place, written like every entry: under the
 * revision after the last, which only one can have. So nothing is committed there any more by anybody, and whoever
 * follows it comes to know. The content of the next must be there, whole.
 *
 * @param revision the journal's last, as far as is known
 * @returns false when another entry was first
 */
export async function takePlaceOf(
  database: Db,
  { old, next, revision }: { old: History; next: History; revision: number },
): Promise<boolean> {
  const id = randomUUID()
  const said = { time: new Date().toISOString(), user: '', id, requestId: id, log: [], changes: '[]' } as const
  const entry: LastEntry = { _id: revision + 1, ...said, replacedBy: next.prefix }
  if (!(await inserted(journalOf(database, old), entry))) return false
  // Whoever opens the database looks for the end of the journal as well, so that this may be cut short.
  await pointTo(database, next, old).catch(() => {})
  return true
}

export const otherRestore = (): StoreRefused =>
  new StoreRefused('Another restore was first. Nothing of this one was done; repeat it if it is wanted still.')

/** An insert may have been done although its answer was lost; repeating it is harmless, since its revision is its key. */
async function inserted(journal: Collection<LastEntry>, entry: LastEntry): Promise<boolean> {
  for (let attempt = 1; ; attempt++) {
    try {
      await journal.insertOne(entry)
      return true
    } catch (cause) {
      // Unknown: the insert is tried again, which says the same.
      const there = await journal.findOne({ _id: entry._id }).catch(() => null)
      if (there?.replacedBy && there.id !== entry.id) throw otherRestore()
      if (there) return there.id === entry.id
      if (attempt === tries.most) {
        const message = `The journal cannot be written: ${(cause as Error).message}`
        throw new AppendFailed(message, { cause, committed: 0, outcome: 'unknown' })
      }
      await delay(tries.pause)
    }
  }
}

async function pointTo(database: Db, next: History, old: History): Promise<void> {
  const mark = { ...next, replaced: old.prefix, since: await storeTime(database) }
  await marksOf(database).updateOne({ _id: 'history' }, { $set: mark }, { upsert: true })
}

/** Removes a history that nobody goes on with. */
export async function removeHistory(database: Db, { prefix }: Pick<History, 'prefix'>): Promise<void> {
  for (const name of await collectionsOf(database)) {
    if (pattern.test(name) && name.startsWith(`${prefix}.`)) await database.collection(name).drop()
  }
}

/**
 * Removes what restores that were cut short left a day ago, and what was replaced more than a day ago. The history that
 * was replaced last is kept.
 */
export async function sweepHistories(database: Db): Promise<void> {
  const mark = await marksOf(database).findOne({ _id: 'history' })
  if (!mark) return
  const now = await storeTime(database)
  const isOld = (time: number): boolean => now.getTime() - time > dayMilliseconds
  for (const name of await collectionsOf(database)) {
    const made = pattern.exec(name)?.[1]
    if (made === undefined || !isOld(Number.parseInt(made, 16))) continue
    if ([mark.prefix, mark.replaced].some((prefix) => prefix && name.startsWith(`${prefix}.`))) continue
    await database.collection(name).drop()
  }
  if (mark.prefix && mark.replaced && isOld(mark.since?.getTime() ?? 0)) await removeFirst(database)
}

/** The collections of a store that was never restored have the names of what is in them. */
async function removeFirst(database: Db): Promise<void> {
  const marks = database.collection<{ _id: string; kinds?: Record<string, boolean> }>('marks')
  const records = await marks.findOne({ _id: 'records' })
  const names = new Set([...Object.keys(records?.kinds ?? {}), 'journal', 'journalChunks', 'blobs', 'blobChunks'])
  for (const name of await collectionsOf(database)) if (names.has(name)) await database.collection(name).drop()
  await marks.deleteMany({ _id: { $in: ['records', 'journal'] } })
}

const collectionsOf = async (database: Db): Promise<string[]> =>
  (await database.listCollections({}, { nameOnly: true }).toArray()).map(({ name }) => name)
