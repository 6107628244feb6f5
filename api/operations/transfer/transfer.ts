import type { Fault } from '../../config/errors.js'
import { quoted } from '../../config/errors.js'
import type { Vault } from '../../config/vault.js'
import { drained } from '../../flow/slices.js'
import { sortSteps } from '../../flow/sortSteps.js'
import type { RecordKinds } from '../../journal/kinds.js'
import type { RecordKind } from '../../journal/recordKind.js'
import type { Transaction } from '../../journal/transaction.js'
import type { Values } from '../../records/recordBody.js'
import { ownerField } from '../../records/unknownFields.js'
import type { Kind } from '../../schema/data.js'
import type { Row } from '../../schema/defineKind.js'
import { beginImport, importCollection } from './importCollection.js'
import { createFaultList } from './importFaults.js'
import { prune } from './prune.js'
import { referenceTo } from './recordNames.js'
import { exportedValue } from './transferSecrets.js'

/** `{ "<collection>": [records] }`, in the field names of 1.3, references by name or by the document's own ids. */
export type ImportDocument = Readonly<Record<string, readonly unknown[]>>

export interface ImportResult {
  readonly created: number
  readonly updated: number
  readonly unchanged: number
  readonly removed: number
  /**
   * The faults with their paths in the document, the first thousand and how many more there are; when there is one,
   * nothing may be committed.
   */
  readonly faults: readonly Fault[]
}

export interface ImportOptions {
  /** Also removes, of the collections that the document has, what it does not have. */
  readonly prunes?: boolean
  readonly progress?: (done: number, total: number) => void
}

/** All of `importSteps` at once, for documents that are known to be small. */
export const importDocument = (...given: Parameters<typeof importSteps>): ImportResult => drained(importSteps(...given))

/**
 * Puts a document's records into a transaction, one a step: collections in dependency order, records that refer to others of
 * their own kind after those. A record that is there already, by its natural key or unique fields, is brought in line.
 * Two records of the document that mean the same one are a fault, as are fields that no record of the kind has.
 */
export function* importSteps(
  transaction: Transaction,
  document: unknown,
  catalogue: RecordKinds,
  { prunes = false, progress = () => undefined }: ImportOptions = {},
): Generator<void, ImportResult> {
  if (typeof document !== 'object' || document === null || Array.isArray(document)) {
    return {
      created: 0,
      updated: 0,
      unchanged: 0,
      removed: 0,
      faults: [{ path: '', text: 'The document must be a JSON object of collections.' }],
    }
  }
  const faults = createFaultList()
  const collections = document as Record<string, unknown>
  let total = 0
  for (const [kind, records] of Object.entries(collections)) {
    if (!catalogue.has(kind)) faults.add({ path: kind, text: `${quoted(kind)}: there is no such collection.` })
    else if (catalogue.of(kind).transient)
      faults.add({ path: kind, text: `${kind}: what machines and snapshots left behind is not imported.` })
    else if (!Array.isArray(records)) faults.add({ path: kind, text: `${kind}: must be an array of records.` })
    else total += records.length
  }
  const importing = beginImport(transaction, catalogue, faults)
  let done = 0
  for (const resource of catalogue.dependencyOrder) {
    const records = Object.hasOwn(collections, resource.kind) ? collections[resource.kind] : undefined
    if (!Array.isArray(records)) continue
    yield* importCollection(resource, records, importing)
    done += records.length
    progress(done, total)
  }
  // A document by hand need not say what the service would have added by itself.
  if (faults.count === 0) {
    for (const { resource, row, how } of importing.made.values()) {
      if (how === 'created' && resource.incomplete?.(row, transaction.data))
        transaction.completeRecord(resource.kind, row.id)
      yield
    }
  }
  const removed = prunes && faults.count === 0 ? yield* prune(new Set(Object.keys(collections)), importing) : 0
  return { ...importing.counts, removed, faults: faults.said() }
}

