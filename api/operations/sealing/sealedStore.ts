import { VaultError } from '../../../compiler/core/vault.js'
import type { Vault } from '../../config/vault.js'
import { inSlices } from '../../flow/slices.js'
import type { Change, Entry, LoadedRecord, Store } from '../../store/store.js'
import { StoreUnavailable } from '../../store/store.js'
import { fingerprintChange, fingerprintIn } from '../../store/vaultFingerprint.js'
import type { SealedPlaces, SealedValue } from './sealing.js'
import { openRecord, sealEntry } from './sealing.js'

/** The store holds material of another vault key than this instance's: nothing more can be read or written with it. */
export class OtherVaultKey extends StoreUnavailable {
  override name = 'OtherVaultKey'
}

/**
 * The boundary between the working set, which has secret fields in clear, and the store, which never does. What goes
 * in is sealed, before and after; what comes out is opened. The first entry takes the key's fingerprint along.
 *
 * @param from the revision at which this instance loaded: entries after it are sealed with its key, or it has to stop
 * @param told called once when another key takes the store over while this instance runs
 */
export function sealedStore(
  store: Store,
  given: {
    places: SealedPlaces
    vault: Vault
    from: number
    hasFingerprint: boolean
    told?: (error: OtherVaultKey) => void
  },
): Store {
  const { places, vault } = given
  let { hasFingerprint } = given
  let sealing: Promise<unknown> = Promise.resolve()

  const takeover = watchForOthers(given)
  const { openedRecords, openedEntry, openedAll } = opening(given)

  // Written out, so that whoever adds to the store has to say what of it is sealed.
  return {
    history: store.history,

    async load() {
      const loaded = await store.load()
      return { ...loaded, records: await inSlices(openedRecords(loaded.records)) }
    },

    async append(entries) {
      takeover.refuse()
      // One after the other, however long each takes: appends must reach the store in order.
      const made = sealing.then(() => inSlices(allOf(entries.map((entry) => sealEntry(entry, places, vault)))))
      // The next only waits for it; how it went, its own caller hears.
      sealing = made.catch(() => {})
      const sealed = await made
      const [first] = sealed
      if (!hasFingerprint && first)
        sealed[0] = { ...first, changes: [...first.changes, fingerprintChange(null, vault.id)] }
      const committed = await store.append(sealed)
      if (committed > 0) hasFingerprint = true
      return committed
    },

    async entriesAfter(revision, limit) {
      const entries = await store.entriesAfter(revision, limit)
      for (const entry of entries) if (takeover.isOwn(entry)) hasFingerprint = true
      return inSlices(allOf(entries.map((entry) => openedEntry(entry))))
    },

    async *changesOf(revision) {
      for await (const slice of store.changesOf(revision)) yield await inSlices(openedAll(slice))
    },

    async ping() {
      takeover.refuse()
      await store.ping()
    },

    headsAfter: store.headsAfter,
    head: store.head,
    base: store.base,
    lastBefore: store.lastBefore,
    trim: store.trim,
    log: store.log,
    // Frozen documents are what routers and monitors are served: nothing in them is secret.
    putBlob: store.putBlob,
    getBlob: store.getBlob,
    deleteBlobs: store.deleteBlobs,
    listBlobs: store.listBlobs,
    // What a backup is made of stays as it lies in the store: sealed.
    contents: store.contents,
    settled: store.settled,
    close: store.close,
  }
}

/** Looks out for entries that say that another key has taken the store over: then it refuses, for ever. */
function watchForOthers({ vault, from, told }: { vault: Vault; from: number; told?: (error: OtherVaultKey) => void }) {
  let other: OtherVaultKey | null = null
  return {
    refuse(): void {
      if (other) throw other
    },
    /** Whether the entry says that the store is sealed with this key; most say nothing. */
    isOwn({ revision, changes }: Entry): boolean {
      const fingerprint = fingerprintIn(changes)
      if (fingerprint === null || revision <= from) return false
      if (fingerprint === vault.id) return true
      if (!other) {
        const text = `VAULT_KEY has the fingerprint ${vault.id}, but since revision ${revision} the store holds what is sealed with the key of the fingerprint ${fingerprint}. Start this instance again with that key.`
        other = new OtherVaultKey(text)
        told?.(other)
      }
      throw other
    },
  }
}

/** Opens what comes out of the store, a record or a change a step. */
function opening({ places, vault }: { places: SealedPlaces; vault: Vault }) {
  /** The journal goes further back than the key: what an earlier one sealed stays sealed. */
  const opened = (change: Change): Change => {
    if (places.fieldsOf(change.kind).length === 0) return change
    const open = (record: Change['after']) =>
      openRecord(change.kind, record, places, (value) => unsealed(vault, value) ?? value)
    return { ...change, before: open(change.before), after: open(change.after) }
  }

  function* openedEntry(entry: Entry): Generator<void, Entry> {
    return { ...entry, changes: yield* openedAll(entry.changes) }
  }

  function* openedAll(changes: readonly Change[]): Generator<void, Change[]> {
    const done: Change[] = []
    for (const change of changes) {
      done.push(opened(change))
      yield
    }
    return done
  }

  function* openedRecords(stored: readonly LoadedRecord[]): Generator<void, LoadedRecord[]> {
    const records: LoadedRecord[] = []
    for (const one of stored) {
      const record = openRecord(one.kind, one.record, places, ({ sealed }) => vault.unseal(sealed))
      records.push(record === one.record ? one : { ...one, record })
      yield
    }
    return records
  }

  return { openedRecords, openedEntry, openedAll }
}

function* allOf<T>(works: readonly Generator<void, T>[]): Generator<void, T[]> {
  const done: T[] = []
  for (const work of works) done.push(yield* work)
  return done
}

/** `null` where the key does not open it. */
function unsealed(vault: Vault, { sealed }: SealedValue): string | null {
  try {
    return vault.unseal(sealed)
  } catch (error) {
    if (error instanceof VaultError) return null
    throw error
  }
}
