import type { Settings } from '../../config/settings.js'
import type { Data } from '../../schema/data.js'
import { findOne } from '../../schema/data.js'
import type { Upstream } from '../upstream/fetchJson.js'
import { UpstreamFault } from '../upstream/fetchJson.js'

type Access = Settings['influx']

/**
 * The stores of time series: servers of type INFLUXDB that are ONLINE, of whichever CDN, by host name. Operators of any
 * tenant say which those are, so that the password is for those alone that the installation's own settings name.
 */
export function influxServers(data: Data, { authorization, trusted, tls }: Access): Upstream[] {
  const type = findOne(data, 'types', 'name', 'INFLUXDB')
  const online = findOne(data, 'statuses', 'name', 'ONLINE')
  if (!type || !online) return []
  return data
    .by('servers', 'typeId', type.id)
    .filter(({ statusId }) => statusId === online.id)
    .toSorted((a, b) => (a.hostName < b.hostName ? -1 : 1))
    .map(({ hostName, domainName, tcpPort, httpsPort }) => {
      const host = `${hostName}.${domainName}`
      const port = (tls ? httpsPort : null) ?? tcpPort ?? 8086
      const isShown = authorization !== null && trusted.has(`${host.toLowerCase()}:${port}`)
      return { name: host, host, port, proxy: null, tls, ...(isShown && { authorization }) }
    })
}

export interface Answered<T> {
  /** Null when no server answered. */
  readonly value: T | null
  readonly warnings: readonly string[]
}

/**
 * Asks one server after the other until one answers, or none has for some seconds: operators add as many as they like. One
 * that failed is asked last for a while, so that not every question waits for it.
 */
export function createFailover(now: () => number) {
  const failed = new Map<string, number>()
  const restsOf = ({ host, port }: Upstream): boolean => {
    const since = now() - (failed.get(`${host}:${port}`) ?? Number.NEGATIVE_INFINITY)
    return since >= 0 && since < rest
  }
  return async <T>(servers: readonly Upstream[], ask: (server: Upstream) => Promise<T>): Promise<Answered<T>> => {
    const warnings: string[] = []
    const last = servers.filter(restsOf)
    const began = now()
    for (const server of [...servers.filter((one) => !last.includes(one)), ...last]) {
      if (now() - began > patience) {
        warnings.push('Further InfluxDB servers were not asked: it took too long.')
        break
      }
      const key = `${server.host}:${server.port}`
      try {
        const value = await ask(server)
        failed.delete(key)
        return { value, warnings }
      } catch (error) {
        if (!(error instanceof UpstreamFault)) throw error
        if (failed.size >= most) failed.clear()
        failed.set(key, now())
        warnings.push(`InfluxDB server ${server.name} ${error.message}.`)
      }
    }
    return { value: null, warnings }
  }
}

/** For how long a server that failed is asked last, in ms. */
const rest = 10_000
/** After so long, in ms, no further one is asked. */
const patience = 8000
/** More servers than anybody has. */
const most = 1000
