import type { ServiceMetric } from '../upstream/monitorDocuments.js'
import type { AskInflux, InfluxQuery, Table } from './influx.js'
import type { CdnMetric } from './ring.js'
import type { SeriesQuery } from './seriesQuery.js'
import type { Piece, Summary } from './summarize.js'
import { noSummary } from './summarize.js'

/**
 * What the field's statistics daemon writes, and its continuous queries sum up: in the retention policy `monthly`, a
 * value a minute, for a CDN as `bandwidth.cdn.1min` and for a delivery service as `kbps.ds.1min`.
 */
export interface Stretch {
  readonly summary: Summary
  readonly pieces: readonly Piece[]
}

export const cdnMeasurement = (metric: CdnMetric) => `${metric}.cdn.1min`
export const serviceMeasurement = (metric: ServiceMetric) => `${metric}.ds.1min`

/** The two databases by the names that the daemon has built in. */
export const databases = { caches: 'cache_stats', services: 'deliveryservice_stats' } as const

/** A stretch of what a CDN did, its ends left out as the field leaves them out. */
export const cdnQuery = (cdn: string, metric: CdnMetric, query: SeriesQuery): InfluxQuery => ({
  database: databases.caches,
  statements: statements(
    cdnMeasurement(metric),
    'cdn = $cdn',
    `time > ${query.start}ms AND time < ${query.end}ms`,
    query,
  ),
  values: { cdn },
})

/** A stretch of what a delivery service did over all caches, with its ends. */
export const serviceQuery = (service: string, metric: ServiceMetric, query: SeriesQuery): InfluxQuery => ({
  database: databases.services,
  statements: statements(
    serviceMeasurement(metric),
    "cachegroup = 'total' AND deliveryservice = $service",
    `time >= ${query.start}ms AND time <= ${query.end}ms`,
    query,
  ),
  values: { service },
})

function statements(
  measurement: string,
  whose: string,
  when: string,
  { interval, limit, offset }: SeriesQuery,
): string[] {
  const from = `FROM "monthly"."${measurement}" WHERE ${whose} AND ${when}`
  const percentiles = [5, 95, 98].map((percent) => `percentile(value, ${percent})`).join(', ')
  const page = `${limit === null ? '' : ` LIMIT ${limit}`}${offset === 0 ? '' : ` OFFSET ${offset}`}`
  return [
    `SELECT mean(value), ${percentiles}, min(value), max(value), count(value) ${from}`,
    `SELECT mean(value) ${from} GROUP BY time(${interval}ms) ORDER BY time ASC${page}`,
  ]
}

export const stretch =
  (ask: AskInflux, query: InfluxQuery) =>
  async (server: Parameters<AskInflux>[0]): Promise<Stretch> => {
    const [summed, cut] = await ask(server, query)
    return {
      summary: summaryOf(summed),
      pieces: (cut?.[0]?.rows ?? []).map(([at, mean = null]) => [at, mean] as const),
    }
  }

function summaryOf(tables: readonly Table[] | undefined): Summary {
  const [, ...values] = tables?.[0]?.rows[0] ?? []
  if (values.length === 0) return noSummary
  const [average, fifthPercentile, ninetyFifthPercentile, ninetyEighthPercentile, min, max, count] = values.map(
    // Of few values there is no fifth percentile.
    (value) => value ?? 0,
  ) as [number, number, number, number, number, number, number]
  return { average, fifthPercentile, ninetyFifthPercentile, ninetyEighthPercentile, min, max, count }
}
