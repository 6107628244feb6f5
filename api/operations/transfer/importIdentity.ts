import { drained } from '../../flow/slices.js'
import { uniqueKey } from '../../journal/kinds.js'
import type { RecordKind } from '../../journal/recordKind.js'
import type { Transaction } from '../../journal/transaction.js'
import type { Values } from '../../records/recordBody.js'
import type { Kind } from '../../schema/data.js'
import type { Row } from '../../schema/defineKind.js'

/** Which stored records the records of one document mean; each is meant once. */
export interface Identities {
  /** Reads the stored records of a kind that only their content tells apart, one a step, before the first is looked for. */
  prepare(resource: RecordKind): Generator<void, void>
  /**
   * The record that `values` mean: the same natural key, the same unique fields; of a kind without either, the
   * next one that is the same in everything and that nothing in the document means yet.
   */
  find(resource: RecordKind, values: Values): { readonly id: number } | undefined
  /** Notes that the record at `path` means this one. Returns the path that meant it already, `null` otherwise. */
  claim(resource: RecordKind, id: number, path: string): string | null
}

/**
 * @param isAmbiguous whether several records of the document share this name: where names need not be unique (two
 *   servers of different addresses with one host name), such a one says nothing
 */
export function createIdentities(
  { data }: Transaction,
  isAmbiguous: (resource: RecordKind, name: unknown) => boolean,
): Identities {
  const claims = new Map<string, string>()
  const alike = new Map<string, Map<string, number[]>>()

  const byName = (resource: RecordKind, values: Values): number | undefined => {
    const kind = resource.kind as Kind
    for (const name of singleKeys(resource)) {
      const value = values[name]
      if (value === null || value === undefined) continue
      if (!resource.fields[name]?.notes.unique && isAmbiguous(resource, value)) continue
      const ids = data.ids(kind, name, value as string)
      if (ids.length === 1) return ids[0]
    }
    for (const [index, key] of combinations(resource, values)) {
      const ids = data.ids(kind, index, key)
      const id = ids.find((one) => hasFlagsOf(resource, values, data.get(kind, one) as Row)) ?? ids[0]
      if (id !== undefined) return id
    }
    return undefined
  }

  /** Taken from the end, so that equal records are met in the order of their ids. */
  function* readContents(resource: RecordKind): Generator<void, Map<string, number[]>> {
    const known = new Map<string, number[]>()
    for (const row of data.all(resource.kind as Kind).toReversed()) {
      const content = contentOf(resource, row as Row)
      const ids = known.get(content)
      if (ids) ids.push(row.id)
      else known.set(content, [row.id])
      yield
    }
    alike.set(resource.kind, known)
    return known
  }

  const byContent = (resource: RecordKind, values: Values): number | undefined => {
    const known = alike.get(resource.kind) ?? drained(readContents(resource))
    return known.get(contentOf(resource, values))?.pop()
  }

  return {
    *prepare(resource) {
      const isNamed = singleKeys(resource).length > 0 || (resource.unique ?? []).length > 0
      if (!isNamed) yield* readContents(resource)
    },
    find: (resource, values) => {
      const id = hasIdentity(resource, values) ? byName(resource, values) : byContent(resource, values)
      return id === undefined ? undefined : data.get(resource.kind as Kind, id)
    },
    claim: (resource, id, path) => {
      const name = `${resource.kind}/${id}`
      const earlier = claims.get(name)
      if (earlier === undefined) claims.set(name, path)
      return earlier ?? null
    },
  }
}

/** The fields that name a record of the kind alone. */
const singleKeys = ({ key, fields }: RecordKind): string[] => [
  ...(key === null ? [] : [key]),
  ...Object.entries(fields).flatMap(([name, { notes }]) => (notes.unique && name !== key ? [name] : [])),
]

/** Index and key of every unique combination that the values have all parts of. */
function combinations({ unique = [], fields }: RecordKind, values: Values): [index: string, key: string][] {
  return unique.flatMap((names): [string, string][] => {
    const key = uniqueKey(names.map((name) => values[name] ?? fields[name]?.notes.default ?? null))
    return key === null ? [] : [[names.join('+'), key]]
  })
}

/** A secret and what is not one may be the same in all else. */
const hasFlagsOf = ({ fields }: RecordKind, values: Values, row: Row): boolean =>
  Object.values(fields).every(({ notes: { secretWhen } }) =>
    secretWhen === undefined ? true : (values[secretWhen] ?? fields[secretWhen]?.notes.default) === row[secretWhen],
  )

const hasIdentity = (resource: RecordKind, values: Values): boolean =>
  resource.key !== null ||
  singleKeys(resource).some((name) => values[name] !== null && values[name] !== undefined) ||
  combinations(resource, values).length > 0

/** Every field, what was not given with its fallback: equal for records that are the same in everything. */
const contentOf = ({ fields }: RecordKind, values: Values): string =>
  JSON.stringify(
    Object.entries(fields).map(([name, { notes }]) =>
      values[name] === undefined ? (notes.default ?? null) : values[name],
    ),
  )

/** How often the records of a document use a name where names of the kind need not be unique. */
export interface Names {
  read(resource: RecordKind, records: readonly unknown[]): void
  isAmbiguous(resource: RecordKind, name: unknown): boolean
}

export function createNames(): Names {
  const often = new Map<string, Set<string>>()
  return {
    read: ({ kind, key, fields }, records) => {
      if (key === null || fields[key]?.notes.unique) return
      const seen = new Set<string>()
      const repeated = new Set<string>()
      for (const record of records) {
        const name = typeof record === 'object' && record !== null ? (record as Values)[key] : undefined
        if (typeof name !== 'string') continue
        if (seen.has(name)) repeated.add(name)
        seen.add(name)
      }
      often.set(kind, repeated)
    },
    isAmbiguous: ({ kind }, name) => often.get(kind)?.has(String(name)) ?? false,
  }
}
