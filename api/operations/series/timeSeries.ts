import type { Cdn } from '../../../compiler/data/model.js'
import type { Settings } from '../../config/settings.js'
import type { Data } from '../../schema/data.js'
import { asReader } from '../../schema/data.js'
import type { Records } from '../../schema/records.js'
import type { FetchJson, Upstream } from '../upstream/fetchJson.js'
import { UpstreamFault } from '../upstream/fetchJson.js'
import type { Figures } from '../upstream/figures.js'
import type { Live, LiveAnswer } from '../upstream/liveState.js'
import type { ServiceMetric } from '../upstream/monitorDocuments.js'
import { createPoll } from '../upstream/poll.js'
import type { Usage } from '../upstream/usage.js'
import { createAskInflux, type InfluxQuery } from './influx.js'
import type { CachesNow, CdnFigures } from './influxNow.js'
import { answersNow, cachesNow } from './influxNow.js'
import type { Stretch } from './influxSeries.js'
import { cdnQuery, serviceQuery, stretch } from './influxSeries.js'
import { createFailover, influxServers } from './influxServers.js'
import type { CdnMetric, Ring } from './ring.js'
import type { Sampler } from './sampler.js'
import type { SeriesQuery } from './seriesQuery.js'
import type { Point } from './summarize.js'
import { pieces, summarize } from './summarize.js'

/** A stretch of a series, and which servers could not be asked for it. */
export interface StretchAnswer extends Stretch {
  readonly warnings: readonly string[]
}

/**
 * What CDNs and delivery services did, over time and now: from a store of time series that the field's statistics daemon
 * fills, or, where there is none or none answers, from what the monitors said to this instance. None rejects for what
 * others do.
 */
export interface TimeSeries {
  ofCdn(cdn: Records['cdns'], metric: CdnMetric, query: SeriesQuery): Promise<StretchAnswer>
  ofService(service: Records['deliveryServices'], metric: ServiceMetric, query: SeriesQuery): Promise<StretchAnswer>
  /** What each CDN does now, by name; of those of which nobody knows, `null`. */
  current(): Promise<LiveAnswer<ReadonlyMap<string, Partial<Figures> | null>>>
  usage(): Promise<LiveAnswer<Usage>>
}

interface Given {
  readonly data: Data
  readonly access: Settings['influx']
  readonly fetchJson: FetchJson
  readonly live: Live
  readonly ring: Ring
  readonly sampler: Sampler
  /** Milliseconds since the epoch. */
  readonly now: () => number
  /** Milliseconds of a steady clock. */
  readonly steadyNow: () => number
}

export function createTimeSeries({ data, access, fetchJson, live, ring, sampler, now, steadyNow }: Given): TimeSeries {
  const failover = createFailover(steadyNow)
  const askInflux = createAskInflux(fetchJson)
  const stored = <T>(ask: (server: Upstream) => Promise<T>) => failover(influxServers(data, access), ask)
  const polled = <T>(ask: (server: Upstream) => Promise<T>) => {
    const poll = createPoll({ ask, now: steadyNow })
    return () =>
      stored(async (server) => {
        const { good, fault } = await poll.read(server)
        if (good === null || fault !== null) throw new UpstreamFault(fault ?? 'said nothing')
        return good.value
      })
  }
  const caches = polled(cachesNow(askInflux))
  const answers = polled(answersNow(askInflux))
  const cdns = () => data.all('cdns') as readonly Cdn[]

  /** From the store, else from the ring, which is given what the monitors say now if it has nothing newer than a minute. */
  async function found(cdnId: number, stored: InfluxQuery, query: SeriesQuery, points: () => Point[]) {
    const { value, warnings } = await fromStore(stored)
    if (value !== null) return { ...value, warnings }
    const cdn = data.get('cdns', cdnId)
    if (cdn) await sampler.recent(cdn)
    const own = points()
    return { summary: summarize(own), pieces: pieces(own, query), warnings }
  }
  const fromStore = (query: InfluxQuery) => stored(stretch(askInflux, query))

  return {
    ofCdn: ({ id, name }, metric, query) =>
      found(id, cdnQuery(name, metric, query), query, () =>
        ring.ofCdn(id, metric, (at) => at > query.start && at < query.end),
      ),
    ofService: ({ id, xmlId, cdnId }, metric, query) =>
      found(cdnId, serviceQuery(xmlId, metric, query), query, () =>
        ring.ofService(cdnId, id, metric, (at) => at >= query.start && at <= query.end),
      ),
    async current() {
      const { value, warnings } = await caches()
      const stored = value === null ? null : ofLate(value)
      if (stored && stored.size > 0) {
        const named = cdns().map(({ name }) => [name, stored.get(name) ?? null] as const)
        return { response: new Map(named), warnings, age: 0 }
      }
      const said = await live.figures(asReader(data), cdns())
      const { response, old } = withLast(said.response, value)
      return { ...said, response, warnings: [...warnings, ...said.warnings, ...old] }
    },
    async usage() {
      const [{ value, warnings }, tps] = await Promise.all([caches(), answers()])
      const all = value === null ? [] : [...(value.measured.size > 0 ? value.measured : ofLate(value)).values()]
      const allWarnings = [...new Set([...warnings, ...tps.warnings])]
      if (all.length > 0) {
        const sum = (metric: CdnMetric) => all.reduce((so, one) => so + (one[metric] ?? 0), 0)
        const [currentGbps, maxGbps] = [sum('bandwidth') / 1e6, Math.round(sum('maxkbps') / 1e6)]
        return { response: { currentGbps, tps: Math.trunc(tps.value ?? 0), maxGbps }, warnings: allWarnings, age: 0 }
      }
      const said = await live.usage(asReader(data), cdns())
      return { ...said, warnings: [...allWarnings, ...said.warnings] }
    },
  }

  /** What the store has of the last minutes: the sums of whole ones, else what was measured within the last. */
  function ofLate({ summed, measured }: CachesNow): CdnFigures {
    const since = now() - late
    return new Map([...measured, ...[...summed].filter(([, { at }]) => at >= since)])
  }
}

/** For how long what a store has last is taken for what is so now, in ms. */
const late = 300_000

/** Of CDNs of which no monitor said anything, what the store has last, with a warning that tells of when. */
function withLast(said: ReadonlyMap<string, Figures | null>, stored: CachesNow | null) {
  const old: string[] = []
  const response = new Map<string, Partial<Figures> | null>(said)
  for (const [name, figures] of said) {
    const last = stored?.summed.get(name)
    if (figures !== null || last === undefined) continue
    response.set(name, last)
    old.push(`What is told of CDN ${name} was measured at ${new Date(last.at).toISOString()}.`)
  }
  return { response, old }
}
