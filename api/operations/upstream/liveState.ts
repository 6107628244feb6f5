import type { Reader } from '../../../compiler/core/reader.js'
import type { Cdn, DeliveryService } from '../../../compiler/data/model.js'
import type { CacheRow } from './cachesStats.js'
import { cachesStats } from './cachesStats.js'
import type { Capacity } from './capacity.js'
import { capacity } from './capacity.js'
import type { LiveCdn } from './describe.js'
import { assignedHosts, describeCdn } from './describe.js'
import type { DocumentName } from './documents.js'
import type { FetchBytes } from './fetchJson.js'
import type { Figures } from './figures.js'
import { figures } from './figures.js'
import type { Health } from './health.js'
import { health } from './health.js'
import type { Poll } from './poll.js'
import { createPoll } from './poll.js'
import { fetchDocument } from './readDocument.js'
import type { Routing } from './routingSummary.js'
import { routing, serviceRouting } from './routingSummary.js'
import type { Seen } from './seen.js'
import { allGood, firstGood } from './seen.js'
import type { State } from './state.js'
import { state } from './state.js'
import type { Usage } from './usage.js'
import { usage } from './usage.js'

/** A summary of what monitors and routers said, and what whoever reads it must know about it. */
export interface LiveAnswer<T> {
  readonly response: T
  /** For alerts of level `warning`: who did not answer, what could not be read. */
  readonly warnings: readonly string[]
  /** Whole seconds since the oldest answer that went in was given; for the header `Age`. */
  readonly age: number
}

/** The live summaries. None rejects for what an upstream does: without one they are zero, with a warning. */
export interface Live {
  health(data: Reader, cdns: readonly Cdn[]): Promise<LiveAnswer<Health>>
  serviceHealth(data: Reader, service: DeliveryService): Promise<LiveAnswer<Health>>
  capacity(data: Reader, cdns: readonly Cdn[]): Promise<LiveAnswer<Capacity>>
  serviceCapacity(data: Reader, service: DeliveryService): Promise<LiveAnswer<Capacity>>
  routing(data: Reader, cdns: readonly Cdn[]): Promise<LiveAnswer<Routing>>
  serviceRouting(data: Reader, service: DeliveryService): Promise<LiveAnswer<Routing>>
  serviceState(data: Reader, service: DeliveryService): Promise<LiveAnswer<State>>
  usage(data: Reader, cdns: readonly Cdn[]): Promise<LiveAnswer<Usage>>
  /** By the name of each CDN, in their order; `null` where nobody said. */
  figures(data: Reader, cdns: readonly Cdn[]): Promise<LiveAnswer<ReadonlyMap<string, Figures | null>>>
  cachesStats(data: Reader, cdns: readonly Cdn[], of?: 'all caches' | 'edges'): Promise<LiveAnswer<readonly CacheRow[]>>
  /** For metrics: every upstream asked of late, by document, with the milliseconds since its newest good answer. */
  ages(): { document: string; name: string; age: number | null; fault: string | null }[]
}

/** @param now milliseconds of any steady or wall clock */
export function createLive({ fetch, now }: { fetch: FetchBytes; now: () => number }): Live {
  const poll = <N extends DocumentName>(name: N) =>
    createPoll({ ask: (upstream) => fetchDocument(name, upstream, fetch), now })
  const polls = {
    CrStates: poll('CrStates'),
    CacheStats: poll('CacheStats'),
    DsStats: poll('DsStats'),
    'crs/stats': poll('crs/stats'),
  }
  const monitored = <T extends { ignored: number }>(cdn: LiveCdn, of: Poll<T>) =>
    firstGood(cdn, of, now).then((seen) => withUnreadable(cdn, seen, seen.value?.ignored ?? 0))
  const states = (cdn: LiveCdn) => monitored(cdn, polls.CrStates)
  const stats = (cdn: LiveCdn) => monitored(cdn, polls.CacheStats)
  const services = (cdn: LiveCdn) => monitored(cdn, polls.DsStats)
  const routers = async (cdn: LiveCdn) => {
    const seen = await allGood(cdn, polls['crs/stats'], now)
    return withUnreadable(
      cdn,
      seen,
      seen.value.reduce((sum, { ignored }) => sum + ignored, 0),
    )
  }

  const watched = (cdns: readonly LiveCdn[]) => inParallel(cdns, { states })
  const measured = (cdns: readonly LiveCdn[]) => inParallel(cdns, { states, stats })

  return {
    async health(data, cdns) {
      const { parts, ...rest } = await watched(described(data, cdns))
      return { response: health(parts), ...rest }
    },
    async serviceHealth(data, service) {
      const { parts, ...rest } = await watched(cdnOf(data, service))
      return { response: health(parts.map((part) => assignedOnly(data, service, part))), ...rest }
    },
    async capacity(data, cdns) {
      const { parts, ...rest } = await measured(described(data, cdns))
      return { response: capacity(parts), ...rest }
    },
    async serviceCapacity(data, service) {
      const { parts, ...rest } = await measured(cdnOf(data, service))
      return { response: capacity(parts.map((part) => assignedOnly(data, service, part))), ...rest }
    },
    async routing(data, cdns) {
      const { parts, ...rest } = await inParallel(described(data, cdns), { routers })
      return { response: routing(parts.flatMap((part) => part.routers)), ...rest }
    },
    async serviceRouting(data, service) {
      const { parts, warnings, age } = await inParallel(cdnOf(data, service), { routers })
      const all = parts.flatMap((part) => part.routers)
      const answered = serviceRouting(all, { type: typeOf(data, service), patterns: hostPatterns(data, service) })
      return { response: answered.routing, warnings: [...warnings, ...answered.warnings], age }
    },
    async serviceState(data, service) {
      const { parts, ...rest } = await watched(cdnOf(data, service))
      return { response: state(service, typeOf(data, service), parts[0]?.states ?? null), ...rest }
    },
    async usage(data, cdns) {
      const { parts, ...rest } = await inParallel(described(data, cdns), { stats, services })
      return { response: usage(parts), ...rest }
    },
    async figures(data, cdns) {
      const { parts, ...rest } = await inParallel(described(data, cdns), { stats })
      const known = new Map(parts.map((part) => [part.name, figures(part)] as const))
      return { response: new Map(cdns.map(({ name }) => [name, known.get(name) ?? null] as const)), ...rest }
    },
    async cachesStats(data, cdns, of = 'all caches') {
      const { parts, ...rest } = await measured(described(data, cdns))
      return { response: cachesStats(of === 'edges' ? parts.map(edgesOnly) : parts), ...rest }
    },
    ages: () =>
      Object.entries(polls).flatMap(([document, of]) => of.ages().map((upstream) => ({ document, ...upstream }))),
  }
}

