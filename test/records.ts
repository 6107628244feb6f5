import { references } from './references.js'

type Document = Readonly<Record<string, readonly object[]>>
export type PlainRecord = { readonly id: number } & Readonly<Record<string, unknown>>

/**
 * The records that import documents stand for, for tests and benches that skip the API: the documents taken
 * together, ids given in order from 1 per collection, names replaced by ids. Throws on a name that is nobody's.
 */
export function recordsOf(...documents: readonly Document[]): Record<string, PlainRecord[]> {
  const collections = new Set(documents.flatMap((document) => Object.keys(document)))
  const named = new Map([...collections].map((kind) => [kind, documents.flatMap((document) => document[kind] ?? [])]))
  const idOf = lookUp(named)
  return Object.fromEntries(
    [...named].map(([kind, records]) => [kind, records.map((record, index) => withIds(kind, record, index + 1, idOf))]),
  )
}

type IdOf = (collection: string, key: string, value: unknown) => number

function lookUp(named: ReadonlyMap<string, readonly object[]>): IdOf {
  const tables = new Map<string, Map<unknown, number>>()
  return (collection, key, value) => {
    const name = `${collection}/${key}`
    const table = tables.get(name) ?? tableOf(named.get(collection) ?? [], key)
    tables.set(name, table)
    const id = table.get(value)
    if (id === undefined) throw new Error(`no record of ${collection} has the ${key} ${value}`)
    return id
  }
}

const tableOf = (records: readonly object[], key: string) =>
  new Map(records.map((record, index) => [Reflect.get(record, key) as unknown, index + 1]))

/** Lists that several records share (the services of a cache group) are looked up once. */
const lists = new WeakMap<IdOf, WeakMap<readonly unknown[], readonly number[]>>()

function withIds(kind: string, record: object, id: number, idOf: IdOf): PlainRecord {
  const result: Record<string, unknown> & { id: number } = { id }
  for (const [field, value] of Object.entries(record)) {
    const reference = references[kind]?.[field]
    if (reference?.field === undefined) result[field] = value
    else if (Array.isArray(value)) result[reference.field] = idsOf(value, reference, idOf)
    else result[reference.field] = value === null ? null : idOf(reference.kind, reference.key, value)
  }
  result.lastUpdated = '2026-01-01T00:00:00.000Z'
  return result
}

function idsOf(names: readonly unknown[], { kind, key }: { kind: string; key: string }, idOf: IdOf): readonly number[] {
  const known = lists.get(idOf) ?? new WeakMap<readonly unknown[], readonly number[]>()
  lists.set(idOf, known)
  const ids = known.get(names) ?? names.map((name) => idOf(kind, key, name)).sort((a, b) => a - b)
  known.set(names, ids)
  return ids
}
