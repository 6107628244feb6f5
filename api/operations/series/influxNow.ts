import type { Upstream } from '../upstream/fetchJson.js'
import type { AskInflux, Table } from './influx.js'
import { cdnMeasurement, databases } from './influxSeries.js'
import type { CdnMetric } from './ring.js'
import { cdnMetrics } from './ring.js'

/** What a CDN did when it was last measured, and when that was, in milliseconds since the epoch. */
export interface Last extends Readonly<Partial<Record<CdnMetric, number>>> {
  readonly at: number
}
/** By the name of the CDN. */
export type CdnFigures = ReadonlyMap<string, Last>

export interface CachesNow {
  /** The sums of whole minutes that the store itself makes: the last there are, of whenever. */
  readonly summed: CdnFigures
  /** The same from what was measured within the last minute, cache by cache. */
  readonly measured: CdnFigures
}

/** What a minute's value is made of, by metric. */
const measurements = {
  bandwidth: 'bandwidth',
  connections: 'ats.proxy.process.http.current_client_connections',
  maxkbps: 'maxKbps',
} as const satisfies Record<CdnMetric, string>

/** A sum over the mean of every cache or service: whatever number of times it was measured within the minute. */
const sumOfMeans = (measurement: string, where: string, each: string) =>
  `SELECT sum(mean) FROM (SELECT mean(value) FROM "${measurement}" WHERE ${where}time > now() - 60s GROUP BY ${each})`

/** What the caches of every CDN serve and could. */
export const cachesNow =
  (ask: AskInflux) =>
  async (server: Upstream): Promise<CachesNow> => {
    const tables = await ask(server, {
      database: databases.caches,
      statements: [
        ...cdnMetrics.map((metric) => `SELECT last(value) FROM "monthly"."${cdnMeasurement(metric)}" GROUP BY cdn`),
        ...cdnMetrics.map((metric) => `${sumOfMeans(measurements[metric], '', 'cdn, hostname')} GROUP BY cdn`),
      ],
    })
    return { summed: figures(tables.slice(0, 3)), measured: figures(tables.slice(3)) }
  }

/** Answers per second of all delivery services together; `null` when the store has none of late. */
export const answersNow =
  (ask: AskInflux) =>
  async (server: Upstream): Promise<number | null> => {
    const lately = (measurement: string) =>
      `SELECT last(value) FROM "monthly"."${measurement}" WHERE cachegroup = 'total' AND time > now() - 5m GROUP BY deliveryservice`
    const tables = await ask(server, {
      database: databases.services,
      // The last is what older versions of the daemon call the second.
      statements: [
        sumOfMeans('tps_total', "cachegroup = 'total' AND ", 'deliveryservice'),
        lately('tps_total.ds.1min'),
        lately('tps.ds.1min'),
      ],
    })
    const found = tables.find((one) => one.length > 0)
    return found === undefined ? null : found.reduce((sum, table) => sum + (firstValue(table) ?? 0), 0)
  }

function figures(byMetric: readonly (readonly Table[])[]): CdnFigures {
  const found = new Map<string, Last>()
  for (const [at, metric] of cdnMetrics.entries())
    for (const table of byMetric[at] ?? []) {
      const value = firstValue(table)
      const { cdn = '' } = table.tags
      if (value === null) continue
      const before = found.get(cdn)
      found.set(cdn, { ...before, at: Math.max(before?.at ?? 0, table.rows[0]![0]), [metric]: value })
    }
  return found
}

const firstValue = ({ rows }: Table): number | null => rows[0]?.[1] ?? null
