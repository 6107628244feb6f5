import { Type } from '@sinclair/typebox'
import type { Reader } from '../../compiler/core/reader.js'
import type { Cdn, DeliveryService } from '../../compiler/data/model.js'
import type { Version } from '../config/apiVersions.js'
import { noSuch, notImplemented } from '../config/errors.js'
import type { Endpoint, Result } from '../operations/endpoint.js'
import type { Parts } from '../operations/parts.js'
import type { Live, LiveAnswer } from '../operations/upstream/liveState.js'
import type { Routing } from '../operations/upstream/routingSummary.js'
import { presentRouting } from '../operations/upstream/routingSummary.js'
import type { Data } from '../schema/data.js'
import { asReader, findOne } from '../schema/data.js'
import { reachedService } from './deliveryServices/reachedService.js'

type Uses = Pick<Parts, 'data' | 'live'>

const percent = (...names: readonly string[]) =>
  Type.Object(Object.fromEntries(names.map((name) => [name, Type.Number({ minimum: 0, maximum: 100 })])))
const health = Type.Object({
  totalOnline: Type.Integer(),
  totalOffline: Type.Integer(),
  cachegroups: Type.Array(Type.Object({ name: Type.String(), online: Type.Integer(), offline: Type.Integer() })),
})
const capacity = percent('availablePercent', 'unavailablePercent', 'utilizedPercent', 'maintenancePercent')
const routing = percent('staticRoute', 'miss', 'geo', 'err', 'cz', 'dsr')

/**
 * What monitors and routers say of the CDN at the moment: the one part of the API that is not a function of the
 * records. Who did not answer is told in warnings, how old the oldest part is in the header `Age`.
 */
export const liveEndpoints = (uses: Uses): readonly Endpoint[] => [
  ...cdnEndpoints(uses),
  ...serviceEndpoints(uses),
  metrics,
]

const cdnEndpoints = (uses: Uses): readonly Endpoint[] => [
  ofCdns(
    uses,
    '/cdns/health',
    'Edge caches that are available, and that are not, of all CDNs',
    health,
    (live) => live.health,
  ),
  ofCdns(
    uses,
    '/cdns/:name/health',
    'Edge caches of a CDN that are available, and that are not',
    health,
    (live) => live.health,
  ),
  ofCdns(
    uses,
    '/cdns/capacity',
    'How much of what all edge caches can serve is used',
    capacity,
    (live) => live.capacity,
  ),
  ofCdns(
    uses,
    '/cdns/routing',
    'How all routers came to their answers, in percent',
    routing,
    (live) => live.routing,
    (response, version) => (version === '1.3' ? response : presentRouting.cdns['1.1'](response)),
  ),
  ofCdns(
    uses,
    '/caches/stats',
    'Every cache with what it serves, after the sums of all caches and of each cache group',
    Type.Array(Type.Object({ hostname: Type.String(), healthy: Type.Boolean(), kbps: Type.Number() })),
    (live) => live.cachesStats,
  ),
]

const serviceEndpoints = (uses: Uses): readonly Endpoint[] => [
  ofService(
    uses,
    'health',
    'Caches of a delivery service that are available, and that are not',
    health,
    (live) => live.serviceHealth,
  ),
  ofService(
    uses,
    'capacity',
    'How much of what the caches of a delivery service can serve is used',
    capacity,
    (live) => live.serviceCapacity,
  ),
  ofService(
    uses,
    'routing',
    'How routers came to their answers for a delivery service, in percent',
    routing,
    (live) => live.serviceRouting,
    presentServiceRouting,
  ),
  ofService(
    uses,
    'state',
    'Whether a delivery service is served, and where its clients go when it is not',
    Type.Object({ enabled: Type.Boolean(), failover: Type.Object({ enabled: Type.Boolean() }) }),
    (live) => live.serviceState,
  ),
]

const metrics: Endpoint = {
  method: 'GET',
  path: '/cdns/metric_types/:metric/start_date/:start/end_date/:end',
  role: 'any',
  reach: 'shared',
  fails: [501],
  summary: 'Metrics over a time: not implemented',
  live: async () => {
    throw notImplemented('Metrics over a time')
  },
}

type Summary<S, T> = (live: Live) => (data: Reader, subject: S) => Promise<LiveAnswer<T>>
type Shape<T> = (response: T, version: Version) => unknown

function ofCdns<T>(
  { live, data }: Uses,
  path: string,
  summary: string,
  response: Route['response'],
  ask: Summary<readonly Cdn[], T>,
  shape: Shape<T> = asIs,
): Endpoint {
  return {
    method: 'GET',
    path,
    role: 'any',
    reach: 'shared',
    summary,
    response,
    live: async ({ params, version }) =>
      answered(await ask(live)(asReader(data), chosen(params.name, data)), version, shape),
  }
}

function ofService<T>(
  { live, data }: Uses,
  what: string,
  summary: string,
  response: Route['response'],
  ask: Summary<DeliveryService, T>,
  shape: Shape<T> = asIs,
): Endpoint {
  return {
    method: 'GET',
    path: `/deliveryservices/:id/${what}`,
    role: 'any',
    reach: 'tenants',
    summary,
    response,
    live: async (input) => answered(await ask(live)(asReader(data), reachedService(input, data)), input.version, shape),
  }
}

interface Route {
  readonly response: NonNullable<Endpoint['response']>
}

function asIs(response: unknown): unknown {
  return response
}

/** Of a CDN that serves nobody there is nothing to be known: that is no lack. `ALL` is always one of these. */
function chosen(name: string | undefined, data: Data): readonly Cdn[] {
  const asked = name === undefined ? data.all('cdns') : [findOne(data, 'cdns', 'name', name)]
  const serving = new Set(
    data
      .all('types')
      .filter(({ name }) => /^(EDGE|MID|CCR|RASCAL)/.test(name))
      .map(({ id }) => id),
  )
  return asked.filter((cdn) => {
    if (!cdn) throw noSuch('cdn', name ?? '')
    return data.by('servers', 'cdnId', cdn.id).some(({ typeId }) => serving.has(typeId))
  }) as readonly Cdn[]
}

function answered<T>({ response, warnings, age }: LiveAnswer<T>, version: Version, shape: Shape<T>): Result {
  return {
    response: shape(response, version),
    ...(warnings.length > 0 ? { alerts: warnings.map((text) => ({ level: 'warning', text })) } : {}),
    headers: { age: String(age) },
  }
}

function presentServiceRouting(response: Routing, version: Version): unknown {
  return version === '1.3' ? response : presentRouting.service[version](response)
}