/**
 * Everything as an import document: references by name where the name is unambiguous, records and fields in a
 * stable order, no times, so that two exports of equal data are equal.
 *
 * @param secrets the vault when password hashes, keys and other secret fields are in it, these sealed; `null` when not:
 *   then a record that cannot be without one holds asterisks, which an import takes for what is there
 * @param ids whether every record says its id, which an import into an empty store keeps
 */
export function exportDocument(
  data: Transaction['data'],
  catalogue: RecordKinds,
  options: Parameters<typeof exportSteps>[2] = {},
): ImportDocument {
  return drained(exportSteps(data, catalogue, options))
}

/** The same in steps, on data that does not change meanwhile. */
export function* exportSteps(
  data: Transaction['data'],
  catalogue: RecordKinds,
  { secrets = null, ids = false }: { secrets?: Pick<Vault, 'sealAlike'> | null; ids?: boolean } = {},
): Generator<void, ImportDocument> {
  const document: Record<string, object[]> = {}
  for (const resource of catalogue.dependencyOrder) {
    const keyed = yield* exportedSteps(resource, data, catalogue, { secrets, ids }, (key, record) => ({ key, record }))
    if (keyed.length > 0) document[resource.kind] = keyed.map(({ record }) => record)
  }
  return document
}

/** What is exported of one kind, in order; empty when nothing is. `keep` makes of a record's JSON text what is kept. */
export function* exportedSteps<T extends { readonly key: string }>(
  resource: RecordKind,
  data: Transaction['data'],
  catalogue: RecordKinds,
  options: { secrets: Pick<Vault, 'sealAlike'> | null; ids: boolean },
  keep: (key: string, record: Values) => T,
): Generator<void, T[]> {
  if (resource.transient || (!options.secrets && isAllSecret(resource))) return []
  const keyed: T[] = []
  for (const row of data.all(resource.kind as Kind) as readonly Row[]) {
    const record = exportRecord(resource, row, data, catalogue, options)
    keyed.push(keep(JSON.stringify(record), record))
    yield
  }
  return yield* sortSteps(keyed, byKey)
}

/** A record that is nothing without its secret: a token, sealed keys. */
const isAllSecret = ({ fields }: RecordKind): boolean =>
  Object.values(fields).some(({ notes }) => (notes.secret || notes.hidden) && !('default' in notes))

function exportRecord(
  resource: RecordKind,
  row: Row,
  data: Transaction['data'],
  catalogue: RecordKinds,
  { secrets, ids }: { secrets: Pick<Vault, 'sealAlike'> | null; ids: boolean },
): Values {
  const record: Values = {}
  const nameOf = (kind: string, id: number): unknown => referenceTo(kind, id, data, catalogue)
  const isNamed = (kind: string, id: number): boolean => typeof nameOf(kind, id) === 'string'
  if (resource.idRefersTo) {
    const owner = catalogue.of(resource.idRefersTo)
    record[isNamed(owner.kind, row.id) ? ownerField(owner.kind) : 'id'] = nameOf(owner.kind, row.id)
  } else if (ids || (resource.key !== null && !isNamed(resource.kind, row.id))) record.id = row.id
  for (const [name, { notes }] of Object.entries(resource.fields)) {
    const shown = exportedValue(resource, name, row, secrets)
    if (!shown) continue
    const { value } = shown
    if (!notes.ref || value === null) record[name] = value
    else if (Array.isArray(value)) record[name] = value.map((id) => nameOf(notes.ref!, id)).sort(byText)
    else
      record[
        notes.nameAliases?.[0] !== undefined && isNamed(notes.ref, value as number) ? notes.nameAliases[0] : name
      ] = nameOf(notes.ref, value as number)
  }
  return record
}

const byText = (a: unknown, b: unknown): number => (String(a) < String(b) ? -1 : String(a) > String(b) ? 1 : 0)
const byKey = (a: { key: string }, b: { key: string }): number => byText(a.key, b.key)