type Ask = (cdn: LiveCdn) => Promise<Seen<unknown>>
type Part<A extends Readonly<Record<string, Ask>>> = Pick<LiveCdn, 'caches' | 'name'> & {
  [K in keyof A]: Awaited<ReturnType<A[K]>>['value']
}

/** Asks all of every CDN at once. */
async function inParallel<A extends Readonly<Record<string, Ask>>>(cdns: readonly LiveCdn[], asks: A) {
  const answers = await Promise.all(
    cdns.map(async (cdn) => {
      const seen = await Promise.all(Object.entries(asks).map(async ([name, ask]) => ({ name, ...(await ask(cdn)) })))
      const values = Object.fromEntries(seen.map(({ name, value }) => [name, value]))
      return { part: { name: cdn.name, caches: cdn.caches, ...values } as Part<A>, cdn, seen }
    }),
  )
  const seen = answers.flatMap((answer) => answer.seen)
  const warnings = [...cdns.flatMap((cdn) => cdn.warnings), ...seen.flatMap((one) => one.warnings)]
  return {
    parts: answers.map(({ part }) => part),
    warnings: [...new Set(warnings)],
    age: Math.floor(Math.max(0, ...seen.map((one) => one.age)) / 1000),
  }
}

/** A CDN without any server, like the one that stands for all, has nothing to ask and no warning to give. */
const described = (data: Reader, cdns: readonly Cdn[]): LiveCdn[] => {
  const used = cdns.length > 1 ? cdns.filter((cdn) => data.has('servers', 'cdnId', cdn.id)) : cdns
  return used.map((cdn) => describeCdn(data, cdn))
}

const cdnOf = (data: Reader, service: DeliveryService): LiveCdn[] => {
  const cdn = data.get('cdns', service.cdnId)
  return cdn === undefined ? [] : [describeCdn(data, cdn)]
}

const typeOf = (data: Reader, service: DeliveryService) => data.get('types', service.typeId)?.name ?? ''

function assignedOnly<P extends Pick<LiveCdn, 'caches'>>(data: Reader, service: DeliveryService, part: P): P {
  const hosts = assignedHosts(data, service)
  return { ...part, caches: part.caches.filter(({ hostName }) => hosts.has(hostName)) }
}

const edgesOnly = <P extends Pick<LiveCdn, 'caches'>>(part: P): P => ({
  ...part,
  caches: part.caches.filter(({ isEdge }) => isEdge),
})

function hostPatterns(data: Reader, service: DeliveryService): string[] {
  return data
    .by('deliveryServiceRegexes', 'deliveryServiceId', service.id)
    .filter(({ typeId }) => data.get('types', typeId)?.name === 'HOST_REGEXP')
    .map(({ pattern }) => pattern)
}

function withUnreadable<T>({ name }: LiveCdn, seen: Seen<T>, ignored: number): Seen<T> {
  if (ignored === 0) return seen
  const text = `Of what was said of CDN ${name}, ${ignored} ${ignored === 1 ? 'entry' : 'entries'} could not be read.`
  return { ...seen, warnings: [...seen.warnings, text] }
}
