import { globalValue, parameterValue } from '../../../compiler/cdn/parameters.js'
import type { Reader } from '../../../compiler/core/reader.js'
import { one } from '../../../compiler/core/reader.js'
import type { Cdn, DeliveryService, Server } from '../../../compiler/data/model.js'
import type { Upstream } from './fetchJson.js'

/** What the live summaries need to know of a CDN, from the records. */
export interface LiveCdn {
  readonly name: string
  /** The monitors that are ONLINE, by host name. */
  readonly monitors: readonly Upstream[]
  /** The routers that are ONLINE, by host name. */
  readonly routers: readonly Upstream[]
  /** The caches that monitors are told of, by host name. */
  readonly caches: readonly LiveCache[]
  /** What is wrong with the records themselves. */
  readonly warnings: readonly string[]
}

export interface LiveCache {
  readonly hostName: string
  readonly isEdge: boolean
  readonly status: string
  readonly cachegroup: string
  readonly profile: string
  readonly ip: string
  /** Bandwidth that must stay unused for the monitor to call the cache healthy. */
  readonly reservedKbps: number
}

export function describeCdn(data: Reader, cdn: Cdn): LiveCdn {
  const servers = data.by('servers', 'cdnId', cdn.id).toSorted((a, b) => (a.hostName < b.hostName ? -1 : 1))
  const types = namer(data, 'types')
  const online = one(data, 'statuses', 'name', 'ONLINE')?.id
  const ofType = (name: string) =>
    servers.filter((server) => server.statusId === online && types(server.typeId) === name)
  const monitorProxy = proxyFrom(data, 'tm.traffic_mon_fwd_proxy')
  const routerProxy = proxyFrom(data, 'tm.traffic_rtr_fwd_proxy')
  return {
    name: cdn.name,
    monitors: ofType('RASCAL').map((server) => upstream(server, server.tcpPort ?? 80, monitorProxy.proxy)),
    routers: ofType('CCR').map((server) => upstream(server, apiPort(data, server), routerProxy.proxy)),
    caches: describeCaches(data, servers, types),
    warnings: [...monitorProxy.warnings, ...routerProxy.warnings],
  }
}

/** The host names of the caches a service is assigned to. */
export function assignedHosts(data: Reader, { id }: DeliveryService): ReadonlySet<string> {
  const servers = data.ids('deliveryServiceServers', 'deliveryServices', id)
  return new Set(servers.flatMap((server) => data.get('servers', server)?.hostName ?? []))
}

/** Monitors are told of these statuses only (beyond.md §2.6). */
const told = new Set(['ONLINE', 'REPORTED', 'ADMIN_DOWN'])

function describeCaches(data: Reader, servers: readonly Server[], types: (id: number) => string): LiveCache[] {
  const statuses = namer(data, 'statuses')
  const groups = namer(data, 'cachegroups')
  const profiles = namer(data, 'profiles')
  const reserved = remembered((profileId: number) => reservedKbps(data, profileId))
  return servers
    .filter(({ typeId, statusId }) => /^(EDGE|MID)/.test(types(typeId)) && told.has(statuses(statusId)))
    .map((server) => ({
      hostName: server.hostName,
      isEdge: types(server.typeId).startsWith('EDGE'),
      status: statuses(server.statusId),
      cachegroup: groups(server.cachegroupId),
      profile: profiles(server.profileId),
      ip: server.ipAddress ?? '',
      reservedKbps: reserved(server.profileId),
    }))
}

const upstream = ({ hostName, domainName }: Server, port: number, proxy: Upstream['proxy']): Upstream => ({
  name: `${hostName}.${domainName}`,
  host: `${hostName}.${domainName}`,
  port,
  proxy,
})

/** The port of a router's API, a parameter of its profile. */
function apiPort(data: Reader, { profileId }: Server): number {
  const port = Number(parameterValue(data, profileId, 'server.xml', 'api.port') ?? '')
  return Number.isInteger(port) && port > 0 && port < 65_536 ? port : 3333
}

/** The threshold without its comparator: `>1750000` reserves 1,750,000 kbps. */
function reservedKbps(data: Reader, profileId: number): number {
  const name = 'health.threshold.availableBandwidthInKbps'
  const digits = (parameterValue(data, profileId, 'rascal.properties', name) ?? '').replace(/\D/g, '')
  return digits.length > 0 && digits.length <= 15 ? Number(digits) : 0
}

function proxyFrom(data: Reader, parameter: string): { proxy: Upstream['proxy']; warnings: string[] } {
  const value = globalValue(data, parameter)?.trim()
  if (!value) return { proxy: null, warnings: [] }
  const url = URL.canParse(value) ? new URL(value) : null
  if (url?.protocol !== 'http:' || url.hostname === '')
    return { proxy: null, warnings: [`Parameter ${parameter} is not an http:// URL; no proxy is used.`] }
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
  return { proxy: { host, port: url.port === '' ? 80 : Number(url.port) }, warnings: [] }
}

/** The name of a record by its id; empty for one that does not exist. */
const namer = (data: Reader, kind: 'types' | 'statuses' | 'cachegroups' | 'profiles') =>
  remembered((id: number) => data.get(kind, id)?.name ?? '')

/** Thousands of servers share a handful of types, groups and profiles. */
function remembered<T>(find: (id: number) => T): (id: number) => T {
  const found = new Map<number, T>()
  return (id) => {
    const value = found.get(id) ?? find(id)
    found.set(id, value)
    return value
  }
}
