import { LRUCache } from 'lru-cache'
import { isLong, turn } from '../flow/turns.js'
import type { Data } from '../schema/data.js'
import type { Change, Entry, EntryHead, Store } from '../store/store.js'
import { fingerprintRecord } from '../store/vaultFingerprint.js'

/** What a watcher is told of a journal entry. */
export interface ChangeEvent {
  readonly revision: number
  /** Ids of the CDNs whose files or snapshots may differ; `null` when it may be any. */
  readonly cdns: readonly number[] | null
  /** What goes over the wire, made once for all watchers. */
  readonly text: string
}

export interface ChangeFeed {
  /** Told of every entry once it is applied. */
  applied(entry: Entry): void
  /** Calls `listener` after every later entry until the returned function is called. */
  subscribe(listener: () => void): () => void
  /** The next events after a revision, ascending, however far back: from memory, else from the journal. */
  eventsAfter(revision: number): Promise<readonly ChangeEvent[]>
  readonly watchers: number
}

/** Events kept in memory, of a few hundred bytes each. */
const mostKept = 10_000
/** Events that are read or handed out together. */
const page = 100
/** An entry with more changes is looked through in slices, from the journal, and only when somebody watches. */
const fewChanges = 200

export function createChangeFeed({ data, store }: { data: Data; store: Store }): ChangeFeed {
  const listeners = new Set<() => void>()
  const kept = new LRUCache<number, ChangeEvent>({ max: mostKept })
  const reading = new Map<number, Promise<readonly ChangeEvent[]>>()

  const eventFrom = ({ revision, time }: EntryHead, { kinds, cdns }: Tally): ChangeEvent => {
    const ids = cdns && [...cdns].sort((a, b) => a - b)
    const names = ids?.flatMap((id) => data.get('cdns', id)?.name ?? []) ?? null
    const text = JSON.stringify({ revision, time, cdns: names, kinds: [...kinds].sort() })
    const event = { revision, cdns: ids, text }
    kept.set(revision, event)
    return event
  }

  async function read(revision: number): Promise<readonly ChangeEvent[]> {
    const events: ChangeEvent[] = []
    for (const head of await store.headsAfter(revision, page)) {
      const known = kept.get(head.revision)
      if (known) {
        events.push(known)
        continue
      }
      const tally = newTally()
      for await (const slice of store.changesOf(head.revision)) {
        for (const change of slice) {
          count(change, tally, data)
          if (isLong()) await turn()
        }
      }
      events.push(eventFrom(head, tally))
    }
    return events
  }

  return {
    applied: (entry) => {
      if (listeners.size === 0) return
      if (entry.changes.length <= fewChanges) {
        const tally = newTally()
        for (const change of entry.changes) count(change, tally, data)
        eventFrom(entry, tally)
      }
      for (const listener of [...listeners]) listener()
    },
    subscribe: (listener) => {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
    eventsAfter: async (revision) => {
      const known: ChangeEvent[] = []
      for (let next = kept.get(revision + 1); next && known.length < page; next = kept.get(next.revision + 1)) {
        known.push(next)
      }
      if (known.length > 0) return known
      // All who resume from the same revision share one look into the journal.
      let shared = reading.get(revision)
      if (!shared) {
        shared = read(revision).finally(() => reading.delete(revision))
        reading.set(revision, shared)
      }
      return shared
    },
    get watchers() {
      return listeners.size
    },
  }
}

export const concerns = ({ cdns }: ChangeEvent, cdnId: number | null): boolean =>
  cdnId === null || cdns === null || cdns.includes(cdnId)

/** Kinds that no config file and no snapshot shows. */
const silent = new Set<string>([
  'users',
  'apiTokens',
  'hwinfo',
  'statsSummaries',
  'serverChecks',
  'extensions',
  'capabilities',
  'apiCapabilities',
  'roles',
  'deliveryServiceUsers',
  fingerprintRecord.kind,
])

interface Tally {
  readonly kinds: Set<string>
  /** `null` once a change may concern any CDN. */
  cdns: Set<number> | null
  /** Profiles whose servers were looked through: thousands of parameters may hang on one. */
  readonly profiles: Set<number>
}

const newTally = (): Tally => ({ kinds: new Set(), cdns: new Set(), profiles: new Set() })

function count({ kind, before, after }: Change, tally: Tally, data: Data): void {
  tally.kinds.add(kind)
  if (silent.has(kind)) return
  for (const record of [before, after]) {
    if (!record || !tally.cdns) continue
    for (const id of cdnsOfRecord(kind, record, data, tally)) {
      if (id === null) tally.cdns = null
      else tally.cdns?.add(id)
    }
  }
}

function cdnsOfRecord(
  kind: string,
  record: Readonly<Record<string, unknown>>,
  data: Data,
  tally: Tally,
): (number | null)[] {
  const ofService = (id: unknown) => data.get('deliveryServices', id as number)?.cdnId
  const ofServer = (id: unknown) => data.get('servers', id as number)?.cdnId
  // A record that hangs on one deleted in the same entry: the deletion itself names the CDN.
  const known = (id: number | undefined) => (id === undefined ? [] : [id])
  switch (kind) {
    case 'cdns':
    case 'activeSnapshots':
      return [record.id as number]
    case 'servers':
    case 'deliveryServices':
    case 'dnssecKeys':
      return [record.cdnId as number]
    case 'deliveryServiceServers':
    case 'serverUpdates':
      return known(ofServer(record.id))
    case 'urlSigKeys':
    case 'uriSigningKeys':
      return known(ofService(record.id))
    case 'deliveryServiceRegexes':
    case 'origins':
    case 'jobs':
    case 'sslKeys':
    case 'staticDnsEntries':
    case 'steeringTargets':
      return known(ofService(record.deliveryServiceId))
    case 'parameters': {
      const profiles = (record.profiles as readonly number[]).filter((id) => !tally.profiles.has(id))
      for (const id of profiles) tally.profiles.add(id)
      return profiles.flatMap((id) => data.by('servers', 'profileId', id).map(({ cdnId }) => cdnId))
    }
    case 'snapshots':
      return known(record.cdnId as number | undefined)
    default:
      return [null]
  }
}
