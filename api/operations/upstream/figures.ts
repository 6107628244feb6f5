import type { MeasuredCaches } from './capacity.js'

/** What the caches of a CDN serve in kbps and could, and their open connections; `null` where nobody said. */
export interface Figures {
  readonly bandwidth: number
  readonly connections: number
  readonly maxkbps: number
}

/** The sums over all caches of a CDN that the monitor measures. */
export function figures({ caches, stats }: Pick<MeasuredCaches, 'caches' | 'stats'>): Figures | null {
  if (stats === null) return null
  const sums = { bandwidth: 0, connections: 0, maxkbps: 0 }
  for (const { hostName } of caches) {
    const load = stats.caches.get(hostName)
    if (load === undefined) continue
    sums.bandwidth += load.kbps
    sums.connections += load.connections
    sums.maxkbps += load.maxKbps
  }
  return sums
}
