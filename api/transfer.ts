import type { Kind } from './data.js'
import { type Fault, shown } from './errors.js'
import type { Plan } from './plan.js'
import { readBody, type Values } from './resource/body.js'
import type { Catalogue } from './resource/catalogue.js'
import type { Resource, Row } from './resource/define.js'

/** `{ "<collection>": [records] }`, in the field names of 1.3, references by name or by the document's own ids. */
export type ImportDocument = Readonly<Record<string, readonly unknown[]>>

export interface ImportResult {
  readonly created: number
  readonly updated: number
  readonly unchanged: number
  /** Every fault with its path in the document; when there is one, nothing may be committed. */
  readonly faults: readonly Fault[]
}

/**
 * Puts a document's records into a plan: collections in dependency order, records that refer to others of their own
 * kind after those. A record that is there already, by its natural key or unique fields, is brought in line.
 */
export function importDocument(
  plan: Plan,
  document: unknown,
  catalogue: Catalogue,
  progress: (done: number, total: number) => void = () => undefined,
): ImportResult {
  if (typeof document !== 'object' || document === null || Array.isArray(document)) {
    return {
      created: 0,
      updated: 0,
      unchanged: 0,
      faults: [{ path: '', text: 'The document must be a JSON object of collections.' }],
    }
  }
  const faults: Fault[] = []
  const collections = document as Record<string, unknown>
  let total = 0
  for (const [kind, records] of Object.entries(collections)) {
    if (!catalogue.has(kind)) faults.push({ path: kind, text: `${shown(kind)}: there is no such collection.` })
    else if (catalogue.of(kind).transient)
      faults.push({ path: kind, text: `${kind}: what machines and snapshots left behind is not imported.` })
    else if (!Array.isArray(records)) faults.push({ path: kind, text: `${kind}: must be an array of records.` })
    else total += records.length
  }
  const importing: Importing = {
    plan,
    catalogue,
    ids: new Map(),
    faults,
    counts: { created: 0, updated: 0, unchanged: 0 },
    made: [],
  }
  let done = 0
  plan.quietly(() => {
    for (const resource of catalogue.dependencyOrder) {
      const records = Object.hasOwn(collections, resource.kind) ? collections[resource.kind] : undefined
      if (!Array.isArray(records)) continue
      importCollection(resource, records, importing)
      done += records.length
      progress(done, total)
    }
  })
  // A document by hand need not say what the service would have added by itself.
  if (faults.length === 0) {
    for (const { resource, row } of importing.made) {
      if (resource.incomplete?.(row, plan.data)) plan.completeRecord(resource.kind, row.id)
    }
  }
  return { ...importing.counts, faults }
}

interface Importing {
  readonly plan: Plan
  readonly catalogue: Catalogue
  /** The document's ids and what they became: `<kind>/<id>`. */
  readonly ids: Map<string, number>
  readonly faults: Fault[]
  readonly counts: { created: number; updated: number; unchanged: number }
  readonly made: { resource: Resource; row: Row }[]
}

/** Records wait until the ones of the same collection that they name are there. */
function importCollection(resource: Resource, records: readonly unknown[], importing: Importing): void {
  const ownNames = new Set<unknown>(
    records.map((record) => ownName(resource, record)).filter((name) => name !== undefined),
  )
  const selfReferences = Object.entries(resource.fields).filter(([, { notes }]) => notes.ref === resource.kind)
  let waiting = records.map((record, at) => ({ record, path: `${resource.kind}[${at}]` }))
  const done = new Set<unknown>()
  while (waiting.length > 0) {
    const later: typeof waiting = []
    for (const one of waiting) {
      const named = selfReferences.flatMap(([name, { notes }]) => namesIn(one.record, [name, ...(notes.as ?? [])]))
      if (named.some((name) => ownNames.has(name) && !done.has(name) && name !== ownName(resource, one.record)))
        later.push(one)
      else {
        importRecord(resource, one.record, one.path, importing)
        done.add(ownName(resource, one.record))
      }
    }
    if (later.length === waiting.length) {
      for (const { path } of later)
        importing.faults.push({ path, text: `${path}: refers to itself through other records.` })
      return
    }
    waiting = later
  }
}

