import type { Key, KindSchema, Schema } from '../../compiler/data/kindSchema.js'
import { kinds } from '../../compiler/data/model.js'
import type { RecordKind } from './recordKind.js'

/** All resources together: who refers to whom, and the working set's schema. */
export interface RecordKinds {
  readonly resources: readonly RecordKind[]
  of(kind: string): RecordKind
  has(kind: string): boolean
  keyOf(kind: string): string | null
  /** The fields of other kinds that hold an id of this kind. */
  referrers(kind: string): readonly Referrer[]
  /** The resources so that none comes before one it refers to: the order of imports. */
  readonly dependencyOrder: readonly RecordKind[]
  readonly schema: Schema
}

/** A field that holds ids of another kind, and what becomes of its record when the one it refers to is deleted. */
export interface Referrer {
  readonly resource: RecordKind
  readonly field: string
  readonly onDelete: 'restrict' | 'cascade' | 'clear'
}

export function createRecordKinds(resources: readonly RecordKind[]): RecordKinds {
  const byKind = new Map(resources.map((resource) => [resource.kind, resource]))
  if (byKind.size !== resources.length) throw new Error('two resources declare the same kind')
  const referrers = new Map<string, Referrer[]>()
  const refer = (to: string, from: RecordKind, field: string, onDelete: Referrer['onDelete']) => {
    if (!byKind.has(to)) throw new Error(`${from.kind}.${field} refers to '${to}', which no resource declares`)
    referrers.set(to, [...(referrers.get(to) ?? []), { resource: from, field, onDelete }])
  }
  for (const resource of resources) {
    if (resource.idRefersTo) refer(resource.idRefersTo, resource, 'id', 'cascade')
    for (const [name, { notes }] of Object.entries(resource.fields)) {
      if (notes.ref) refer(notes.ref, resource, name, notes.onDelete ?? 'restrict')
    }
  }
  const of = (kind: string): RecordKind => {
    const found = byKind.get(kind)
    if (!found) throw new Error(`no resource declares the kind '${kind}'`)
    return found
  }
  return {
    resources,
    of,
    has: (kind) => byKind.has(kind),
    keyOf: (kind) => byKind.get(kind)?.key ?? null,
    referrers: (kind) => referrers.get(kind) ?? [],
    dependencyOrder: inDependencyOrder(resources, of),
    schema: Object.fromEntries(resources.map((resource) => [resource.kind, kindSchema(resource)])),
  }
}

function kindSchema(resource: RecordKind): KindSchema {
  const indexes: Record<string, KindSchema['indexes'][string]> = {}
  for (const [name, { notes }] of Object.entries(resource.fields)) {
    if (notes.ref || notes.unique || name === resource.key) indexes[name] = fieldOf(name)
  }
  for (const fields of resource.unique ?? []) {
    indexes[fields.join('+')] = (record) => uniqueKey(fields.map((name) => fieldOf(name)(record)))
  }
  const model = Object.hasOwn(kinds, resource.kind) ? kinds[resource.kind as keyof typeof kinds] : null
  return {
    seen: model ? Object.keys(model.fields) : null,
    indexes: { ...indexes, ...resource.indexes, ...(model?.indexes as KindSchema['indexes'] | undefined) },
  }
}

/** Reads a field as the key of an index. */
const fieldOf =
  (name: string) =>
  (record: object): Key | null =>
    (record as Readonly<Record<string, Key | null>>)[name] ?? null

/** The index key of a unique combination; `null` (not indexed) when a part is absent. */
export function uniqueKey(values: readonly unknown[]): string | null {
  return values.some((value) => value === null || value === undefined) ? null : JSON.stringify(values)
}

function inDependencyOrder(resources: readonly RecordKind[], of: (kind: string) => RecordKind): readonly RecordKind[] {
  const done = new Set<RecordKind>()
  const visit = (resource: RecordKind, above: readonly RecordKind[]): void => {
    if (done.has(resource) || above.includes(resource)) return
    const needed = Object.values(resource.fields).flatMap(({ notes }) => (notes.ref ? [notes.ref] : []))
    if (resource.idRefersTo) needed.push(resource.idRefersTo)
    for (const kind of needed) visit(of(kind), [...above, resource])
    done.add(resource)
  }
  for (const resource of resources) visit(resource, [])
  return [...done]
}
