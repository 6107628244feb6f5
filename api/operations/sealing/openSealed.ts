import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import { sealedWith, VaultError } from '../../../compiler/core/vault.js'
import type { Secrets } from '../../config/secrets.js'
import { createVault, lacksVaultKey, readSecrets, vaultKeyFile } from '../../config/secrets.js'
import type { Settings } from '../../config/settings.js'
import type { Vault } from '../../config/vault.js'
import { complete } from '../../journal/complete.js'
import type { RecordKinds } from '../../journal/kinds.js'
import { system } from '../../schema/privileges.js'
import type { Entry, Loaded, LoadedRecord, Store } from '../../store/store.js'
import { StoreRefused } from '../../store/store.js'
import { fingerprintChange, fingerprintOf } from '../../store/vaultFingerprint.js'
import type { Resealing } from './reseal.js'
import { isInClear, reseal } from './reseal.js'
import { sealedStore } from './sealedStore.js'
import type { SealedPlaces } from './sealing.js'
import { isSealedValue, openRecord, sealedPlaces } from './sealing.js'

export interface OpenedStore {
  /** With everything secret in clear on this side, and nothing on the other. */
  readonly store: Store
  /** What the store holds, opened. */
  readonly loaded: Loaded
  readonly secrets: Secrets
  readonly vault: Vault
}

interface Opening {
  readonly settings: Settings
  readonly catalogue: RecordKinds
  readonly now: () => Date
  readonly log: Logger
  /** Whether every sealed text is opened, also where the store says which key sealed them: somebody else wrote it. */
  readonly thoroughly?: boolean
}

/**
 * Loads the store and sees to it that the vault key in use is the one that opens what the store holds, and the only
 * one: throws StoreRefused, with what to do, when it is not. What lies in clear from before is sealed, and a store
 * that has no fingerprint gets one, when there is anything in it.
 */
export async function openSealed(store: Store, given: Opening): Promise<OpenedStore> {
  const { settings, catalogue, now, log, thoroughly = false } = given
  const places = sealedPlaces(catalogue)
  for (;;) {
    const stored = await store.load()
    const fingerprint = fingerprintOf(stored.records)
    const secrets = secretsFor(settings, fingerprint, stored.records, places)
    const vault = createVault(secrets.vaultKey)
    const keyName = settings.vaultKey === null ? vaultKeyFile(settings.dataDir) : 'VAULT_KEY'
    if (fingerprint !== null && fingerprint !== vault.id)
      throw new StoreRefused(otherKey(keyName, vault.id, fingerprint))
    mustOpen(keyName, stored.records, vault, places, { thoroughly: thoroughly || fingerprint === null })
    if (stored.revision === 0 || (fingerprint !== null && !hasClear(stored.records, places))) {
      const told = (error: Error) => log.error({ err: error }, 'the store is sealed with another vault key now')
      const seals = { places, vault, from: stored.revision, hasFingerprint: fingerprint !== null, told }
      const loaded = completed(opened(keyName, stored, vault, places), catalogue)
      return { store: sealedStore(store, seals), loaded, secrets, vault }
    }
    // When another instance was first, what it wrote is looked at like everything else that is there.
    await sealWith(vault, store, stored, reseal(stored.records, places, { to: vault, from: [] }), now())
  }
}

/** An entry that has everything sealed with one key. Resolves with false when another entry was first. */
export async function sealWith(
  vault: Pick<Vault, 'id'>,
  store: Store,
  { revision, records }: Loaded,
  { changes, resealed }: Resealing,
  now: Date,
): Promise<boolean> {
  const fingerprint = fingerprintOf(records)
  const [last] = await store.entriesAfter(revision - 1, 1)
  const time = now.toISOString()
  const entry: Entry = {
    revision: revision + 1,
    time: last && last.time > time ? last.time : time,
    user: system.username,
    id: randomUUID(),
    requestId: 'vault',
    changes: fingerprint === vault.id ? changes : [...changes, fingerprintChange(fingerprint, vault.id)],
    log: [
      {
        level: 'OPER',
        message: `Sealed ${resealed} records with the vault key of the fingerprint ${vault.id}`,
        ticketNum: null,
      },
    ],
  }
  return (await store.append([entry])) === 1
}

