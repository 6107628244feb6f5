import type { CacheRow } from './cachesStats.js'

/** A row of the field's oldest table of caches, whose columns have no names. */
export type HostRow = readonly [
  place: string | number,
  profile: string,
  hostName: string,
  cachegroup: string,
  healthy: string,
  status: string,
  connections: string | number,
  kbps: string,
  ip?: string,
]

/** The sum of all caches, every cache, and the sums of the cache groups, as the field writes them: sums are text. */
export function hostStats([all, ...rest]: readonly CacheRow[]): HostRow[] {
  if (all === undefined) return []
  const own = rest.filter(({ ip }) => ip !== null)
  const groups = rest.filter(({ ip }) => ip === null)
  return [
    sumRow(all, 0),
    ...own.map((row, at): HostRow => {
      const { profile, hostname, cachegroup, healthy, status, connections, kbps, ip } = row
      return [at + 1, profile, hostname, cachegroup, healthy ? '1' : '0', status, connections, String(kbps), ip ?? '']
    }),
    ...groups.map((row, at) => sumRow(row, own.length + 1 + at)),
  ]
}

const sumRow = ({ cachegroup, connections, kbps }: CacheRow, place: number): HostRow => [
  String(place),
  'ALL',
  'ALL',
  cachegroup,
  'true',
  'ALL',
  String(connections),
  String(kbps),
]
