import { Type } from '@sinclair/typebox'
import { badRequest, noSuch } from '../../config/errors.js'
import { LazyList } from '../../flow/jsonText.js'
import type { ReadEndpoint, RequestInput } from '../../operations/endpoint.js'
import { listQuery } from '../../operations/queryParameters.js'
import type { Data, Kind } from '../../schema/data.js'
import { asId } from '../../schema/data.js'
import type { Row } from '../../schema/defineKind.js'
import type { Caller, Reach, Role } from '../../schema/privileges.js'
import { mustReachTenant, reachesTenant } from '../../schema/privileges.js'
import type { Filters } from './filters.js'
import { filterQuery, narrowed } from './filters.js'
import { sortAndPage, unseenIn } from './lists.js'
import { present } from './present.js'
import type { Of, Resource } from './resource.js'
import { rowSchema } from './rowSchema.js'

/**
 * The routes by which most kinds are listed and read; those that write are in `routes.ts`. Each returns a function of the resource, so a declaration reads as a list of
 * sentences and cannot forget who may call what.
 */
export type Bound<E, K extends string = string> = (resource: Of<K>) => E

export interface Common {
  readonly role: Role
  /** By default that of the kind: tenants' when its records have one, shared otherwise. */
  readonly reach?: Reach
  readonly summary?: string
}

interface Listing extends Common {
  readonly filters?: Filters
  /** The field a list is sorted by when nothing else is asked; default the key. */
  readonly order?: string
  /** A natural order that one field cannot say. */
  readonly sort?: (rows: readonly Row[], data: Data) => readonly Row[]
  /** Which rows the caller may see, where the kind's tenant does not say. */
  readonly seen?: (row: Row, data: Data, user: Caller) => boolean
  /** Fields that some callers see masked in some records, beside the resource's secrets. */
  readonly unseen?: readonly string[]
}

export function list(path: string, options: Listing): Bound<ReadEndpoint> {
  return (resource) => ({
    method: 'GET',
    path,
    role: options.role,
    reach: reachOf(resource, options),
    summary: options.summary ?? `List ${resource.kind}`,
    query: { ...listQuery, ...filterQuery(resource, filtersOf(resource, options)) },
    response: Type.Array(rowSchema(resource)),
    read: (input, data) => ({ response: listRows(resource, input, data, options) }),
  })
}

/** The names alone, where a list is large and only picked from. */
export function trimmed(path: string, options: Common): Bound<ReadEndpoint> {
  return (resource) => ({
    method: 'GET',
    path,
    role: options.role,
    reach: reachOf(resource, options),
    summary: options.summary ?? `Names of ${resource.kind}`,
    query: listQuery,
    response: Type.Array(Type.Object({ name: Type.String() })),
    read: ({ query }, data) => {
      const rows = data.all(resource.kind as Kind) as readonly Row[]
      return { response: sortAndPage(rows, query, 'name').map(({ name }) => ({ name })) }
    },
  })
}

/** Every list can be asked for one record, by its id or key. */
const filtersOf = ({ key }: Resource, { filters }: Pick<Listing, 'filters'>): Filters => ({
  id: 'id',
  ...(key ? { [key]: key } : {}),
  ...filters,
})

/** The rows a list route shows: filtered, within the caller's tenants, in order. */
export function listRows(
  resource: Resource,
  input: RequestInput,
  data: Data,
  options: Omit<Listing, 'role'>,
): LazyList<Row> {
  const { user, version, query } = input
  let rows = data.all(resource.kind as Kind) as readonly Row[]
  for (const [name, filter] of Object.entries(filtersOf(resource, options))) {
    const value = query[name]
    if (value === undefined || value === '') continue
    rows = narrowed(filter, rows, value, data, user)
  }
  const { tenant } = resource
  if (tenant) {
    const reached = new Map<number | null, boolean>()
    rows = rows.filter((row) => {
      const id = tenant(row, data)
      if (!reached.has(id)) reached.set(id, reachesTenant(data, user, id))
      return reached.get(id)
    })
  }
  if (options.seen) rows = rows.filter((row) => options.seen!(row, data, user))
  const natural = options.sort && query.orderby === undefined ? options.sort(rows, data) : null
  const order = natural ? null : (options.order ?? resource.key ?? 'id')
  const sorted = sortAndPage(natural ?? rows, query, order, [...unseenIn(version, resource), ...(options.unseen ?? [])])
  const context = { data, version, user }
  return new LazyList(sorted, (row) => present(resource, row, context))
}

export interface Single extends Common {
  /** The field the path's parameter holds; default the id. */
  readonly by?: string
  /** The path's parameter; default `id`. */
  readonly param?: string
}

export function read(path: string, options: Single): Bound<ReadEndpoint> {
  return (resource) => ({
    method: 'GET',
    path,
    role: options.role,
    reach: reachOf(resource, options),
    summary: options.summary ?? `Read one of ${resource.kind}`,
    response: Type.Array(rowSchema(resource)),
    read: (input, data) => {
      const row = findRow(resource, input, data, options)
      return { response: [present(resource, row, { data, version: input.version, user: input.user, single: true })] }
    },
  })
}

export const reachOf = ({ tenant }: Resource, { reach }: Common): Reach => reach ?? (tenant ? 'tenants' : 'shared')

/** The record a path (or, without a parameter in the path, the query's `id`) names; within the caller's tenants. */
export function findRow(
  resource: Resource,
  input: RequestInput,
  data: Data,
  { by = 'id', param = 'id' }: Partial<Single> = {},
): Row {
  const value = input.params[param] ?? input.query[param]
  if (value === undefined) throw badRequest(`The query parameter '${param}' is required.`)
  const id = by === 'id' ? asId(value) : data.ids(resource.kind as Kind, by, value)[0]
  const row = id === null || id === undefined ? undefined : data.get(resource.kind as Kind, id)
  if (!row) throw noSuch(resource.label, value)
  if (resource.tenant) mustReachTenant(data, input.user, resource.tenant(row as Row, data))
  return row as Row
}
