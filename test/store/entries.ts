import { randomUUID } from 'node:crypto'
import type { Change, Entry, Loaded, LoadedRecord, StoredRecord } from '../../api/store/store.js'

const epoch = Date.UTC(2026, 0, 1)

/** A valid entry for a revision; the later the revision, the later its time, by a second each. */
export function entryAt(revision: number, given: Partial<Entry> = {}): Entry {
  return {
    revision,
    time: timeAt(revision),
    user: 'admin',
    id: randomUUID(),
    // A client may say the same for all that it asks, and so may another: nothing must rest on it.
    requestId: 'whatever-a-client-says',
    changes: [created('cdns', { id: revision, name: `cdn-${revision}` })],
    log: [{ level: 'APICHANGE', message: `made cdn-${revision}`, ticketNum: null }],
    ...given,
  }
}

export function timeAt(revision: number): string {
  return new Date(epoch + revision * 1000).toISOString()
}

export function created(kind: string, after: StoredRecord): Change {
  return { kind, id: after.id, before: null, after }
}

export function updated(kind: string, before: StoredRecord, after: StoredRecord): Change {
  return { kind, id: after.id, before, after }
}

export function deleted(kind: string, before: StoredRecord): Change {
  return { kind, id: before.id, before, after: null }
}

/** What a store that holds exactly these entries must load. */
export function replay(entries: readonly Entry[]): Loaded {
  const records = new Map<string, LoadedRecord>()
  const lastIds: Record<string, number> = {}
  for (const { revision, changes } of entries) {
    for (const { kind, id, after } of changes) {
      lastIds[kind] = Math.max(lastIds[kind] ?? 0, id)
      if (after) records.set(`${kind} ${id}`, { kind, record: after, revision })
      else records.delete(`${kind} ${id}`)
    }
  }
  const time =
    entries
      .map(({ time }) => time)
      .sort()
      .at(-1) ?? ''
  return sorted({ revision: entries.at(-1)?.revision ?? 0, time, lastIds, records: [...records.values()] })
}

/** In an order of its own: a store may load its records in any. */
export function sorted(loaded: Loaded): Loaded {
  const byKindAndId = (a: LoadedRecord, b: LoadedRecord) => a.kind.localeCompare(b.kind) || a.record.id - b.record.id
  return { ...loaded, records: [...loaded.records].sort(byKindAndId) }
}