function ownName(resource: Resource, record: unknown): unknown {
  if (typeof record !== 'object' || record === null) return undefined
  const values = record as Values
  return (resource.key === null ? undefined : values[resource.key]) ?? values.id
}

function namesIn(record: unknown, fields: readonly string[]): unknown[] {
  if (typeof record !== 'object' || record === null) return []
  return fields.map((field) => (record as Values)[field]).filter((value) => value !== undefined && value !== null)
}

function importRecord(
  resource: Resource,
  given: unknown,
  path: string,
  { plan, catalogue, ids, faults, counts, made: rows }: Importing,
): void {
  const record = withMappedIds(resource, given, ids)
  const { values, faults: bodyFaults } = readBody(resource, record, { mode: 'create', data: plan.data, managed: true })
  const idFaults = resource.idRefersTo ? idOf(resource, record, plan, catalogue) : { id: undefined, faults: [] }
  const wrong = [...bodyFaults, ...idFaults.faults]
  if (wrong.length === 0) {
    const existing =
      idFaults.id === undefined
        ? findExisting(resource, values, plan)
        : plan.data.get(resource.kind as Kind, idFaults.id)
    const made = existing
      ? plan.amend(resource.kind, existing.id, values)
      : plan.attempt(resource.kind, values, idFaults.id)
    wrong.push(...made.faults)
    if (made.row) {
      if (!existing) rows.push({ resource, row: made.row })
      const documentId = (given as Values).id
      if (typeof documentId === 'number') ids.set(`${resource.kind}/${documentId}`, made.row.id)
      counts[!existing ? 'created' : (existing as unknown as Row) === made.row ? 'unchanged' : 'updated'] += 1
    }
  }
  for (const fault of wrong)
    faults.push({ ...fault, path: fault.path ? `${path}.${fault.path}` : path, text: `${path}: ${fault.text}` })
}

/** Ids in a document mean its own records first. */
function withMappedIds(resource: Resource, given: unknown, ids: ReadonlyMap<string, number>): unknown {
  if (ids.size === 0 || typeof given !== 'object' || given === null || Array.isArray(given)) return given
  const record: Values = { ...(given as Values) }
  const own = (kind: string, value: unknown): unknown =>
    typeof value === 'object' ? value : (ids.get(`${kind}/${value}`) ?? value)
  const mapped = (kind: string, value: unknown): unknown =>
    Array.isArray(value) ? value.map((one) => own(kind, one)) : own(kind, value)
  for (const [name, { notes }] of Object.entries(resource.fields)) {
    if (notes.ref && Object.hasOwn(record, name)) record[name] = mapped(notes.ref, record[name])
  }
  if (resource.idRefersTo && Object.hasOwn(record, 'id')) record.id = mapped(resource.idRefersTo, record.id)
  return record
}

/** The id of a record that hangs on another one: given as `id`, or by the other's name under its label. */
function idOf(
  resource: Resource,
  given: unknown,
  { data }: Plan,
  catalogue: Catalogue,
): { id: number | undefined; faults: Fault[] } {
  const owner = catalogue.of(resource.idRefersTo!)
  // That something else is no record the check of its fields says.
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return { id: undefined, faults: [] }
  const record = given as Values
  const name = record[ownerField(owner)] ?? record.id
  const id =
    typeof name === 'string' && owner.key !== null
      ? data.ids(owner.kind as Kind, owner.key, name)[0]
      : (name as number | undefined)
  if (typeof id === 'number' && data.get(owner.kind as Kind, id)) return { id, faults: [] }
  return {
    id: undefined,
    faults: [{ path: ownerField(owner), text: `${ownerField(owner)}: there is no ${owner.label} '${shown(name)}'` }],
  }
}

/** `servers` → `server`: under which name a record that hangs on another names it. */
const ownerField = ({ kind }: Resource): string => kind.replace(/s$/, '')

