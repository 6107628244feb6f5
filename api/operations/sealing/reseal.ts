import { sealedWith, VaultError } from '../../../compiler/core/vault.js'
import type { Vault } from '../../config/vault.js'
import type { SealedField } from '../../schema/secrecy.js'
import type { Change, LoadedRecord, StoredRecord } from '../../store/store.js'
import type { SealedPlaces } from './sealing.js'
import { isSealedValue, withFields } from './sealing.js'

/** What it takes to have everything secret in a store sealed with one key. Records are counted, as the store holds them. */
export interface Resealing {
  readonly changes: readonly Change[]
  /** Records of which something has to be sealed with the key. */
  readonly resealed: number
  /** Records of which all is. */
  readonly already: number
  readonly lost: readonly Lost[]
}

/** Something sealed that none of the keys opens. */
export interface Lost {
  readonly kind: string
  readonly id: number
  readonly field: string
  readonly why: string
}

/** @param from further keys; what lies in clear needs none */
export function reseal(
  records: readonly LoadedRecord[],
  places: SealedPlaces,
  { to, from }: { to: Vault; from: readonly Vault[] },
): Resealing {
  const changes: Change[] = []
  const lost: Lost[] = []
  let resealed = 0
  let already = 0
  for (const { kind, record } of records) {
    const done = resealRecord(kind, record, places, { to, from })
    if (done.resealed > 0) resealed++
    else if (done.already > 0) already++
    lost.push(...done.lost)
    if (done.after !== record) changes.push({ kind, id: record.id, before: done.before, after: done.after })
  }
  return { changes, resealed, already, lost }
}

function resealRecord(
  kind: string,
  record: StoredRecord,
  places: SealedPlaces,
  { to, from }: { to: Vault; from: readonly Vault[] },
) {
  const lost: Lost[] = []
  const counts = { resealed: 0, already: 0 }
  /** Sealed with `to`; `null` when no key opens it. */
  const anew = (sealed: string, field: string): string | null => {
    try {
      const vault = [to, ...from].find(({ id }) => id === sealedWith(sealed)) ?? to
      const plain = vault.unseal(sealed)
      counts[vault === to ? 'already' : 'resealed']++
      return vault === to ? sealed : to.seal(plain)
    } catch (error) {
      if (!(error instanceof VaultError)) throw error
      lost.push({ kind, id: record.id, field, why: error.message })
      return null
    }
  }
  if (places.holdsKeys(kind)) {
    const sealed = anew(String(record.sealed), 'sealed')
    const after = sealed === null ? null : sealed === record.sealed ? record : { ...record, sealed }
    return { before: record, after, lost, ...counts }
  }
  const fields = places.fieldsOf(kind)
  // What lies in clear must not come into the journal once more as what was before.
  const before = withFields(record, fields, (value, field) => {
    if (!isInClear(record, field)) return value
    counts.resealed++
    return { sealed: to.seal(value as string) }
  })
  const after = withFields(before, fields, (value, { name, mayBeAbsent }) => {
    if (!isSealedValue(value) || isInClear(record, { name, when: null })) return value
    const sealed = anew(value.sealed, name)
    if (sealed === null) return mayBeAbsent ? null : ''
    return sealed === value.sealed ? value : { sealed }
  })
  return { before, after, lost, ...counts }
}

/** Whether a secret field of a record as it is stored was never sealed. */
export const isInClear = (record: StoredRecord, { name, when }: Pick<SealedField, 'name' | 'when'>): boolean =>
  typeof record[name] === 'string' && (when === null || record[when] === true)
