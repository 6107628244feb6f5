import { byCodePoint } from '../cdn/order.js'

/** What a JSON document can hold. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject
export interface JsonObject {
  readonly [name: string]: Json
}

/** An entry is one server, service, location, … of a section, or one setting of `config`. */
export interface EntryChange {
  readonly section: string
  readonly name: string
  readonly kind: 'added' | 'removed' | 'changed'
  /** The whole entry; null where there is none, and for `changed`, where `fields` tells. */
  readonly before: Json
  readonly after: Json
  /** What differs within a changed entry; at most `fieldLimit` of them. */
  readonly fields: readonly FieldChange[]
  /** How many fields differ in all. */
  readonly fieldCount: number
}

export interface FieldChange {
  readonly path: readonly string[]
  /** null where the field is absent. */
  readonly before: Json
  readonly after: Json
}

export interface Counts {
  readonly added: number
  readonly removed: number
  readonly changed: number
}

export interface DocumentDiff {
  /** For every section that differs, whatever section the page is of. */
  readonly sections: Readonly<Record<string, Counts>>
  /** How many changes there are to page through. */
  readonly total: number
  readonly changes: readonly EntryChange[]
}

export const fieldLimit = 200

/**
 * How one version of a document differs from another: counted for all, told for one page. Sections in the
 * documents' order, entries by name. `stats` is left out: it says who froze a version, not what is in it. In steps of
 * an entry.
 */
export function* diffDocuments(
  before: JsonObject,
  after: JsonObject,
  page: { section?: string; offset: number; limit: number },
): Generator<void, DocumentDiff> {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter((name) => name !== 'stats')
  const changed: Changed[] = []
  for (const name of names) {
    for (const one of yield* changedEntries(name, own(before, name), own(after, name))) changed.push(one)
  }
  const input = page.section === undefined ? changed : changed.filter(({ section }) => section === page.section)
  const changes: EntryChange[] = []
  for (const one of input.slice(page.offset, page.offset + page.limit)) {
    changes.push(told(one))
    yield
  }
  return {
    sections: Object.fromEntries(
      names.flatMap((name) => {
        const counts = countsOf(changed.filter(({ section }) => section === name))
        return counts ? [[name, counts]] : []
      }),
    ),
    total: input.length,
    changes,
  }
}

interface Changed {
  readonly section: string
  readonly name: string
  readonly before: Json | undefined
  readonly after: Json | undefined
}

function* changedEntries(
  section: string,
  before: Json | undefined,
  after: Json | undefined,
): Generator<void, Changed[]> {
  const [old, now] = [entriesOf(before), entriesOf(after)]
  const names = new Set(old.keys())
  for (const name of now.keys()) names.add(name)
  const changed: Changed[] = []
  for (const name of names) {
    const [before, after] = [old.get(name), now.get(name)]
    if (!equal(before, after)) changed.push({ section, name, before, after })
    yield
  }
  return changed.sort((a, b) => byCodePoint(a.name, b.name))
}

/** Entries of an object go by their names, those of a list by what names them, so that order does not matter. */
function entriesOf(section: Json | undefined): Map<string, Json> {
  if (section === undefined) return new Map()
  if (!isList(section)) return new Map(isObject(section) ? Object.entries(section) : [['', section]])
  const entries = new Map<string, Json>()
  for (const [i, entry] of section.entries()) {
    const name = isObject(entry) ? nameOf(entry) : ''
    entries.set(name === '' || entries.has(name) ? `${name}#${i}` : name, entry)
  }
  return entries
}

/** A profile may occur once per type of server. */
function nameOf(entry: JsonObject): string {
  const name = entry.hostName ?? entry.xmlId ?? entry.name
  if (typeof name !== 'string') return ''
  return entry.hostName === undefined && typeof entry.type === 'string' ? `${name} ${entry.type}` : name
}

function countsOf(changed: readonly Changed[]): Counts | null {
  if (changed.length === 0) return null
  const added = changed.filter(({ before }) => before === undefined).length
  const removed = changed.filter(({ after }) => after === undefined).length
  return { added, removed, changed: changed.length - added - removed }
}

function told({ section, name, before, after }: Changed): EntryChange {
  if (before === undefined || after === undefined) {
    const kind = before === undefined ? 'added' : 'removed'
    return { section, name, kind, before: before ?? null, after: after ?? null, fields: [], fieldCount: 0 }
  }
  const fields: FieldChange[] = []
  collect([], before, after, fields)
  const told = fields.slice(0, fieldLimit)
  return { section, name, kind: 'changed', before: null, after: null, fields: told, fieldCount: fields.length }
}

/** The smallest parts that differ; lists count as one. */
function collect(
  path: readonly string[],
  before: Json | undefined,
  after: Json | undefined,
  into: FieldChange[],
): void {
  if (equal(before, after)) return
  if (!isObject(before) || !isObject(after)) {
    into.push({ path, before: before ?? null, after: after ?? null })
    return
  }
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    collect([...path, name], own(before, name), own(after, name), into)
  }
}

function equal(a: Json | undefined, b: Json | undefined): boolean {
  if (a === b) return true
  if (isList(a)) return isList(b) && a.length === b.length && a.every((item, i) => equal(item, b[i]))
  if (!isObject(a) || !isObject(b)) return false
  let count = 0
  for (const name in a) {
    if (!Object.hasOwn(b, name) || !equal(a[name], b[name])) return false
    count++
  }
  return Object.keys(b).length === count
}

const isList = (value: Json | undefined): value is readonly Json[] => Array.isArray(value)

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const own = (object: JsonObject, name: string): Json | undefined =>
  Object.hasOwn(object, name) ? object[name] : undefined
