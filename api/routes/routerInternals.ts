import { noSuch, notFound } from '../config/errors.js'
import type { Endpoint, RequestInput, Result } from '../operations/endpoint.js'
import type { Data } from '../schema/data.js'
import { findOne } from '../schema/data.js'
import { isRootAdmin, mustReachTenant, reachesTenant } from '../schema/privileges.js'
import type { Records } from '../schema/records.js'

type Service = Records['deliveryServices']

/** What routers poll beside the snapshot, under a root of its own; federations are with their records. */
export const internalEndpoints: readonly Endpoint[] = [
  {
    method: 'GET',
    path: '/internal/api/:version/steering',
    unversioned: true,
    role: 'portal',
    reach: 'tenants',
    summary: 'Where steering delivery services send their clients, as routers poll it',
    read: (input, data) => ({ response: steeringServices(input, data).map((service) => steering(service, data)) }),
  },
  {
    method: 'GET',
    path: '/internal/api/:version/steering/:xmlId',
    unversioned: true,
    role: 'portal',
    reach: 'tenants',
    summary: 'Where one steering delivery service sends its clients',
    read: oneSteering,
  },
]

const known = ({ params }: RequestInput): void => {
  if (!/^1\.\d{1,2}$/.test(params.version ?? '')) throw notFound()
}

/** Routers log in as administrators of the root tenant and get all of them; others those of their tenants. */
function steeringServices(input: RequestInput, data: Data): Service[] {
  known(input)
  return data
    .all('types')
    .filter(({ name }) => isSteering(name))
    .flatMap(({ id }) => data.by('deliveryServices', 'typeId', id))
    .filter(({ tenantId }) => isRootAdmin(input.user) || reachesTenant(data, input.user, tenantId))
    .toSorted((a, b) => (a.xmlId < b.xmlId ? -1 : 1))
}

function oneSteering(input: RequestInput, data: Data): Result {
  known(input)
  const service = findOne(data, 'deliveryServices', 'xmlId', input.params.xmlId ?? '')
  if (!service || !isSteering(typeName(service.typeId, data)))
    throw noSuch('steering deliveryservice', input.params.xmlId ?? '')
  if (!isRootAdmin(input.user)) mustReachTenant(data, input.user, service.tenantId)
  return { response: steering(service, data) }
}

const isSteering = (type: string) => type === 'STEERING' || type === 'CLIENT_STEERING'

const typeName = (id: number, data: Data): string => data.get('types', id)?.name ?? ''

/** Filters are patterns of the targets: a request that matches one is sent to its service whatever the weights say. */
function steering({ id, xmlId, typeId }: Service, data: Data) {
  const targets = data
    .by('steeringTargets', 'deliveryServiceId', id)
    .map((target) => ({ ...target, service: data.get('deliveryServices', target.targetId)! }))
    .toSorted((a, b) => (a.service.xmlId < b.service.xmlId ? -1 : 1))
  return {
    deliveryService: xmlId,
    clientSteering: typeName(typeId, data) === 'CLIENT_STEERING',
    targets: targets.map(({ service, typeId, value }) => ({
      deliveryService: service.xmlId,
      ...placeOf(typeName(typeId, data), value),
      ...(typeName(typeId, data).startsWith('STEERING_GEO') ? whereIs(service, data) : {}),
    })),
    filters: targets.flatMap(({ service }) =>
      patternsOf(service, data).map((pattern) => ({ deliveryService: service.xmlId, pattern })),
    ),
  }
}

/** What a target's value means depends on its type. */
function placeOf(type: string, value: number): { order: number; weight: number; geoOrder?: number } {
  if (type === 'STEERING_ORDER') return { order: value, weight: 0 }
  if (type === 'STEERING_WEIGHT') return { order: 0, weight: value }
  if (type === 'STEERING_GEO_ORDER') return { order: 0, weight: 0, geoOrder: value }
  return { order: 0, weight: value, geoOrder: 0 }
}

/** Distance is measured to the primary origin; without coordinates there is nothing to measure. */
function whereIs({ id }: Service, data: Data): { latitude?: number; longitude?: number } {
  const origin = findOne(data, 'origins', 'primaryOf', id)
  const coordinate = data.get('coordinates', origin?.coordinateId ?? null)
  return coordinate ? { latitude: coordinate.latitude, longitude: coordinate.longitude } : {}
}

const patternsOf = ({ id }: Service, data: Data): string[] =>
  data
    .by('deliveryServiceRegexes', 'deliveryServiceId', id)
    .filter(({ typeId }) => typeName(typeId, data) === 'STEERING_REGEXP')
    .toSorted((a, b) => a.setNumber - b.setNumber || a.id - b.id)
    .map(({ pattern }) => pattern)
