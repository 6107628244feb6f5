import type { Entry, LoadedRecord, StoredRecord } from '../store.js'
import type { Put, StoredHead, Tables } from '../tables.js'
import { levelWord, userWord } from '../tables.js'

/** Rows of the embedded store: what an entry and a record are there. */

/** An entry but for its head: its changes, and what finds its log lines. */
export function entryPuts(tables: Tables, entry: Entry): Put[] {
  return [[tables.changes, entry.revision, JSON.stringify(entry.changes)], ...logPuts(tables, entry)]
}

/** What finds the log lines of an entry. */
export function logPuts(tables: Tables, { revision, user, log }: Entry): Put[] {
  return Array.from(logWords(user, log), (word): Put => [tables.logIndex, [word, revision], ''])
}

/**
 * @param clock the largest time of any entry up to this one
 * @param chunks of a large entry: how many its changes are in
 */
export function headPut(
  tables: Tables,
  { revision, time, user, id, requestId, log }: Entry,
  clock: string,
  chunks?: number,
): Put {
  const stored: StoredHead = { time, user, id, requestId, log, clock, ...(chunks === undefined ? {} : { chunks }) }
  return [tables.heads, revision, JSON.stringify(stored)]
}

/** @param record `null` when it was deleted */
export function recordPut(
  tables: Tables,
  { kind, id, revision, record }: { kind: string; id: number; revision: number; record: StoredRecord | null },
): Put {
  const stored: LoadedRecord | null = record && { kind, revision, record }
  return [tables.records, [kind, id], stored && JSON.stringify(stored)]
}

/** Takes the entries after `base`, up to `last`, out of the journal and the log. */
export function removals(tables: Tables, base: number, last: number): Put[] {
  const puts: Put[] = []
  for (let revision = base + 1; revision <= last; revision++) {
    const { user, log, chunks = 0 } = tables.headOf(revision)
    for (const word of logWords(user, log)) puts.push([tables.logIndex, [word, revision], null])
    for (let number = 0; number < chunks; number++) puts.push([tables.chunks, [revision, number], null])
    puts.push([tables.changes, revision, null], [tables.heads, revision, null])
  }
  return puts
}

const logWords = (user: string, log: Entry['log']): ReadonlySet<string> =>
  new Set(log.flatMap((line) => [userWord(user), levelWord(line.level)]))