/** The record a document means: the same natural key, the same unique fields, or the same in everything. */
function findExisting(resource: Resource, values: Values, { data }: Plan): { readonly id: number } | undefined {
  const kind = resource.kind as Kind
  const single = [
    resource.key,
    ...Object.entries(resource.fields).flatMap(([name, { notes }]) => (notes.unique ? [name] : [])),
  ]
  for (const name of single) {
    const value = name === null ? null : values[name]
    if (name === null || value === null || value === undefined) continue
    const ids = data.ids(kind, name, value as string)
    if (ids.length === 1) return data.get(kind, ids[0]!)
  }
  for (const names of resource.unique ?? []) {
    const key = names.map((name) => values[name] ?? resource.fields[name]?.notes.fallback ?? null)
    if (key.includes(null)) continue
    const [id] = data.ids(kind, names.join('+'), JSON.stringify(key))
    if (id !== undefined) return data.get(kind, id)
  }
  if (resource.key !== null) return undefined
  // A list of references is no way to find a record: it may be empty.
  const reference = Object.entries(resource.fields).find(([, { notes, type }]) => notes.ref && type !== 'array')?.[0]
  const near = reference ? data.by(kind, reference, values[reference] as number) : data.all(kind)
  return (near as unknown as readonly Row[]).find((row) =>
    Object.entries(resource.fields).every(
      ([name, { notes }]) =>
        JSON.stringify(row[name]) ===
        JSON.stringify(values[name] === undefined ? (notes.fallback ?? null) : values[name]),
    ),
  )
}

/**
 * Everything as an import document: references by name where the name is unambiguous, records and fields in a
 * stable order, no ids and times, so that two exports of equal data are equal.
 *
 * @param secrets whether password hashes, sealed keys and other secret fields are in it
 */
export function exportDocument(data: Plan['data'], catalogue: Catalogue, { secrets = false } = {}): ImportDocument {
  const document: Record<string, object[]> = {}
  for (const resource of catalogue.dependencyOrder) {
    if (resource.transient || (!secrets && isSecret(resource))) continue
    const rows = data.all(resource.kind as Kind) as unknown as readonly Row[]
    const records = rows.map((row) => exportRecord(resource, row, data, catalogue, secrets))
    if (records.length > 0)
      document[resource.kind] = records
        .map(sortKey)
        .sort(byKey)
        .map(({ record }) => record)
  }
  return document
}

/** A record that is nothing without its secret: a token, sealed keys. */
const isSecret = ({ fields }: Resource): boolean =>
  Object.values(fields).some(({ notes }) => (notes.secret || notes.hidden) && !('fallback' in notes))

function exportRecord(
  resource: Resource,
  row: Row,
  data: Plan['data'],
  catalogue: Catalogue,
  secrets: boolean,
): Values {
  const record: Values = {}
  const nameOf = (kind: string, id: number): unknown => {
    const { key } = catalogue.of(kind)
    const name = key && (data.get(kind as Kind, id) as unknown as Values | undefined)?.[key]
    // A name that looks like a number would be read as an id.
    const says =
      typeof name === 'string' && !/^-?\d+(\.\d+)?$/.test(name) && data.ids(kind as Kind, key!, name).length === 1
    return says ? name : id
  }
  const isNamed = (kind: string, id: number): boolean => typeof nameOf(kind, id) === 'string'
  if (resource.idRefersTo) {
    const owner = catalogue.of(resource.idRefersTo)
    record[isNamed(owner.kind, row.id) ? ownerField(owner) : 'id'] = nameOf(owner.kind, row.id)
  } else if (resource.key !== null && !isNamed(resource.kind, row.id)) record.id = row.id
  for (const [name, { notes }] of Object.entries(resource.fields)) {
    const value = row[name]
    if ((notes.secret || notes.hidden) && !secrets) continue
    if (!notes.ref || value === null) record[name] = value
    else if (Array.isArray(value)) record[name] = value.map((id) => nameOf(notes.ref!, id)).sort(byText)
    else
      record[notes.as?.[0] !== undefined && isNamed(notes.ref, value as number) ? notes.as[0] : name] = nameOf(
        notes.ref,
        value as number,
      )
  }
  return record
}

const byText = (a: unknown, b: unknown): number => (String(a) < String(b) ? -1 : String(a) > String(b) ? 1 : 0)
const sortKey = (record: Values): { key: string; record: Values } => ({ key: JSON.stringify(record), record })
const byKey = (a: { key: string }, b: { key: string }): number => byText(a.key, b.key)
