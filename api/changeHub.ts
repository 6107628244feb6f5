import type { Data } from './data.js'
import type { Change, Entry } from './store/store.js'

/** What a watcher is told of a journal entry. */
export interface ChangeEvent {
  readonly revision: number
  readonly time: string
  /** Ids of the CDNs whose files or snapshots may differ; `null` when it may be any. */
  readonly cdns: readonly number[] | null
  readonly kinds: readonly string[]
}

export interface ChangeHub {
  /** Told of every entry once it is applied. */
  applied(entry: Entry): void
  /** Calls `listener` for every later event until the returned function is called. */
  subscribe(listener: (event: ChangeEvent) => void): () => void
  eventOf(entry: Entry): ChangeEvent
  readonly watchers: number
}

export function createChangeHub(data: Data): ChangeHub {
  const listeners = new Set<(event: ChangeEvent) => void>()
  const eventOf = (entry: Entry): ChangeEvent => ({
    revision: entry.revision,
    time: entry.time,
    cdns: cdnsOf(entry.changes, data),
    kinds: [...new Set(entry.changes.map(({ kind }) => kind))].sort(),
  })
  return {
    applied: (entry) => {
      if (listeners.size === 0) return
      const event = eventOf(entry)
      for (const listener of [...listeners]) listener(event)
    },
    subscribe: (listener) => {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
    eventOf,
    get watchers() {
      return listeners.size
    },
  }
}

export const concerns = ({ cdns }: ChangeEvent, cdnId: number | null): boolean =>
  cdnId === null || cdns === null || cdns.includes(cdnId)

/** Kinds that no config file and no snapshot shows. */
const silent = new Set([
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
])

function cdnsOf(changes: readonly Change[], data: Data): readonly number[] | null {
  const cdns = new Set<number>()
  for (const change of changes) {
    if (silent.has(change.kind)) continue
    const found = [change.before, change.after].flatMap((record) =>
      record ? cdnsOfRecord(change.kind, record, data) : [],
    )
    if (found.includes(null)) return null
    for (const id of found) cdns.add(id as number)
  }
  return [...cdns].sort((a, b) => a - b)
}

function cdnsOfRecord(kind: string, record: Readonly<Record<string, unknown>>, data: Data): (number | null)[] {
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
      const profiles = record.profiles as readonly number[]
      return profiles.flatMap((id) => [...new Set(data.by('servers', 'profileId', id).map(({ cdnId }) => cdnId))])
    }
    case 'snapshots':
      return known(record.cdnId as number | undefined)
    default:
      return [null]
  }
}
