import { badRequest, quoted } from '../config/errors.js'
import { parseMoment } from '../config/times.js'
import { textQuery } from './queryParameters.js'

/** A span of time, for what is read of the journal. */
export const timesQuery = {
  from: textQuery('Only what was written at this time or later: ISO 8601, or YYYY-MM-DD HH:MM:SS in UTC.'),
  until: textQuery('Only what was written before this time.'),
} as const

/** @returns ISO 8601 in ms, UTC, as entries have it */
export function timesIn(query: Readonly<Record<string, string>>): { from?: string; until?: string } {
  const times: { from?: string; until?: string } = {}
  for (const name of ['from', 'until'] as const) {
    const given = query[name]
    if (given === undefined || given === '') continue
    // An unescaped plus arrives as a space.
    const time = parseMoment(given.replace(/ (\d\d)$/, '+$1'))
    if (time === null) throw badRequest(`'${name}' must be a time such as 2026-03-01 12:00:00, not '${quoted(given)}'.`)
    times[name] = time
  }
  return times
}
