import type { WatchedCaches } from './health.js'
import type { CacheStats } from './monitorDocuments.js'

/** Shares of the capacity of edge caches, in percent. */
export interface Capacity {
  readonly availablePercent: number
  readonly unavailablePercent: number
  readonly utilizedPercent: number
  readonly maintenancePercent: number
}

export interface MeasuredCaches extends WatchedCaches {
  readonly stats: CacheStats | null
}

/**
 * How the capacity of the edge caches that a monitor measures is used: what available caches serve is utilized, what
 * others serve unavailable or in maintenance, the rest available. A cache's capacity is what it can serve without
 * what its profile reserves (clients.md §8). All zero when there is no capacity.
 */
export function capacity(cdns: readonly MeasuredCaches[]): Capacity {
  const sum = { capacity: 0, utilized: 0, unavailable: 0, maintenance: 0 }
  for (const { caches, states, stats } of cdns)
    for (const { hostName, isEdge, status, reservedKbps } of caches) {
      const load = stats?.caches.get(hostName)
      const isAvailable = states?.caches.get(hostName)
      if (!isEdge || load === undefined || isAvailable === undefined) continue
      if (status === 'ADMIN_DOWN') sum.maintenance += load.kbps
      else sum[isAvailable ? 'utilized' : 'unavailable'] += load.kbps
      sum.capacity += load.maxKbps - reservedKbps
    }
  const percent = (kbps: number) => (sum.capacity > 0 ? (kbps / sum.capacity) * 100 : 0)
  return {
    availablePercent: percent(sum.capacity - sum.utilized - sum.unavailable - sum.maintenance),
    unavailablePercent: percent(sum.unavailable),
    utilizedPercent: percent(sum.utilized),
    maintenancePercent: percent(sum.maintenance),
  }
}
