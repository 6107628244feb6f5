import { Type } from '@sinclair/typebox'
import type { Fault } from '../config/errors.js'
import { invalid, noSuch, quoted } from '../config/errors.js'
import { isLong, turn } from '../flow/turns.js'
import type { LiveEndpoint, RequestInput, Result } from '../operations/endpoint.js'
import type { Parts } from '../operations/parts.js'
import { choiceQuery, numberQuery, textQuery } from '../operations/queryParameters.js'
import { cdnMeasurement, serviceMeasurement } from '../operations/series/influxSeries.js'
import { cdnMetrics } from '../operations/series/ring.js'
import type { SeriesQuery } from '../operations/series/seriesQuery.js'
import { readSeriesQuery } from '../operations/series/seriesQuery.js'
import type { StretchAnswer } from '../operations/series/timeSeries.js'
import { hostStats } from '../operations/upstream/hostStats.js'
import type { LiveAnswer } from '../operations/upstream/liveState.js'
import { serviceMetrics } from '../operations/upstream/monitorDocuments.js'
import type { Data } from '../schema/data.js'
import { asId, asReader, findOne } from '../schema/data.js'
import { mustReachTenant } from '../schema/privileges.js'
import type { Records } from '../schema/records.js'

type Uses = Pick<Parts, 'data' | 'live' | 'now' | 'series'>

/** What CDNs and delivery services did over time, and do now: what the field's portal draws (beyond.md §2). */
export const seriesEndpoints = (uses: Uses): readonly LiveEndpoint[] => [
  currentStats(uses),
  usageOverview(uses),
  cacheStats(uses),
  deliveryServiceStats(uses),
  monitorStats(uses),
]

const currentStats = ({ series }: Uses): LiveEndpoint => ({
  method: 'GET',
  path: '/current_stats',
  role: 'any',
  reach: 'shared',
  summary: 'What every CDN serves in Gbit/s, its open connections, and what it could serve; then the sums',
  response: Type.Object({
    currentStats: Type.Array(
      Type.Object({
        cdn: Type.String(),
        bandwidth: numberOrNull(),
        connections: numberOrNull(),
        capacity: Type.Optional(numberOrNull()),
      }),
    ),
  }),
  live: async () => {
    const answer = await series.current()
    const all = [...answer.response].map(([cdn, figures]) => ({
      cdn,
      bandwidth: gigabits(figures?.bandwidth),
      connections: figures?.connections ?? null,
      capacity: gigabits(figures?.maxkbps, usableShare),
    }))
    const total = (of: 'bandwidth' | 'connections') => {
      const known = all.flatMap((one) => one[of] ?? [])
      return known.length === 0 ? null : known.reduce((sum, one) => sum + one, 0)
    }
    const sums = { cdn: 'total', bandwidth: total('bandwidth'), connections: total('connections') }
    return answered({ ...answer, response: { currentStats: [...all, sums] } })
  },
})

const usageOverview = ({ series }: Uses): LiveEndpoint => ({
  method: 'GET',
  path: '/cdns/usage/overview',
  role: 'any',
  reach: 'shared',
  summary: 'What all caches serve, and could',
  response: Type.Object({ currentGbps: Type.Number(), tps: Type.Integer(), maxGbps: Type.Integer() }),
  live: async () => answered(await series.usage()),
})

const stretchQuery = {
  startDate: textQuery('Required. From when on: ISO 8601, `YYYY-MM-DD HH:MM:SS`, or a number since 1970.'),
  endDate: textQuery('Required. Until when: the same, or `now`.'),
  interval: textQuery('How long the pieces are of which means are told: 60s, 1m, 1h, 1d or 1w; else a minute.'),
  limit: numberQuery('At most so many pieces.'),
  offset: numberQuery('Leave out so many pieces first.'),
  orderby: choiceQuery(['time'], 'They are always in order of time.'),
  exclude: choiceQuery(['series', 'summary'], 'What to leave out of the answer.'),
}

const stretchResponse = (more = {}) =>
  Type.Object({
    series: Type.Optional(
      Type.Object({
        name: Type.String(),
        tags: Type.Record(Type.String(), Type.String()),
        columns: Type.Array(Type.String()),
        values: Type.Array(Type.Array(Type.Union([Type.String(), Type.Number(), Type.Null()]))),
        count: Type.Integer(),
      }),
    ),
    summary: Type.Optional(Type.Object({ average: Type.Number(), count: Type.Integer(), ...more })),
    source: Type.String(),
    version: Type.String(),
  })

const cacheStats = ({ series, data, now }: Uses): LiveEndpoint => ({
  method: 'GET',
  path: '/cache_stats',
  role: 'any',
  reach: 'shared',
  summary: 'What the caches of a CDN served together over time, in kbit/s or connections',
  query: {
    ...stretchQuery,
    cdnName: textQuery('Required. The CDN.'),
    metricType: choiceQuery(cdnMetrics, 'Required. What of it.'),
  },
  response: stretchResponse(),
  live: async ({ query: given }) => {
    const { query, metric, faults } = read(given, cdnMetrics, now())
    if (!given.cdnName) faults.push({ path: 'cdnName', text: 'cdnName is required' })
    if (query === null || metric === null || faults.length > 0) throw invalid(faults)
    const cdn = findOne(data, 'cdns', 'name', given.cdnName!)
    if (!cdn) throw noSuch('cdn', given.cdnName!)
    const answer = await series.ofCdn(cdn, metric, query)
    const labels = { name: cdnMeasurement(metric), tags: { cdn: cdn.name }, column: 'sum_count' }
    return shown(answer, query, labels, answer.summary)
  },
})

