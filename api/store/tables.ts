import { existsSync, renameSync, rmSync } from 'node:fs'
import { type Database, open, type RangeOptions, type RootDatabase, type Transaction } from 'lmdb'
import type { Planned, Used } from './diskSpace.js'
import { createHeadroom, makeLockWhole, mustHaveRoom } from './diskSpace.js'
import type { LogHead, LogQuery } from './entries.js'
import { newestBefore } from './entries.js'
import { checkLmdbFile } from './lmdb/lmdbFile.js'
import { bytesWithoutSum, bytesWithSum, StoreDamaged, withoutSum, withSum } from './rowCheck.js'
import { StoreBroken } from './store.js'

type Key = string | number | [string | number, number]
export type Put = readonly [table: Database, key: Key, value: string | Uint8Array | null]

/** The head of an entry: all but its changes, which can be megabytes and which no log query reads. */
export interface StoredHead extends Omit<LogHead, 'revision'> {
  /** Absent in journals from before entries had one: there the request id is it. */
  readonly id?: string
  readonly requestId: string
  /** The largest time of any entry up to here: it rises with the revisions even where a clock was set back. */
  readonly clock: string
  /** Of a large entry: how many chunks its changes are in. */
  readonly chunks?: number
}

/**
 * Makes a store with nothing in it, beside its place first: LMDB needs some writes for that, and half of them would be
 * a damaged store, which no later start may take for a new one.
 */
export async function makeStore(file: string): Promise<void> {
  checkLmdbFile(file)
  const made = `${file}.new`
  const remove = (): void => {
    for (const name of [made, `${made}-lock`]) rmSync(name, { force: true })
  }
  remove()
  try {
    await openTables(made).close()
    renameSync(made, file)
  } finally {
    remove()
  }
}

/** The LMDB tables of the embedded store. Values are JSON, but for the bytes of blobs. */
export class Tables {
  readonly heads: Database<string, number>
  readonly changes: Database<string, number>
  /** The changes of large entries, in pieces: arrays of them as JSON. */
  readonly chunks: Database<string, [number, number]>
  readonly marks: Database<string, string>
  readonly records: Database<string, [string, number]>
  readonly lastIds: Database<string, string>
  readonly logIndex: Database<string, [string, number]>
  readonly blobs: Database<Buffer, string>
  readonly probe: Database<string, string>
  readonly #root: RootDatabase
  readonly #headroom: ReturnType<typeof createHeadroom>
  #broken: StoreBroken | null = null
  /** The tables whose rows have checksums. */
  readonly #summed: ReadonlyMap<Database, string>

  constructor(root: RootDatabase, headroom: ReturnType<typeof createHeadroom>) {
    const table = <K extends Key>(name: string): Database<string, K> => root.openDB(name, { encoding: 'string' })
    this.#root = root
    this.#headroom = headroom
    this.heads = table('heads')
    this.logIndex = table('logIndex')
    this.changes = table('changes')
    this.records = table('records')
    this.lastIds = table('lastIds')
    this.chunks = table('chunks')
    this.marks = table('marks')
    this.blobs = root.openDB('blobs', { encoding: 'binary' }) as Database<Buffer, string>
    this.probe = table('probe')
    const { heads, changes, records, lastIds, chunks, marks } = this
    const summed = { heads, changes, records, lastIds, chunks, marks }
    this.#summed = new Map(Object.entries(summed).map(([name, one]) => [one as Database, name]))
  }

  /** The changes of an entry as JSON; `undefined` when it is a large one, whose changes are in chunks. */
  changesText(revision: number): string | undefined {
    const text = read('changes', this.changes, revision)
    return text === undefined && this.headOf(revision).chunks === undefined ? missing('changes', revision) : text
  }

  chunkText(revision: number, number: number): string {
    return read('chunks', this.chunks, [revision, number]) ?? missing('chunks', [revision, number])
  }

  mark(name: string): string | undefined {
    return read('marks', this.marks, name)
  }

  hasEntry(revision: number): boolean {
    return this.heads.doesExist(revision)
  }

  /** The text of rows of a table, as it was written. */
  *texts<K extends Key>(of: Database<string, K>, range: RangeOptions = {}): Iterable<{ key: K; text: string }> {
    const name = this.#summed.get(of as Database) as string
    for (const { key, value } of of.getRange(range)) yield { key, text: withoutSum(name, key, value) }
  }

  /** Throws StoreDamaged when the journal is not the whole of its revisions. */
  checkChain(): void {
    const expected = this.newest() - this.base()
    if (rowCount(this.heads) !== expected || rowCount(this.changes) > expected)
      throw new StoreDamaged(`the journal has ${rowCount(this.heads)} entries of ${expected}`)
  }

  /** Why nothing is written any more; `null` as long as the file does what it is told. */
  get broken(): StoreBroken | null {
    return this.#broken
  }

  /** What is read with it stays as it is now until `done()`. */
  read(): Transaction {
    return this.#root.useReadTransaction()
  }

  newest(transaction?: Transaction): number {
    for (const revision of this.heads.getKeys({ reverse: true, limit: 1, ...(transaction && { transaction }) }))
      return revisionOf(revision)
    return 0
  }

  /** The revision before the oldest entry. */
  base(): number {
    for (const revision of this.heads.getKeys({ limit: 1 })) return revisionOf(revision) - 1
    return 0
  }