/** A new key would not open what is there, so none is made. */
function secretsFor(
  settings: Settings,
  fingerprint: string | null,
  records: readonly LoadedRecord[],
  places: SealedPlaces,
): Secrets {
  if (!lacksVaultKey(settings)) return readSecrets(settings)
  const [first] = sealedTexts(records, places)
  if (fingerprint === null && first === undefined) return readSecrets(settings)
  const key = fingerprint ?? keyOf(first!.sealed) ?? 'unknown'
  throw new StoreRefused(
    `What ${settings.dataDir} holds is sealed with the vault key of the fingerprint ${key}, but VAULT_KEY is not set and there is no ${vaultKeyFile(settings.dataDir)}. Set VAULT_KEY to that key, or put the file back; no new key is made over what it could not open.`,
  )
}

const otherKey = (name: string, own: string, stored: string): string =>
  `${name} has the fingerprint ${own}, but what the store holds is sealed with the key of the fingerprint ${stored}. Start with that key; or, to move to this one, stop every instance and run 'edgewright vault rotate' with VAULT_KEY_OLD set to that key and VAULT_KEY to this one.`

/** @param thoroughly whether every sealed text is opened, instead of looking which key sealed it */
function mustOpen(
  name: string,
  records: readonly LoadedRecord[],
  vault: Vault,
  places: SealedPlaces,
  { thoroughly }: { thoroughly: boolean },
): void {
  const faults: string[] = []
  for (const { what, sealed } of sealedTexts(records, places)) {
    if (!thoroughly && keyOf(sealed) === vault.id) continue
    const fault = faultOf(() => vault.unseal(sealed))
    if (fault !== null) faults.push(`${what}: ${fault}`)
  }
  if (faults.length > 0) throw new StoreRefused(doesNotOpen(name, faults))
}

function doesNotOpen(name: string, faults: readonly string[]): string {
  const more = faults.length > 3 ? `; and ${faults.length - 3} more` : ''
  return `${name} does not open all that the store holds: ${faults.slice(0, 3).join('; ')}${more}. Start with the key that opens it; a mixture is mended by 'edgewright vault rotate' with VAULT_KEY set to the key to use and VAULT_KEY_OLD, VAULT_KEY_OLD_2, … to the others.`
}

function* sealedTexts(
  records: readonly LoadedRecord[],
  places: SealedPlaces,
): Iterable<{ what: string; sealed: string }> {
  for (const { kind, record } of records) {
    if (places.holdsKeys(kind)) yield { what: `${kind} ${record.id}`, sealed: String(record.sealed) }
    for (const { name } of places.fieldsOf(kind)) {
      const value = record[name]
      if (isSealedValue(value)) yield { what: `${name} of ${kind} ${record.id}`, sealed: value.sealed }
    }
  }
}

const hasClear = (records: readonly LoadedRecord[], places: SealedPlaces): boolean =>
  records.some(({ kind, record }) => places.fieldsOf(kind).some((field) => isInClear(record, field)))

function opened(name: string, stored: Loaded, vault: Vault, places: SealedPlaces): Loaded {
  const records = stored.records.map((one) => {
    const record = openRecord(one.kind, one.record, places, ({ sealed }) => {
      let plain = ''
      const fault = faultOf(() => {
        plain = vault.unseal(sealed)
      })
      if (fault !== null) throw new StoreRefused(doesNotOpen(name, [`${one.kind} ${one.record.id}: ${fault}`]))
      return plain
    })
    return record === one.record ? one : { ...one, record }
  })
  return { ...stored, records }
}

/** Every field of a record is there, also where it was written before its kind had them all. */
function completed(loaded: Loaded, catalogue: RecordKinds): Loaded {
  const records = loaded.records.map((one) => {
    if (!catalogue.has(one.kind)) return one
    const { fields } = catalogue.of(one.kind)
    const isWhole = Object.keys(fields).every((name) => one.record[name] !== undefined)
    return isWhole ? one : { ...one, record: { ...one.record, ...complete(fields, one.record) } }
  })
  return { ...loaded, records }
}

/** `null` where the text is no sealed one. */
function keyOf(sealed: string): string | null {
  try {
    return sealedWith(sealed)
  } catch (error) {
    if (error instanceof VaultError) return null
    throw error
  }
}

function faultOf(work: () => unknown): string | null {
  try {
    work()
    return null
  } catch (error) {
    if (error instanceof VaultError) return error.message
    throw error
  }
}
