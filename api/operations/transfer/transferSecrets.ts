import { VaultError } from '../../../compiler/core/vault.js'
import type { Fault } from '../../config/errors.js'
import type { Vault } from '../../config/vault.js'
import type { RecordKinds } from '../../journal/kinds.js'
import type { RecordKind } from '../../journal/recordKind.js'
import type { Values } from '../../records/recordBody.js'
import { spellingIn } from '../../records/spellings.js'
import type { Data, Kind } from '../../schema/data.js'
import type { Row } from '../../schema/defineKind.js'
import { isSecret, mask } from '../../schema/secrecy.js'
import type { SealedPlaces } from '../sealing/sealing.js'
import { isSealedValue, sealedPlaces } from '../sealing/sealing.js'

/** What is secret in import documents: sealed in exports with secrets, masked or left out in the others. */

/**
 * A document with its sealed values in clear, made a record a step, as records are checked; keys stay sealed, as records hold them. What
 * the vault key does not open is a fault that names both keys, so that nothing is stored that nobody could read.
 */
export function* openedDocument(
  document: unknown,
  catalogue: RecordKinds,
  vault: Pick<Vault, 'unseal'>,
): Generator<void, { document: unknown; faults: Fault[] }> {
  if (typeof document !== 'object' || document === null || Array.isArray(document)) return { document, faults: [] }
  const places = sealedPlaces(catalogue)
  const faults: Fault[] = []
  const open = (sealed: string, path: string): string | null => {
    try {
      return vault.unseal(sealed)
    } catch (error) {
      if (!(error instanceof VaultError)) throw error
      faults.push({ path, text: `${path}: ${error.message}` })
      return null
    }
  }
  const opened: Record<string, unknown> = { ...document }
  for (const [kind, records] of Object.entries(document)) {
    if (!Array.isArray(records) || (!places.holdsKeys(kind) && places.fieldsOf(kind).length === 0)) continue
    const made: unknown[] = []
    for (const [at, record] of records.entries()) {
      made.push(openedRecord(kind, record, places, `${kind}[${at}]`, open))
      yield
    }
    opened[kind] = made
  }
  return { document: opened, faults }
}

function openedRecord(
  kind: string,
  record: unknown,
  places: SealedPlaces,
  path: string,
  open: (sealed: string, path: string) => string | null,
): unknown {
  if (typeof record !== 'object' || record === null || Array.isArray(record)) return record
  const values = record as Values
  if (places.holdsKeys(kind) && typeof values.sealed === 'string') open(values.sealed, `${path}.sealed`)
  const sealed = places.fieldsOf(kind).filter(({ name }) => isSealedValue(values[name]))
  if (sealed.length === 0) return record
  const clear = sealed.map(({ name }) => {
    const { sealed } = values[name] as { sealed: string }
    return [name, open(sealed, `${path}.${name}`) ?? mask]
  })
  return { ...values, ...Object.fromEntries(clear) }
}

/** How an export shows a field of a record; `undefined`: not at all. */
export function exportedValue(
  resource: RecordKind,
  name: string,
  row: Row,
  vault: Pick<Vault, 'sealAlike'> | null,
): { value: unknown } | undefined {
  const { notes } = resource.fields[name]!
  const value = row[name]
  if (!isSecret(notes, row)) return { value }
  // A record that cannot be without the field shows that there is something.
  if (vault === null) return notes.secretWhen === undefined ? undefined : { value: mask }
  const isSealedAtRest = !notes.hidden && typeof value === 'string'
  if (!isSealedAtRest) return { value }
  return { value: { sealed: vault.sealAlike(value, placeOf(resource, name, row)) } }
}

/** Names a field of a record without its id, which differs from store to store. */
function placeOf(resource: RecordKind, name: string, row: Row): string {
  const naming = resource.key ? [resource.key] : (resource.unique?.find((names) => names.includes(name)) ?? [])
  return JSON.stringify([resource.kind, name, ...naming.map((one) => (one === name ? null : row[one]))])
}

/**
 * Puts back what an export without secrets masked, from the record that is there: the one that has all the rest of a
 * unique combination, and of several the one whose other fields are the document's. What was taken once is not taken
 * again. A fault where there is none.
 */
export function withKeptSecrets(
  resource: RecordKind,
  given: unknown,
  data: Data,
  taken: Set<string>,
): { record: unknown; faults: Fault[] } {
  const masked = Object.entries(resource.fields).find(
    ([name, { notes }]) => notes.secretWhen !== undefined && isMasked(given, name, notes.secretWhen),
  )
  const names = masked && resource.unique?.find((fields) => fields.includes(masked[0]))
  if (!masked || !names) return { record: given, faults: [] }
  const [name, { notes }] = masked
  const record = given as Values
  const rows = (data.all(resource.kind as Kind) as readonly Row[]).filter(
    (row) =>
      isSecret(notes, row) &&
      !taken.has(`${resource.kind}/${row.id}`) &&
      names.every((field) => field === name || row[field] === saidOf(resource, record, field)),
  )
  const kept = rows.find((row) => hasLinks(resource, row, record, data)) ?? (rows.length === 1 ? rows[0] : undefined)
  if (kept) {
    taken.add(`${resource.kind}/${kept.id}`)
    return { record: { ...record, [name]: kept[name] }, faults: [] }
  }
  const why = rows.length === 0 ? 'there is no such record here' : 'several records here could be meant'
  const text = `${name}: the document does not hold the secret, and ${why}; put the value in, or leave the record out`
  return { record, faults: [{ path: name, text }] }
}

/** What a record of a document says of a field, by whatever name. */
const saidOf = ({ fields }: RecordKind, record: Values, name: string): unknown =>
  record[spellingIn(record, name, fields[name]!, false) ?? name]

function isMasked(given: unknown, name: string, flag: string): boolean {
  if (typeof given !== 'object' || given === null) return false
  const record = given as Values
  return record[name] === mask && isSet(record[flag])
}

/** A flag as clients write it. */
export const isSet = (flag: unknown): boolean => ([true, 1, '1', 'true'] as unknown[]).includes(flag)

/** Whether a row refers to what the document's record refers to, by name or id. */
function hasLinks(resource: RecordKind, row: Row, record: Values, data: Data): boolean {
  return Object.entries(resource.fields).every(([name, { notes }]) => {
    if (!notes.ref) return true
    const key = data.keyOf(notes.ref)
    const spelling = [name, ...(notes.nameAliases ?? [])].find((one) => record[one] !== undefined)
    const named = [spelling === undefined ? [] : record[spelling]].flat()
    const ids = named.map((one) => (typeof one === 'string' && key ? data.ids(notes.ref as Kind, key, one)[0] : one))
    return JSON.stringify(ids.sort()) === JSON.stringify([row[name] ?? []].flat().sort())
  })
}
