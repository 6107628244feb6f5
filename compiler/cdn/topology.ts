import type { Asking } from '../core/fragments.js'
import { defineFragment } from '../core/fragments.js'
import type { Reader } from '../core/reader.js'
import { one } from '../core/reader.js'
import type { Server } from '../data/model.js'
import { isCache, typeName } from './services.js'
import type { RecordRef } from './text.js'
import { isWord } from './text.js'

export interface ParentGroups {
  readonly primary: number | null
  readonly secondary: number | null
}

/** The parent cache groups that exist of a cache group. */
export function parentGroups(data: Reader, cachegroupId: number): ParentGroups {
  const group = data.get('cachegroups', cachegroupId)
  const existing = (id: number | null | undefined) => (id != null && data.get('cachegroups', id) ? id : null)
  const primary = existing(group?.parentCachegroupId)
  const secondary = existing(group?.secondaryParentCachegroupId)
  return { primary, secondary: secondary === primary ? null : secondary }
}

/** Whether caches of the group face the origins: no parent group, or only groups of origins (config-files.md §5.2). */
export function isTopTier(data: Reader, cachegroupId: number): boolean {
  const { primary, secondary } = parentGroups(data, cachegroupId)
  return [primary, secondary].every((id) => id === null || isOriginGroup(data, id))
}

function isOriginGroup(data: Reader, cachegroupId: number): boolean {
  return typeName(data, data.get('cachegroups', cachegroupId)?.typeId ?? 0) === 'ORG_LOC'
}

/** A server another one may send requests to. */
export interface Parent {
  /** Host name with domain, or address; and port. */
  readonly authority: string
  /** As the parameter has it; a number in any notation. */
  readonly weight: string
  readonly rank: number
  readonly sortKey: string
}

export interface Parents {
  readonly primary: readonly Parent[]
  readonly secondary: readonly Parent[]
  /** For origin servers: those in a group that is neither. */
  readonly other: readonly Parent[]
}

/** The caches of the parent groups, best first. Without a usable primary the secondary ones take their place. */
export const parentCaches = (asking: Asking, cdnId: number, { primary, secondary }: ParentGroups): Parents =>
  keptParentCaches(asking, cdnId, primary, secondary)

const keptParentCaches = defineFragment(
  'topology.parentCaches',
  (making, cdnId: number, primaryGroup: number | null, secondaryGroup: number | null): Parents => {
    const { data } = making
    const inGroup = (id: number | null) =>
      id === null
        ? []
        : data.by('servers', 'cachegroupId', id).flatMap((server) => {
            if (server.cdnId !== cdnId || !isCache(typeName(data, server.typeId))) return []
            return asParent(making, server) ?? []
          })
    const primary = ranked(inGroup(primaryGroup))
    const secondary = ranked(inGroup(secondaryGroup))
    if (primary.length === 0) return { primary: secondary, secondary: [], other: [] }
    return { primary, secondary, other: [] }
  },
)

/**
 * The origin servers (type ORG in an ORG_LOC group) assigned to a delivery service, as a cache with these parent
 * groups sees them. Without primary ones the secondary, else the others take their place (§5.4).
 */
export function originServers(asking: Asking, cdnId: number, serviceId: number, groups: ParentGroups): Parents {
  const all = originServersOfCdn(asking, cdnId)
  const mine = all.filter(({ services }) => services.includes(serviceId))
  const where = (test: (group: number) => boolean) =>
    ranked(mine.filter(({ group }) => test(group)).map((s) => s.parent))
  const primary = where((group) => group === groups.primary)
  const secondary = where((group) => group === groups.secondary && group !== groups.primary)
  const other = where((group) => group !== groups.primary && group !== groups.secondary)
  if (primary.length > 0) return { primary, secondary, other }
  if (secondary.length > 0) return { primary: secondary, secondary: [], other }
  return { primary: other, secondary: [], other: [] }
}

const originServersOfCdn = defineFragment('topology.originServers', (making, cdnId: number) => {
  const { data } = making
  const type = one(data, 'types', 'name', 'ORG')?.id ?? 0
  return data.by('servers', 'cdnType', `${cdnId}/${type}`).flatMap((server) => {
    if (!isOriginGroup(data, server.cachegroupId)) return []
    const parent = asParent(making, server)
    const services = data.get('deliveryServiceServers', server.id)?.deliveryServices ?? []
    return parent ? [{ parent, group: server.cachegroupId, services }] : []
  })
})

/** The servers whose requests a cache of the group must let in: its child caches and the CDN's monitors, any status. */
export function childServers(data: Reader, cdnId: number, cachegroupId: number): readonly Server[] {
  const groups = new Set([
    ...data.ids('cachegroups', 'parentCachegroupId', cachegroupId),
    ...data.ids('cachegroups', 'secondaryParentCachegroupId', cachegroupId),
  ])
  const children = [...groups]
    .flatMap((group) => data.by('servers', 'cachegroupId', group))
    .filter((server) => server.cdnId === cdnId && isCache(typeName(data, server.typeId)))
  const monitor = one(data, 'types', 'name', 'RASCAL')?.id ?? 0
  return [...children, ...data.by('servers', 'cdnType', `${cdnId}/${monitor}`)].sort((a, b) => a.id - b.id)
}

/** How a server takes part in parent selection; `null` when its status or profile keeps it out. */
function asParent({ data, warn }: Asking, server: Server): Parent | null {
  const status = data.get('statuses', server.statusId)?.name
  if (status !== 'ONLINE' && status !== 'REPORTED') return null
  const settings = new Map(
    data
      .by('parameters', 'profileFile', `${server.profileId}/parent.config`)
      .toReversed()
      .map(({ name, value }) => [name, value]),
  )
  if ((settings.get('not_a_parent') ?? 'false') !== 'false') return null

  const record: RecordRef = { kind: 'servers', id: server.id, name: server.hostName }
  const valid = (name: string, fallback: string, test: (value: string) => boolean) => {
    const value = settings.get(name)?.trim()
    if (value === undefined || test(value)) return value ?? fallback
    const text = `the parent.config parameter ${name} of ${server.hostName} is not valid; ${fallback} is used`
    warn('value-ignored', record, text)
    return fallback
  }
  const host =
    settings.get('use_ip_address') === '1' ? (server.ipAddress ?? '') : `${server.hostName}.${server.domainName}`
  const port = valid('port', String(server.tcpPort ?? 80), isPort)
  const rank = Number(valid('rank', '1', (value) => /^\d{1,9}$/.test(value)))
  const weight = valid('weight', '0.999', (value) => /^(\d+\.?\d*|\.\d+)$/.test(value))
  if (!isWord(host) || /[;|]/.test(host)) {
    warn('value-ignored', record, `the name or address of ${server.hostName} is no word; it is not used as a parent`)
    return null
  }
  const sortKey = [server.hostName, server.domainName, port.padStart(5, '0'), server.ipAddress ?? ''].join('\0')
  return { authority: `${host}:${port}`, weight, rank, sortKey }
}

const isPort = (value: string): boolean => /^\d{1,5}$/.test(value) && Number(value) > 0 && Number(value) < 65536

/** By rank, then name, domain, port and address; each authority once. */
function ranked(parents: readonly Parent[]): Parent[] {
  const sorted = parents.toSorted((a, b) => a.rank - b.rank || (a.sortKey < b.sortKey ? -1 : 1))
  const seen = new Set<string>()
  return sorted.filter(({ authority }) => !seen.has(authority) && seen.add(authority))
}
