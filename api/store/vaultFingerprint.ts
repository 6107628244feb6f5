import type { Change, LoadedRecord } from './store.js'

/**
 * Which vault key a store is sealed with: one record of a kind that no resource declares, so that nothing but the
 * boundary of the store and the commands of the vault ever sees it. Journaled like any other, so that of two
 * instances that start with different keys one is second.
 */
export const fingerprintRecord = { kind: 'vaultKey', id: 1 } as const

export const fingerprintChange = (before: string | null, after: string): Change => ({
  ...fingerprintRecord,
  before: before === null ? null : { id: fingerprintRecord.id, fingerprint: before },
  after: { id: fingerprintRecord.id, fingerprint: after },
})

export const fingerprintOf = (records: readonly LoadedRecord[]): string | null =>
  asFingerprint(records.find(({ kind }) => kind === fingerprintRecord.kind)?.record.fingerprint)

/** The fingerprint that an entry's changes bring; `null` when they bring none. */
export const fingerprintIn = (changes: readonly Change[]): string | null =>
  asFingerprint(changes.findLast(({ kind }) => kind === fingerprintRecord.kind)?.after?.fingerprint)

const asFingerprint = (value: unknown): string | null => (typeof value === 'string' ? value : null)
