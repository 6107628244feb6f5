import type { Fault } from '../../config/errors.js'
import type { RecordKinds } from '../../journal/kinds.js'
import type { RecordKind } from '../../journal/recordKind.js'
import { dangling } from '../../journal/references.js'
import type { Transaction } from '../../journal/transaction.js'
import type { Values } from '../../records/recordBody.js'
import { lenientId, readBody } from '../../records/recordBody.js'
import { asSpelled } from '../../records/spellings.js'
import { ownerField, unknownFields } from '../../records/unknownFields.js'
import type { Kind } from '../../schema/data.js'
import type { Row } from '../../schema/defineKind.js'
import type { Records } from '../../schema/records.js'
import type { FaultList } from './importFaults.js'
import type { Identities, Names } from './importIdentity.js'
import { createIdentities, createNames } from './importIdentity.js'
import { inOrder } from './importOrder.js'
import { withKeptSecrets } from './transferSecrets.js'

/** What the records of one document have in common. */
export interface Importing {
  readonly plan: Transaction
  readonly catalogue: RecordKinds
  /** The document's ids and what they became: `<kind>/<id>`. */
  readonly ids: Map<string, number>
  readonly names: Names
  readonly identities: Identities
  readonly faults: FaultList
  readonly counts: { created: number; updated: number; unchanged: number }
  /** What became of the records, by their path in the document. */
  readonly made: Map<string, { resource: RecordKind; row: Row; how: 'created' | 'updated' | 'unchanged' }>
  /** The profiles of the document, by what they became. */
  readonly profiles: Set<number>
  /** Records whose secret was kept for one of the document's: `<kind>/<id>`. */
  readonly kept: Set<string>
}

export function beginImport(transaction: Transaction, catalogue: RecordKinds, faults: FaultList): Importing {
  const names = createNames()
  return {
    plan: transaction,
    catalogue,
    ids: new Map(),
    names,
    identities: createIdentities(transaction, names.isAmbiguous),
    faults,
    counts: { created: 0, updated: 0, unchanged: 0 },
    made: new Map(),
    profiles: new Set(),
    kept: new Set(),
  }
}

/**
 * Imports one collection, a record a step: records come after those of the same collection that they name; what would
 * go round in a circle is set last.
 */
export function* importCollection(
  resource: RecordKind,
  records: readonly unknown[],
  importing: Importing,
): Generator<void, void> {
  const { plan: transaction, names, identities, faults } = importing
  const { steps, stuck } = yield* inOrder(resource, records)
  const pathOf = (at: number) => `${resource.kind}[${at}]`
  names.read(resource, records)
  const wanted = wantedIds(resource, records, importing)
  if (records.length > 0) yield* identities.prepare(resource)
  for (const { at, later } of steps) {
    const record = later.length === 0 ? records[at] : without(records[at] as Values, later)
    transaction.withoutEffects(() =>
      importRecord(resource, record, { path: pathOf(at), wanted: wanted.get(at) }, importing),
    )
    yield
  }
  for (const { at, later } of steps) {
    if (later.length === 0) continue
    transaction.withoutEffects(() =>
      setReferences(resource, records[at] as Values, { path: pathOf(at), later }, importing),
    )
    yield
  }
  for (const at of stuck)
    faults.add({ path: pathOf(at), text: `${pathOf(at)}: refers to itself through other records.` })
}

/**
 * Which records of a collection are to keep the id that the document gives them: those whose id no record ever had,
 * as all are in an empty store. One that was given out before could still be meant by a session or a token. An id
 * that two records give is a fault: nobody knows which of them references mean.
 */
function wantedIds(
  resource: RecordKind,
  records: readonly unknown[],
  { plan: transaction, faults }: Importing,
): ReadonlyMap<number, number> {
  const wanted = new Map<number, number>()
  if (resource.idRefersTo) return wanted
  const lastId = transaction.lastId(resource.kind)
  let last = lastId
  const given = new Map<number, string>()
  records.forEach((record, at) => {
    const id = typeof record === 'object' && record !== null ? lenientId((record as Values).id ?? null) : null
    if (id === null) return
    const path = `${resource.kind}[${at}]`
    const wrong = (text: string) => faults.add({ path: `${path}.id`, text: `${path}: ${text}` })
    if (!isId(id)) wrong(`id must be a whole number from 1 to ${mostId}`)
    else if (given.has(id)) wrong(`has the same id ${id} as ${given.get(id)}`)
    else {
      given.set(id, path)
      if (id > lastId) wanted.set(at, id)
      last = Math.max(last, id)
    }
  })
  // Records without an id take one behind all these.
  transaction.reserve(resource.kind, last)
  return wanted
}

const mostId = 2 ** 31 - 1
const isId = (id: unknown): id is number => Number.isInteger(id) && (id as number) >= 1 && (id as number) <= mostId

