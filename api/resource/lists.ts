import { badRequest } from '../errors.js'
import type { Resource, Row } from './define.js'

/** Query parameters every list takes; without them the whole list comes in its natural order. */
export const listQuery = {
  orderby: 'the field to sort by; unknown fields are ignored',
  sortOrder: 'asc or desc',
  limit: 'at most so many records',
  offset: 'leave out so many records first',
  page: 'the page of `limit` records, from 1',
} as const

export function arrange<R extends object>(
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
  const sorted = [...rows]
  if (by !== null) {
    sorted.sort((a, b) => sign * (compare(field(a, by), field(b, by)) || compare(field(a, 'id'), field(b, 'id'))))
  }
  const limit = count(query, 'limit')
  const offset = count(query, 'offset') ?? ((count(query, 'page') ?? 1) - 1) * (limit ?? 0)
  return limit === undefined && offset === 0
    ? sorted
    : sorted.slice(Math.max(0, offset), limit === undefined ? undefined : offset + limit)
}

export const secretsOf = ({ fields }: Pick<Resource, 'fields'>): string[] =>
  Object.entries(fields).flatMap(([name, { notes }]) => (notes.secret || notes.hidden ? [name] : []))

const field = (row: object, name: string): unknown => (row as Row)[name]

/** Text by code point, numbers by value, absent values last. */
function compare(a: unknown, b: unknown): number {
  if (a === b) return 0
  if (a === null || a === undefined) return 1
  if (b === null || b === undefined) return -1
  if (typeof a === 'number' && typeof b === 'number') return a - b
  return String(a) < String(b) ? -1 : String(a) > String(b) ? 1 : 0
}

function count(query: Readonly<Record<string, string>>, name: string): number | undefined {
  const value = query[name]
  if (value === undefined || value === '') return undefined
  if (!/^\d{1,9}$/.test(value)) throw badRequest(`The query parameter '${name}' must be a whole number.`)
  return Number(value)
}
