import type { Kind } from './data.js'
import { type Fault, shown } from './errors.js'
import { inOrder } from './importOrder.js'
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
    made: new Map(),
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
    for (const { resource, row, how } of importing.made.values()) {
      if (how === 'created' && resource.incomplete?.(row, plan.data)) plan.completeRecord(resource.kind, row.id)
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
  /** What became of the records, by their path in the document. */
  readonly made: Map<string, { resource: Resource; row: Row; how: 'created' | 'updated' | 'unchanged' }>
}

/** Records come after those of the same collection that they name; what would go round in a circle is set last. */
function importCollection(resource: Resource, records: readonly unknown[], importing: Importing): void {
  const { steps, stuck } = inOrder(resource, records)
  const pathOf = (at: number) => `${resource.kind}[${at}]`
  const wanted = wantedIds(resource, records, importing)
  for (const { at, later } of steps) {
    const record = later.length === 0 ? records[at] : without(records[at] as Values, later)
    importRecord(resource, record, { path: pathOf(at), wanted: wanted.get(at) }, importing)
  }
  for (const { at, later } of steps) {
    if (later.length > 0) setReferences(resource, records[at] as Values, { path: pathOf(at), later }, importing)
  }
  for (const at of stuck)
    importing.faults.push({ path: pathOf(at), text: `${pathOf(at)}: refers to itself through other records.` })
}

/**
 * Which records of a collection are to keep the id that the document gives them: those whose id no record ever had,
 * as all are in an empty store. One that was given out before could still be meant by a session or a token.
 */
function wantedIds(
  resource: Resource,
  records: readonly unknown[],
  { plan, faults }: Importing,
): ReadonlyMap<number, number> {
  const wanted = new Map<number, number>()
  if (resource.idRefersTo) return wanted
  const lastId = plan.lastId(resource.kind)
  const given = new Set<number>()
  records.forEach((record, at) => {
    const id = typeof record === 'object' && record !== null ? ((record as Values).id ?? null) : null
    if (id === null) return
    const path = `${resource.kind}[${at}].id`
    if (!isId(id)) faults.push({ path, text: `${resource.kind}[${at}]: id must be a whole number from 1 to ${mostId}` })
    else if (given.has(id)) faults.push({ path, text: `${resource.kind}[${at}]: the id ${id} is given twice` })
    else if (id > lastId) wanted.set(at, id)
    if (isId(id)) given.add(id)
  })
  // Records without an id take one behind all these.
  plan.reserve(resource.kind, Math.max(lastId, ...wanted.values()))
  return wanted
}

const mostId = 2 ** 31 - 1
const isId = (id: unknown): id is number => Number.isInteger(id) && (id as number) >= 1 && (id as number) <= mostId

/** References that had to wait until every record of the collection was there. */
function setReferences(
  resource: Resource,
  given: Values,
  { path, later }: { path: string; later: readonly string[] },
  importing: Importing,
): void {
  const { plan, ids, made, faults, counts } = importing
  const row = made.get(path)
  if (!row) return
  const references = Object.fromEntries(Object.entries(given).filter(([name]) => later.includes(name)))
  const record = withMappedIds(resource, references, ids)
  const { values, faults: wrong } = readBody(resource, record, { mode: 'patch', data: plan.data, managed: true })
  const set = wrong.length > 0 ? { row: null, faults: wrong } : plan.amend(resource.kind, row.row.id, values)
  addFaults(faults, path, set.faults)
  if (row.how !== 'unchanged' || !set.row || set.row === row.row) return
  counts.unchanged -= 1
  counts.updated += 1
}

const without = (record: Values, names: readonly string[]): Values =>
  Object.fromEntries(Object.entries(record).filter(([name]) => !names.includes(name)))

function addFaults(faults: Fault[], path: string, wrong: readonly Fault[]): void {
  for (const fault of wrong)
    faults.push({ ...fault, path: fault.path ? `${path}.${fault.path}` : path, text: `${path}: ${fault.text}` })
}

function importRecord(
  resource: Resource,
  given: unknown,
  { path, wanted }: { path: string; wanted: number | undefined },
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
      : plan.attempt(resource.kind, values, idFaults.id ?? wanted)
    wrong.push(...made.faults)
    if (made.row) {
      const how = !existing ? 'created' : (existing as unknown as Row) === made.row ? 'unchanged' : 'updated'
      rows.set(path, { resource, row: made.row, how })
      const documentId = (given as Values).id
      if (typeof documentId === 'number') ids.set(`${resource.kind}/${documentId}`, made.row.id)
      counts[how] += 1
    }
  }
  addFaults(faults, path, wrong)
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
 * stable order, no times, so that two exports of equal data are equal.
 *
 * @param secrets whether password hashes, sealed keys and other secret fields are in it
 * @param ids whether every record says its id, which an import into an empty store keeps
 */
export function exportDocument(
  data: Plan['data'],
  catalogue: Catalogue,
  { secrets = false, ids = false } = {},
): ImportDocument {
  const document: Record<string, object[]> = {}
  for (const resource of catalogue.dependencyOrder) {
    if (resource.transient || (!secrets && isSecret(resource))) continue
    const rows = data.all(resource.kind as Kind) as unknown as readonly Row[]
    const records = rows.map((row) => exportRecord(resource, row, data, catalogue, { secrets, ids }))
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
  { secrets, ids }: { secrets: boolean; ids: boolean },
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
  } else if (ids || (resource.key !== null && !isNamed(resource.kind, row.id))) record.id = row.id
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
