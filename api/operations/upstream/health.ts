import type { LiveCache } from './describe.js'
import type { States } from './monitorDocuments.js'

export interface Health {
  readonly totalOnline: number
  readonly totalOffline: number
  /** Groups with most trouble first; groups without a watched cache are left out. */
  readonly cachegroups: readonly { readonly name: string; readonly online: number; readonly offline: number }[]
}

/** A CDN's caches with what a monitor said of them, null when none could be asked. */
export interface WatchedCaches {
  readonly caches: readonly LiveCache[]
  readonly states: States | null
}

/**
 * How many edge caches are online, by cache group. Only REPORTED ones count, and only those the monitor knows: it
 * does not watch the others (clients.md §8).
 */
export function health(cdns: readonly WatchedCaches[]): Health {
  const groups = new Map<string, { online: number; offline: number }>()
  for (const { caches, states } of cdns)
    for (const { hostName, isEdge, status, cachegroup } of caches) {
      const isAvailable = states?.caches.get(hostName)
      if (!isEdge || status !== 'REPORTED' || isAvailable === undefined) continue
      const group = groups.get(cachegroup) ?? { online: 0, offline: 0 }
      group[isAvailable ? 'online' : 'offline']++
      groups.set(cachegroup, group)
    }
  const cachegroups = [...groups]
    .map(([name, counts]) => ({ ...counts, name }))
    .toSorted((a, b) => b.offline - a.offline || (a.name < b.name ? -1 : 1))
  const total = (what: 'online' | 'offline') => cachegroups.reduce((sum, group) => sum + group[what], 0)
  return { totalOnline: total('online'), totalOffline: total('offline'), cachegroups }
}
