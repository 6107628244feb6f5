import type { Vault } from '../../config/vault.js'
import type { RecordKinds } from '../../journal/kinds.js'
import type { SealedField } from '../../schema/secrecy.js'
import { sealedFields } from '../../schema/secrecy.js'
import type { Change, Entry, StoredRecord } from '../../store/store.js'

/**
 * How secret fields lie in the store: as `{sealed: "v1.…"}` where the working set has a text. All secret fields are
 * texts and bodies are checked against that, so no client can send what would be taken for a sealed value.
 */
export interface SealedValue {
  readonly sealed: string
}

export const isSealedValue = (value: unknown): value is SealedValue =>
  typeof value === 'object' && value !== null && typeof (value as Partial<SealedValue>).sealed === 'string'

/** Where records of each kind hold something sealed. */
export interface SealedPlaces {
  /** Fields that are sealed between the working set and the store. */
  fieldsOf(kind: string): readonly SealedField[]
  /** Whether records of the kind are private keys, whose field `sealed` is a sealed text in the working set, too. */
  holdsKeys(kind: string): boolean
}

export function sealedPlaces({ resources }: Pick<RecordKinds, 'resources'>): SealedPlaces {
  const fields = new Map(resources.map((resource) => [resource.kind, sealedFields(resource.fields)]))
  const keys = new Set(resources.flatMap(({ kind, fields }) => ('sealed' in fields ? [kind] : [])))
  const none: readonly SealedField[] = []
  return { fieldsOf: (kind) => fields.get(kind) ?? none, holdsKeys: (kind) => keys.has(kind) }
}

/** An entry as the store is to hold it, a change a step. */
export function* sealEntry(entry: Entry, places: SealedPlaces, vault: Pick<Vault, 'seal'>): Generator<void, Entry> {
  const changes: Change[] = []
  for (const change of entry.changes) {
    changes.push(sealChange(change, places.fieldsOf(change.kind), vault))
    yield
  }
  return { ...entry, changes }
}

/** What becomes secret with a change is sealed in the record before it, too. */
function sealChange(change: Change, fields: readonly SealedField[], vault: Pick<Vault, 'seal'>): Change {
  if (fields.length === 0) return change
  const { before, after } = change
  const sealed = (record: StoredRecord | null, flags: readonly (StoredRecord | null)[]) =>
    record &&
    withFields(record, fields, (value, { when }) =>
      typeof value === 'string' && (when === null || flags.some((one) => one?.[when] === true))
        ? { sealed: vault.seal(value) }
        : value,
    )
  return { ...change, before: sealed(before, [before, after]), after: sealed(after, [after]) }
}

/** A record as the working set has it. What `open` does not open stays as it is. */
export function openRecord<R extends StoredRecord | null>(
  kind: string,
  record: R,
  places: SealedPlaces,
  open: (value: SealedValue) => unknown,
): R {
  const fields = places.fieldsOf(kind)
  if (record === null || fields.length === 0) return record
  return withFields(record, fields, (value) => (isSealedValue(value) ? open(value) : value)) as R
}

/** The record itself where nothing of it differs. */
export function withFields(
  record: StoredRecord,
  fields: readonly SealedField[],
  made: (value: unknown, field: SealedField) => unknown,
): StoredRecord {
  let copy: Record<string, unknown> | null = null
  for (const field of fields) {
    const value = record[field.name]
    const other = made(value, field)
    if (other === value) continue
    copy ??= { ...record }
    copy[field.name] = other
  }
  return (copy as StoredRecord | null) ?? record
}
