import type { Version } from '../../config/apiVersions.js'
import { isIn } from '../../config/apiVersions.js'
import { badRequest } from '../../config/errors.js'
import type { Row } from '../../schema/defineKind.js'
import type { Resource } from './resource.js'

export function sortAndPage<R extends object>(
  rows: readonly R[],
  query: Readonly<Record<string, string>>,
  /** The field to sort by when none is asked; `null`: the rows are in order. */
  natural: string | null,
  /** Fields that not everybody sees: an order by them would tell what is in them. */
  unseen: readonly string[] = [],
): R[] {
  const { orderby = '' } = query
  const by = rows[0] && Object.hasOwn(rows[0], orderby) && !unseen.includes(orderby) ? orderby : natural
  const sign = query.sortOrder === 'desc' ? -1 : 1
  const numbered = by === null ? null : sortedByNumber(rows, by, sign)
  const sorted = numbered ?? [...rows]
  if (by !== null && !numbered) {
    sorted.sort((a, b) => sign * (compare(field(a, by), field(b, by)) || compare(field(a, 'id'), field(b, 'id'))))
  }
  const { from, to } = pageOf(query)
  return from === 0 && to === undefined ? sorted : sorted.slice(Math.max(0, from), to)
}

/** Which places of a list are asked for: from one until before another. */
export function pageOf(query: Readonly<Record<string, string>>): { from: number; to: number | undefined } {
  const limit = count(query, 'limit')
  const from = count(query, 'offset') ?? ((count(query, 'page') ?? 1) - 1) * (limit ?? 0)
  return { from, to: limit === undefined ? undefined : from + limit }
}

/** The fields that a version does not show to everybody. */
export const unseenIn = (version: Version, { fields }: Pick<Resource, 'fields'>): string[] =>
  Object.entries(fields).flatMap(([name, { notes }]) =>
    notes.secret || notes.hidden || !isIn(version, notes.since) ? [name] : [],
  )

const field = (row: object, name: string): unknown => (row as Row)[name]

/**
 * The same order for very many rows that are sorted by a number: without a comparison in JavaScript, which is most of
 * the work. `null` where that cannot be done.
 */
function sortedByNumber<R extends object>(rows: readonly R[], by: string, sign: number): R[] | null {
  const [first] = rows
  if (!first || rows.length < 1000 || rows.length > places || (by !== 'id' && 'id' in first)) return null
  const keys = new Float64Array(rows.length)
  for (const [at, row] of rows.entries()) {
    const value = field(row, by)
    if (typeof value !== 'number' || !Number.isInteger(value) || value < 0 || value > largest) return null
    keys[at] = (sign > 0 ? value : largest - value) * places + at
  }
  return Array.from(keys.sort(), (key) => rows[key % places]!)
}

/** A number and a place among the rows share the 53 bits that are exact. */
const places = 2 ** 22
const largest = 2 ** 31 - 1

/** Text by code point, numbers by value, absent values last. */
function compare(a: unknown, b: unknown): number {
  if (a === b) return 0
  if (a === null || a === undefined) return 1
  if (b === null || b === undefined) return -1
  if (typeof a === 'number' && typeof b === 'number') return a - b
  if (typeof a === 'string' && typeof b === 'string') return a < b ? -1 : 1
  return String(a) < String(b) ? -1 : String(a) > String(b) ? 1 : 0
}

function count(query: Readonly<Record<string, string>>, name: string): number | undefined {
  const value = query[name]
  if (value === undefined || value === '') return undefined
  if (!/^\d{1,9}$/.test(value)) throw badRequest(`The query parameter '${name}' must be a whole number.`)
  return Number(value)
}