const deliveryServiceStats = ({ series, data, now }: Uses): LiveEndpoint => ({
  method: 'GET',
  path: '/deliveryservice_stats',
  role: 'any',
  reach: 'tenants',
  summary: 'What a delivery service served over time, in kbit/s or answers per second',
  query: {
    ...stretchQuery,
    deliveryServiceName: textQuery('The xml id of the delivery service.'),
    deliveryService: textQuery('The same, or its id.'),
    metricType: choiceQuery(serviceMetrics, 'Required. What of it.'),
  },
  response: stretchResponse({ totalBytes: numberOrNull(), totalTransactions: numberOrNull() }),
  live: async ({ query: given, user }) => {
    const { query, metric, faults } = read(given, serviceMetrics, now())
    const name = given.deliveryServiceName || given.deliveryService
    if (!name) faults.push({ path: 'deliveryServiceName', text: 'deliveryServiceName is required' })
    if (query === null || metric === null || faults.length > 0) throw invalid(faults)
    const service = serviceOf(given, data)
    if (!service) throw noSuch('deliveryservice', name!)
    mustReachTenant(data, user, service.tenantId)
    const answer = await series.ofService(service, metric, query)
    const { average, count } = answer.summary
    // A value stands for a minute.
    const total = average * count * 60
    const totals =
      metric === 'kbps'
        ? { totalBytes: (total * 1000) / 8, totalTransactions: null }
        : { totalBytes: null, totalTransactions: total }
    const labels = { name: serviceMeasurement(metric), tags: { cachegroup: 'total' }, column: 'mean' }
    return shown(answer, query, labels, { ...answer.summary, ...totals })
  },
})

const monitorStats = ({ live, data }: Uses): LiveEndpoint => ({
  method: 'GET',
  path: '/traffic_monitor/stats',
  role: 'any',
  reach: 'shared',
  summary: 'Every edge cache with what it serves, after the sum of all, before those of cache groups; columns unnamed',
  document: Type.Object({ aaData: Type.Array(Type.Array(Type.Union([Type.String(), Type.Number()]))) }),
  live: async () => {
    const { response, warnings, age } = await live.cachesStats(asReader(data), data.all('cdns'), 'edges')
    const { alerts, headers } = answered({ response, warnings, age })
    return { bare: { aaData: hostStats(response), ...(alerts ? { alerts } : {}) }, ...(headers ? { headers } : {}) }
  },
})

function numberOrNull() {
  return Type.Union([Type.Number(), Type.Null()])
}

/** The field lets nobody plan with more of what caches could serve. */
const usableShare = 0.85

const gigabits = (kbps: number | undefined, share = 1): number | null =>
  kbps === undefined ? null : (kbps / 1e6) * share

/** All that is wrong with a question is said at once. */
function read<M extends string>(given: RequestInput['query'], metrics: readonly M[], now: Date) {
  const faults: Fault[] = []
  const metric = metrics.find((one) => one === given.metricType) ?? null
  if (metric === null) {
    const { metricType } = given
    const text = metricType ? `must be one of ${metrics.join(', ')}, not '${quoted(metricType)}'` : 'is required'
    faults.push({ path: 'metricType', text: `metricType ${text}` })
  }
  const { query, faults: more } = readSeriesQuery(given, now.getTime())
  return { query, metric, faults: [...faults, ...more] }
}

/** An xml id may be all digits: one that is there counts before an id. */
function serviceOf(given: RequestInput['query'], data: Data): Records['deliveryServices'] | undefined {
  const { deliveryServiceName, deliveryService = '' } = given
  const named = findOne(data, 'deliveryServices', 'xmlId', deliveryServiceName || deliveryService)
  return named ?? (deliveryServiceName ? undefined : data.get('deliveryServices', asId(deliveryService)))
}

interface Labels {
  readonly name: string
  readonly tags: Readonly<Record<string, string>>
  readonly column: string
}

async function shown(
  { pieces, warnings }: StretchAnswer,
  query: SeriesQuery,
  labels: Labels,
  summary: object,
): Promise<Result> {
  const { name, tags, column } = labels
  const values: (readonly [time: string, mean: number | null])[] = []
  for (const [at, mean] of pieces) {
    values.push([`${new Date(at).toISOString().slice(0, 19)}Z`, mean])
    if (isLong()) await turn()
  }
  const series = { name, tags, columns: ['time', column], values, count: values.length }
  const response = {
    ...(query.wantsSeries && values.length > 0 ? { series } : {}),
    ...(query.wantsSummary ? { summary } : {}),
    source: 'TrafficStats',
    version: '1.2',
  }
  return { response, ...alertsOf(warnings) }
}

const answered = ({ response, warnings, age }: LiveAnswer<unknown>): Result => ({
  response,
  ...alertsOf(warnings),
  headers: { age: String(age) },
})

const alertsOf = (warnings: readonly string[]): Pick<Result, 'alerts'> =>
  warnings.length > 0 ? { alerts: warnings.map((text) => ({ level: 'warning', text })) } : {}
