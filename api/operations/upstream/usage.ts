import type { LiveCache } from './describe.js'
import type { CacheStats, ServiceStats } from './monitorDocuments.js'

export interface Usage {
  readonly currentGbps: number
  /** Whole requests per second. */
  readonly tps: number
  /** Whole gigabits per second that the caches could serve. */
  readonly maxGbps: number
}

/** What all caches serve now, and could, with the requests to all delivery services. */
export function usage(
  cdns: readonly {
    readonly caches: readonly LiveCache[]
    readonly stats: CacheStats | null
    readonly services: ServiceStats | null
  }[],
): Usage {
  const sum = { kbps: 0, maxKbps: 0, tps: 0 }
  for (const { caches, stats, services } of cdns) {
    for (const { hostName } of caches) {
      const load = stats?.caches.get(hostName)
      if (load === undefined) continue
      sum.kbps += load.kbps
      sum.maxKbps += load.maxKbps
    }
    for (const tps of services?.tps.values() ?? []) sum.tps += tps
  }
  return { currentGbps: sum.kbps / 1e6, tps: Math.trunc(sum.tps), maxGbps: Math.round(sum.maxKbps / 1e6) }
}
