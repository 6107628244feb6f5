import type { MeasuredCaches } from './capacity.js'

/** What one cache serves, or a group of caches together. */
export interface CacheRow {
  readonly profile: string
  readonly hostname: string
  readonly cachegroup: string
  readonly healthy: boolean
  readonly status: string
  readonly connections: number
  readonly kbps: number
  /** Null in a row of several caches. */
  readonly ip: string | null
}

/** The sum over all caches first, then that of every cache group, then every cache with what the monitor says of it. */
export function cachesStats(cdns: readonly MeasuredCaches[]): CacheRow[] {
  const rows = cdns
    .flatMap(({ caches, states, stats }) =>
      caches.map(({ hostName, profile, cachegroup, status, ip }) => ({
        profile,
        hostname: hostName,
        cachegroup,
        healthy: states?.caches.get(hostName) ?? false,
        status,
        connections: stats?.caches.get(hostName)?.connections ?? 0,
        kbps: stats?.caches.get(hostName)?.kbps ?? 0,
        ip,
      })),
    )
    .toSorted((a, b) => compare(a.cachegroup, b.cachegroup) || compare(a.hostname, b.hostname))
  const groups = new Map<string, CacheRow[]>()
  for (const row of rows) {
    const members = groups.get(row.cachegroup) ?? []
    members.push(row)
    groups.set(row.cachegroup, members)
  }
  return [total('ALL', rows), ...[...groups].map(([name, members]) => total(name, members)), ...rows]
}

function total(cachegroup: string, rows: readonly CacheRow[]): CacheRow {
  const sum = (what: 'connections' | 'kbps') => rows.reduce((so, row) => so + row[what], 0)
  const row = { profile: 'ALL', hostname: 'ALL', cachegroup, healthy: true, status: 'ALL', ip: null }
  return { ...row, connections: sum('connections'), kbps: sum('kbps') }
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)
