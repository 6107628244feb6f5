import type { Entry, LoggedLine, Store } from './store.js'

/** Lines of one entry get the ids `revision * 1000 + position`; so there can be no more of them. */
export const linesPerEntry = 1000

/** Limit on an entry's log as JSON, in characters, so that it always fits one document. */
const logSize = 2_000_000

const isoTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
const plainId = /^[\x20-\x7e]{1,200}$/

/**
 * Refuses entries that not every store could hold: revisions that do not follow each other, times that do not
 * sort as text, ids that are none, too long a log. These are mistakes of the caller, not states of the store, hence RangeError.
 */
export function checkEntries(entries: readonly Entry[]): void {
  if (new Set(entries.map(({ id }) => id)).size < entries.length) throw new RangeError('Two entries have one id')
  entries.forEach((entry, position) => {
    const expected = (entries[0] as Entry).revision + position
    if (!Number.isSafeInteger(entry.revision) || entry.revision < 1) {
      throw new RangeError(`${entry.revision} is not a revision`)
    }
    if (entry.revision !== expected) {
      throw new RangeError(`entry ${entry.revision} does not follow entry ${expected - 1}`)
    }
    if (!isoTime.test(entry.time)) throw new RangeError(`${entry.time} is not an ISO time in ms, UTC`)
    if (!plainId.test(entry.id)) throw new RangeError("An entry's id is 1 to 200 printable ASCII characters")
    if (!plainId.test(entry.requestId)) throw new RangeError('A request id is 1 to 200 printable ASCII characters')
    if (entry.log.length > linesPerEntry) {
      throw new RangeError(`entry ${entry.revision} has ${entry.log.length} log lines, more than ${linesPerEntry}`)
    }
    if (entry.log.length > 0 && JSON.stringify(entry.log).length > logSize) {
      throw new RangeError(`the log of entry ${entry.revision} is larger than ${logSize} characters`)
    }
  })
}

export type LogQuery = Parameters<Store['log']>[0]

/** The part of an entry that a log query reads. */
export type LogHead = Pick<Entry, 'revision' | 'time' | 'user' | 'log'>

/** The lines of one entry that a query asks for, newest first. */
export function linesOf(head: LogHead, query: LogQuery): LoggedLine[] {
  const { revision, time, user, log } = head
  if (query.since !== undefined && time < query.since) return []
  if (query.user !== undefined && user !== query.user) return []
  return log
    .map((line, position) => ({ ...line, id: revision * linesPerEntry + position, revision, time, user }))
    .filter((line) => query.level === undefined || line.level === query.level)
    .filter((line) => query.before === undefined || line.id < query.before)
    .reverse()
}

/** The newest revision that can hold a line with an id smaller than `before`. */
export function newestBefore(before: number | undefined): number {
  return before === undefined ? Number.MAX_SAFE_INTEGER : Math.floor((before - 1) / linesPerEntry)
}

/** `since` in the form entry times have, so that the two compare as strings. */
export function normalised(query: LogQuery): LogQuery {
  return query.since === undefined ? query : { ...query, since: new Date(query.since).toISOString() }
}
