import { isLong, turn } from '../../flow/turns.js'
import type { Captured } from '../contents.js'
import type { LogQuery } from '../entries.js'
import { linesOf, linesPerEntry } from '../entries.js'
import type { EntryHead, LoadedRecord, LoggedLine } from '../store.js'
import { JournalTrimmed } from '../store.js'
import type { StoredHead, Tables } from '../tables.js'

/** What is read of the embedded store, in slices: however much it is, the event loop has its turns in between. */

export async function headsAfter(tables: Tables, revision: number, limit: number): Promise<EntryHead[]> {
  const base = tables.base()
  if (revision < base) throw new JournalTrimmed(base)
  const heads: EntryHead[] = []
  for (let start = revision + 1; ; await turn()) {
    const slice = heads.length
    for (const { key, text } of tables.texts(tables.heads, { start, limit: limit - slice })) {
      const { time, user, requestId, id = requestId, log } = JSON.parse(text) as StoredHead
      heads.push({ revision: key, time, user, id, requestId, log })
      start = key + 1
      if (isLong()) break
    }
    if (heads.length === slice || heads.length === limit || !isLong()) return heads
  }
}

/** A filter may look through much and find little: after each slice it goes on below the last revision looked at. */
export async function logLines(tables: Tables, query: LogQuery): Promise<LoggedLine[]> {
  const lines: LoggedLine[] = []
  for (let left: LogQuery | null = query; left; await turn()) {
    const looking: LogQuery = left
    left = null
    for (const revision of tables.revisionsFor(looking)) {
      lines.push(...linesOf({ revision, ...tables.headOf(revision) }, query))
      if (lines.length >= query.limit) return lines.slice(0, query.limit)
      if (!isLong()) continue
      left = { ...query, before: revision * linesPerEntry }
      break
    }
    if (!left) return lines
  }
  return lines
}

/** LMDB keeps what a read transaction sees until it is done. */
export function capture(tables: Tables): Captured {
  const reading = tables.read()
  const revision = tables.newest(reading)
  const lastIds: Record<string, number> = {}
  for (const { key, text } of tables.texts(tables.lastIds, { transaction: reading })) lastIds[key] = Number(text)
  return {
    revision,
    lastIds,
    records: {
      async *[Symbol.asyncIterator]() {
        for (const { text } of tables.texts(tables.records, { transaction: reading })) {
          yield JSON.parse(text) as LoadedRecord
          if (isLong()) await turn()
        }
      },
    },
    release: () => reading.done(),
  }
}
