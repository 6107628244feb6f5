import { UpstreamFault } from './fetchJson.js'
import { entries, member, newest } from './shape.js'

/** Which caches and services a monitor takes for available. */
export interface States {
  /** By host name. */
  readonly caches: ReadonlyMap<string, boolean>
  /** By xml id. */
  readonly services: ReadonlyMap<string, ServiceState>
  /** How many entries were unreadable and left out. */
  readonly ignored: number
}

export interface ServiceState {
  readonly isAvailable: boolean
  /** Names of cache groups. */
  readonly disabledLocations: readonly string[]
}

/** What a monitor measured of each cache, by host name. */
export interface CacheStats {
  readonly caches: ReadonlyMap<string, CacheLoad>
  readonly ignored: number
}

export interface CacheLoad {
  readonly kbps: number
  readonly maxKbps: number
  /** Open client connections; 0 when the monitor does not say. */
  readonly connections: number
}

/** Requests per second of each delivery service, by xml id. */
export interface ServiceStats {
  readonly tps: ReadonlyMap<string, number>
  readonly ignored: number
}

/** What is served of each delivery service, by xml id, in the order of `serviceMetrics`. */
export interface ServiceLoads {
  readonly services: ReadonlyMap<string, readonly number[]>
  readonly ignored: number
}

/** What is measured of a delivery service over all of its caches: kilobits per second, and answers per second. */
export const serviceMetrics = ['kbps', 'tps_total', 'tps_2xx', 'tps_3xx', 'tps_4xx', 'tps_5xx'] as const
export type ServiceMetric = (typeof serviceMetrics)[number]

export const statesPath = '/publish/CrStates'
export const cacheStatsPath =
  '/publish/CacheStats?hc=1&stats=maxKbps,kbps,ats.proxy.process.http.current_client_connections'
/** The filter knows the names without their `total.` prefix. */
export const serviceStatsPath = '/publish/DsStats?hc=1&stats=tps_total'
export const serviceLoadsPath = `/publish/DsStats?hc=1&stats=${serviceMetrics.join(',')}`

/**
 * The documents of a monitor, read with suspicion: one that has another shape is an UpstreamFault; an entry that
 * cannot be read is left out and counted.
 */
export function readStates(document: unknown): States {
  const caches = pick(member(document, 'caches'), 'a list of caches', (cache) => {
    const isAvailable = member(cache, 'isAvailable')
    return typeof isAvailable === 'boolean' ? isAvailable : null
  })
  const services = pick(member(document, 'deliveryServices') ?? {}, 'a list of services', serviceState)
  return { caches: caches.read, services: services.read, ignored: caches.ignored + services.ignored }
}

export function readCacheStats(document: unknown): CacheStats {
  const { read, ignored } = pick(member(document, 'caches'), 'a list of caches', (cache) => {
    const kbps = newest(member(cache, 'kbps'))
    const maxKbps = newest(member(cache, 'maxKbps'))
    if (kbps === null || maxKbps === null) return null
    return { kbps, maxKbps, connections: newest(member(cache, connectionsStat)) ?? 0 }
  })
  return { caches: read, ignored }
}

export function readServiceStats(document: unknown): ServiceStats {
  const { read, ignored } = pick(member(document, 'deliveryService'), 'a list of services', (service) =>
    newest(member(service, 'total.tps_total')),
  )
  return { tps: read, ignored }
}

/** A metric that the monitor does not have is 0: one without errors of a kind may not list it. */
export function readServiceLoads(document: unknown): ServiceLoads {
  const { read, ignored } = pick(member(document, 'deliveryService'), 'a list of services', (service) => {
    const loads = serviceMetrics.map((metric) => newest(member(service, `total.${metric}`)))
    return loads.every((load) => load === null) ? null : loads.map((load) => load ?? 0)
  })
  return { services: read, ignored }
}

const connectionsStat = 'ats.proxy.process.http.current_client_connections'

function serviceState(service: unknown): ServiceState | null {
  const isAvailable = member(service, 'isAvailable')
  const disabled = member(service, 'disabledLocations') ?? []
  if (typeof isAvailable !== 'boolean' || !Array.isArray(disabled)) return null
  const disabledLocations = disabled.filter((name) => typeof name === 'string')
  return { isAvailable, disabledLocations }
}

/** Reads every entry of a list. A list with entries of which none can be read is a lie, not a list. */
function pick<T>(list: unknown, what: string, read: (entry: unknown) => T | null) {
  const all = entries(list, what)
  const good = all.flatMap(([name, entry]) => {
    const value = read(entry)
    return value === null ? [] : [[name, value] as const]
  })
  if (all.length > 0 && good.length === 0) throw new UpstreamFault(`sent ${what} of which no entry can be read`)
  return { read: new Map(good), ignored: all.length - good.length }
}
