import { type Database, open, type Transaction } from 'lmdb'
import type { LogHead, LogQuery } from './entries.js'
import { newestBefore } from './entries.js'
import { createHeadroom, type Planned, type Used } from './headroom.js'
import { checkLmdbFile } from './lmdbFile.js'

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

export type Tables = ReturnType<typeof openTables>

/** The LMDB tables of the embedded store. Values are JSON, but for the bytes of blobs. */
export function openTables(file: string) {
  checkLmdbFile(file)
  const root = open({ path: file, noSubdir: true, overlappingSync: false, maxDbs: 16, encoding: 'string' })
  const table = <K extends Key>(name: string): Database<string, K> => root.openDB(name, { encoding: 'string' })
  const headroom = createHeadroom(file, () => root.getStats() as Used)
  const heads = table<number>('heads')
  const logIndex = table<[string, number]>('logIndex')

  function newest(transaction?: Transaction): number {
    for (const revision of heads.getKeys({ reverse: true, limit: 1, ...(transaction && { transaction }) }))
      return revision
    return 0
  }

  /** The revision before the oldest entry. */
  function base(): number {
    for (const revision of heads.getKeys({ limit: 1 })) return revision - 1
    return 0
  }

  const headOf = (revision: number) => JSON.parse(heads.get(revision) as string) as StoredHead

  /** The first revision whose clock is not before `since`. The revisions go from `base() + 1` to `newest()`. */
  function firstSince(since: string): number {
    let low = base() + 1
    let high = newest() + 1
    while (low < high) {
      const middle = (low + high) >>> 1
      if (headOf(middle).clock < since) low = middle + 1
      else high = middle
    }
    return low
  }

  return {
    heads,
    changes: table<number>('changes'),
    /** The changes of large entries, in pieces: arrays of them as JSON. */
    chunks: table<[number, number]>('chunks'),
    marks: table<string>('marks'),
    records: table<[string, number]>('records'),
    lastIds: table<string>('lastIds'),
    logIndex,
    blobs: root.openDB('blobs', { encoding: 'binary' }) as Database<Buffer, string>,
    probe: table<string>('probe'),
    newest,
    /** What is read with it stays as it is now until `done()`. */
    read: (): Transaction => root.useReadTransaction(),
    base,
    headOf,
    firstSince,

    /** Revisions that can hold lines for the query, newest first, from the narrowest index. */
    *revisionsFor({ since, before, user, level }: LogQuery): Iterable<number> {
      const newestOne = Math.min(newestBefore(before), newest())
      const oldest = since === undefined ? 1 : firstSince(since)
      if (newestOne < oldest) return
      const backwards = { reverse: true, inclusiveEnd: true, snapshot: false } as const
      if (user === undefined && level === undefined) {
        yield* heads.getKeys({ start: newestOne, end: oldest, ...backwards })
        return
      }
      const word = user === undefined ? levelWord(String(level)) : userWord(user)
      const keys = logIndex.getKeys({ start: [word, newestOne], end: [word, oldest], ...backwards })
      for (const [, revision] of keys) yield revision
    },

    /**
     * Writes all of `puts` or nothing; durable on return. A null value removes. Throws when there is no room for
     * them, or for a transaction of the size `atLeast`.
     */
    write(puts: readonly Put[], atLeast: Planned = { puts: 0, bytes: 0 }): void {
      const bytes = puts.reduce((sum, [, , value]) => sum + (value === null ? 0 : Buffer.byteLength(value)), 0)
      headroom.reserve({ puts: Math.max(puts.length, atLeast.puts), bytes: Math.max(bytes, atLeast.bytes) })
      // The callback returns nothing: what it returned could be a promise, and would hold the transaction open.
      root.transactionSync(() => {
        for (const [to, key, value] of puts) {
          if (value === null) to.removeSync(key)
          else to.putSync(key, value)
        }
      })
    },

    async close(): Promise<void> {
      await root.close()
      headroom.close()
    },
  }
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
