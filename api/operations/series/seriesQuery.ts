import type { Fault } from '../../config/errors.js'
import { quoted } from '../../config/errors.js'
import { parseMoment } from '../../config/times.js'

/** Which stretch of a series is asked for, and in which pieces. Times are milliseconds since the epoch. */
export interface SeriesQuery {
  readonly start: number
  readonly end: number
  /** Length of a piece in ms. Pieces begin at whole multiples of it. */
  readonly interval: number
  /** Of the pieces, as many after as many. */
  readonly limit: number | null
  readonly offset: number
  readonly wantsSummary: boolean
  readonly wantsSeries: boolean
}

/** Two weeks of minutes: what can be read and written without holding others up, and more than a page can draw. */
export const mostPieces = 20_000

type Given = Readonly<Record<string, string>>

/**
 * Reads the query parameters that all series have: what is asked, or all that is wrong with it.
 *
 * @param now milliseconds since the epoch: what `now` stands for
 */
export function readSeriesQuery(
  given: Given,
  now: number,
): { readonly query: SeriesQuery | null; readonly faults: readonly Fault[] } {
  const faults: Fault[] = []
  const refuse = (path: string, text: string): number => {
    faults.push({ path, text: `${path} ${text}` })
    return Number.NaN
  }
  const start = time('startDate', given, now, refuse)
  const end = time('endDate', given, now, refuse)
  const interval = given.interval ? duration(given.interval, refuse) : 60_000
  const limit = given.limit ? count('limit', given.limit, refuse) : null
  const offset = given.offset ? count('offset', given.offset, refuse) : 0
  const { exclude = '' } = given
  if (!['', 'series', 'summary'].includes(exclude)) refuse('exclude', `must be series or summary${not(exclude)}`)
  if (given.orderby && given.orderby !== 'time') refuse('orderby', `must be time${not(given.orderby)}`)
  if (end <= start) refuse('endDate', 'must be later than startDate')
  if ((end - start) / interval > mostPieces)
    refuse('interval', `must be longer: there are at most ${mostPieces} values`)
  if (faults.length > 0) return { query: null, faults }
  const [wantsSummary, wantsSeries] = [exclude !== 'summary', exclude !== 'series']
  return { query: { start, end, interval, limit, offset, wantsSummary, wantsSeries }, faults }
}

type Refuse = (path: string, text: string) => number

const not = (text: string): string => `, not '${quoted(text)}'`

function time(name: string, given: Given, now: number, refuse: Refuse): number {
  const text = given[name]
  if (!text) return refuse(name, 'is required')
  if (text === 'now') return now
  const at = /^\d{1,19}$/.test(text) ? sinceEpoch(text) : Date.parse(moment(text) ?? '')
  return Number.isFinite(at) && at >= 0 && at < 1e14
    ? at
    : refuse(name, `must be a time like 2026-01-31T12:00:00Z${not(text)}`)
}

/** The field's clients write nanoseconds, others seconds or something between: at no date of a CDN is one another. */
const sinceEpoch = (digits: string): number => {
  const power = digits.length <= 11 ? 3 : digits.length <= 14 ? 0 : digits.length <= 17 ? -3 : -6
  return Math.floor(Number(digits) * 10 ** power)
}

/** A `+` that a client did not escape arrives as a blank. Fractions are of any length. */
function moment(text: string): string | null {
  const day = /^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text} 00:00:00` : text
  return parseMoment(day.replace(/(\.\d{1,6})\d*/, '$1').replace(/ (\d{2}(:?\d{2})?)$/, '+$1'))
}

const units = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const

function duration(text: string, refuse: Refuse): number {
  const [, digits, unit] = /^(\d{1,6})([smhdw])$/.exec(text) ?? []
  const milliseconds = Number(digits ?? 0) * units[(unit ?? 's') as keyof typeof units]
  return milliseconds > 0 ? milliseconds : refuse('interval', `must be like 60s, 1m, 1h, 1d or 1w${not(text)}`)
}

const count = (name: string, text: string, refuse: Refuse): number =>
  /^\d{1,9}$/.test(text) ? Number(text) : refuse(name, `must be a whole number${not(text)}`)