  headOf(revision: number): StoredHead {
    return JSON.parse(read('heads', this.heads, revision) ?? missing('heads', revision)) as StoredHead
  }

  /** The first revision whose clock is not before `since`. The revisions go from `base() + 1` to `newest()`. */
  firstSince(since: string): number {
    let low = this.base() + 1
    let high = this.newest() + 1
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.headOf(middle).clock < since) low = middle + 1
      else high = middle
    }
    return low
  }

  /** Revisions that can hold lines for the query, newest first, from the narrowest index. */
  *revisionsFor({ since, before, user, level }: LogQuery): Iterable<number> {
    const newestOne = Math.min(newestBefore(before), this.newest())
    const oldest = since === undefined ? 1 : this.firstSince(since)
    if (newestOne < oldest) return
    const backwards = { reverse: true, inclusiveEnd: true, snapshot: false } as const
    if (user === undefined && level === undefined) {
      yield* this.heads.getKeys({ start: newestOne, end: oldest, ...backwards })
      return
    }
    const word = user === undefined ? levelWord(String(level)) : userWord(user)
    const keys = this.logIndex.getKeys({ start: [word, newestOne], end: [word, oldest], ...backwards })
    for (const [, revision] of keys) yield revision
  }

  /**
   * Writes all of `puts` or nothing; durable on return. A null value removes. Throws when there is no room for
   * them, or for a transaction of the size `atLeast`; StoreBroken where nobody knows what of them is on the disk.
   */
  write(puts: readonly Put[], atLeast: Planned = { puts: 0, bytes: 0 }): void {
    if (this.#broken) throw this.#broken
    const bytes = puts.reduce((sum, [, , value]) => sum + (value === null ? 0 : Buffer.byteLength(value) + 16), 0)
    this.#headroom.reserve({ puts: Math.max(puts.length, atLeast.puts), bytes: Math.max(bytes, atLeast.bytes) })
    try {
      // The callback returns nothing: what it returned could be a promise, and would hold the transaction open.
      this.#root.transactionSync(() => {
        for (const [to, key, value] of puts) {
          if (value === null) to.removeSync(key)
          else to.putSync(key, this.#stored(to, key, value))
        }
      })
    } catch (cause) {
      if (!isBreak(cause)) throw cause
      this.#broken = new StoreBroken(`The file of the store failed while it was written: ${cause.message}`, { cause })
      throw this.#broken
    }
  }

  blob(key: string): Uint8Array | null {
    const found = this.blobs.get(key)
    return found === undefined ? null : bytesWithoutSum(key, found)
  }

  /** Makes room for a large transaction to come, in steps. Throws when there is none. */
  makeRoom(planned: Planned): Iterable<void> {
    return this.#headroom.reserveInSteps(planned)
  }

  async close(): Promise<void> {
    await this.#root.close()
    this.#headroom.close()
  }

  #stored(to: Database, key: Key, value: string | Uint8Array): string | Uint8Array {
    const name = this.#summed.get(to)
    if (typeof value === 'string') return name === undefined ? value : withSum(name, key, value)
    return bytesWithSum(key, value)
  }
}

export function openTables(file: string): Tables {
  checkLmdbFile(file)
  if (!existsSync(file)) mustHaveRoom(file)
  makeLockWhole(`${file}-lock`)
  const root = open({ path: file, noSubdir: true, overlappingSync: false, maxDbs: 16, encoding: 'string' })
  return new Tables(
    root,
    createHeadroom(file, () => root.getStats() as Used),
  )
}

/** What LMDB says of itself: its environment is of no more use, its pages are not what they should be. */
const broken: ReadonlySet<number> = new Set([-30797, -30796, -30795, -30779])

/**
 * Whether a transaction failed for what LMDB, or the system beneath it, could not do with the file, for which it has
 * numbers. Room was made before, so the disk itself fails, or gives no room for what is written anew. LMDB takes no
 * more transactions once it could not write which one is the last; and its message for a page that could not be written
 * is longer than the memory it takes for it, so that the memory of the whole process is not to be trusted any more.
 */
function isBreak(error: unknown): error is Error {
  const code = error instanceof Error && 'code' in error ? error.code : null
  return typeof code === 'number' && (code > 0 || broken.has(code))
}

/** How many rows a table has. */
const rowCount = (of: Database): number => (of.getStats() as { entryCount: number }).entryCount

function read<K extends Key>(name: string, from: Database<string, K>, key: K): string | undefined {
  const stored = from.get(key)
  return stored === undefined ? undefined : withoutSum(name, key, stored)
}

/** The journal's first and last keys are taken at their word; a damaged one can be of any sort. */
function revisionOf(key: unknown): number {
  if (Number.isSafeInteger(key)) return key as number
  throw new StoreDamaged('a revision of the journal is damaged')
}

function missing(name: string, key: Key): never {
  throw new StoreDamaged(`row ${JSON.stringify(key)} of ${name} is missing`)
}

/**
 * What the log index finds entries by. LMDB keys are short: a long name shares its word with others, and the
 * lines themselves are compared after.
 */
export function userWord(user: string): string {
  return `user ${JSON.stringify(user).slice(0, 300)}`
}

export function levelWord(level: string): string {
  return `level ${level}`
}