/** References that had to wait until every record of the collection was there. */
function setReferences(
  resource: RecordKind,
  given: Values,
  { path, later }: { path: string; later: readonly string[] },
  importing: Importing,
): void {
  const { plan: transaction, ids, made, faults, counts } = importing
  const row = made.get(path)
  if (!row) return
  const references = Object.fromEntries(Object.entries(given).filter(([name]) => later.includes(name)))
  const record = withMappedIds(resource, references, ids)
  const { values, faults: wrong } = readBody(resource, record, { mode: 'patch', data: transaction.data, managed: true })
  const set = wrong.length > 0 ? { row: null, faults: wrong } : transaction.tryUpdate(resource.kind, row.row.id, values)
  addFaults(faults, path, asSpelled(resource, references, set.faults))
  if (row.how !== 'unchanged' || !set.row || set.row === row.row) return
  counts.unchanged -= 1
  counts.updated += 1
}

const without = (record: Values, names: readonly string[]): Values =>
  Object.fromEntries(Object.entries(record).filter(([name]) => !names.includes(name)))

function addFaults(faults: FaultList, path: string, wrong: readonly Fault[]): void {
  for (const fault of wrong)
    faults.add({ ...fault, path: fault.path ? `${path}.${fault.path}` : path, text: `${path}: ${fault.text}` })
}

interface Place {
  readonly path: string
  /** The id it is to get when it is new. */
  readonly wanted: number | undefined
}

function importRecord(resource: RecordKind, given: unknown, place: Place, importing: Importing): void {
  const { plan: transaction, catalogue, ids, faults } = importing
  const mapped = withMappedIds(resource, given, ids)
  const { record, faults: keptFaults } = withKeptSecrets(resource, mapped, transaction.data, importing.kept)
  const { values, faults: bodyFaults } = readBody(resource, record, {
    mode: 'create',
    data: transaction.data,
    managed: true,
  })
  const idFaults = resource.idRefersTo ? idOf(resource, record, transaction, catalogue) : { id: undefined, faults: [] }
  const wrong = [...unknownFields(resource, given, { managed: true }), ...keptFaults, ...bodyFaults, ...idFaults.faults]
  if (wrong.length > 0) {
    addFaults(faults, place.path, wrong)
    return
  }
  const { row, faults: placeFaults } = placed(resource, values, idFaults.id, place, importing)
  addFaults(faults, place.path, asSpelled(resource, given, placeFaults))
  const documentId = lenientId((given as Values).id)
  if (row && typeof documentId === 'number') ids.set(`${resource.kind}/${documentId}`, row.id)
}

/** Makes the record, or brings the one it means in line. */
function placed(
  resource: RecordKind,
  values: Values,
  id: number | undefined,
  { path, wanted }: Place,
  importing: Importing,
): { row: Row | null; faults: readonly Fault[] } {
  const { plan: transaction, identities, counts, made: rows, profiles } = importing
  const existing =
    id === undefined ? identities.find(resource, values) : transaction.data.get(resource.kind as Kind, id)
  const earlier = existing ? identities.claim(resource, existing.id, path) : null
  if (earlier !== null)
    return { row: null, faults: [{ path: '', text: `means the same ${resource.label} as ${earlier}` }] }
  const made = existing
    ? transaction.tryUpdate(resource.kind, existing.id, withOtherLinks(resource, existing, values, importing))
    : transaction.tryCreate(resource.kind, values, id ?? wanted)
  if (!made.row) return made
  if (resource.kind === 'profiles') profiles.add(made.row.id)
  if (!existing) identities.claim(resource, made.row.id, path)
  const how = !existing ? 'created' : (existing as Row) === made.row ? 'unchanged' : 'updated'
  rows.set(path, { resource, row: made.row, how })
  counts[how] += 1
  return made
}

/**
 * A document that brings profiles says which parameters those have. Profiles that it does not hold keep theirs, such as
 * the ones a store begins with: a parameter is one record for all profiles that have it.
 */
function withOtherLinks({ kind }: RecordKind, existing: object, values: Values, { profiles }: Importing): Values {
  if (kind !== 'parameters' || profiles.size === 0 || !Array.isArray(values.profiles)) return values
  const others = (existing as Records['parameters']).profiles.filter((id) => !profiles.has(id))
  return others.length === 0 ? values : { ...values, profiles: [...new Set([...others, ...values.profiles])] }
}

/** Ids in a document mean its own records first. */
function withMappedIds(resource: RecordKind, given: unknown, ids: ReadonlyMap<string, number>): unknown {
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
  resource: RecordKind,
  given: unknown,
  { data }: Transaction,
  catalogue: RecordKinds,
): { id: number | undefined; faults: Fault[] } {
  const owner = catalogue.of(resource.idRefersTo!)
  // That something else is no record the check of its fields says.
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return { id: undefined, faults: [] }
  const record = given as Values
  const name = record[ownerField(owner.kind)] ?? record.id
  const id =
    typeof name === 'string' && owner.key !== null
      ? data.ids(owner.kind as Kind, owner.key, name)[0]
      : (name as number | undefined)
  if (typeof id === 'number' && data.get(owner.kind as Kind, id)) return { id, faults: [] }
  return {
    id: undefined,
    faults: [dangling(ownerField(owner.kind), owner.kind as Kind, name)],
  }
}
