import type { Data } from '../data.js'
import type { Asked, Endpoint } from '../endpoint.js'
import type { Records } from '../records.js'
import { reachesTenant } from '../roles.js'

const path = '/internal/api/:version/steering'

/** The steering document that routers poll; of one delivery service when the path names it. */
export const internalSteering: readonly (() => Endpoint)[] = [path, `${path}/:xml_id`].map((path) => () => ({
  method: 'GET',
  path,
  unversioned: true,
  role: 'portal',
  summary: 'Where steering delivery services steer to, as routers poll it',
  read: (asked, data) => ({ response: documents(asked, data) }),
}))

function documents({ params, user }: Asked, data: Data) {
  const types = new Map(data.all('types').map(({ id, name }) => [id, name]))
  return data
    .all('deliveryServices')
    .filter(({ typeId }) => types.get(typeId)?.endsWith('STEERING'))
    .filter(({ xmlId }) => params.xml_id === undefined || params.xml_id === xmlId)
    .filter(({ tenantId }) => reachesTenant(data, user, tenantId))
    .map((service) => ({
      deliveryService: service.xmlId,
      clientSteering: types.get(service.typeId) === 'CLIENT_STEERING',
      ...steered(service, types, data),
    }))
}

function steered({ id }: Records['deliveryServices'], types: ReadonlyMap<number, string>, data: Data) {
  const rows = data.by('steeringTargets', 'deliveryServiceId', id)
  const targets = rows.map((row) => {
    const target = data.get('deliveryServices', row.targetId)!
    const type = types.get(row.typeId) ?? ''
    const order = type === 'STEERING_ORDER' || type === 'STEERING_GEO_ORDER' ? row.value : 0
    const weight = type === 'STEERING_WEIGHT' || type === 'STEERING_GEO_WEIGHT' ? row.value : 0
    const entry = { deliveryService: target.xmlId, order: type === 'STEERING_ORDER' ? order : 0, weight }
    if (!type.startsWith('STEERING_GEO')) return entry
    return { ...entry, geoOrder: order, ...placeOf(target, data) }
  })
  const filters = rows.flatMap(({ targetId }) =>
    data
      .by('deliveryServiceRegexes', 'deliveryServiceId', targetId)
      .filter(({ typeId }) => types.get(typeId) === 'STEERING_REGEXP')
      .map(({ pattern }) => ({ deliveryService: data.get('deliveryServices', targetId)!.xmlId, pattern })),
  )
  return { targets, filters }
}

/** Where the primary origin of a target stands. */
function placeOf({ id }: Records['deliveryServices'], data: Data) {
  const [origin] = data.by('origins', 'primaryOf', id)
  const place = data.get('coordinates', origin?.coordinateId ?? null)
  return place ? { latitude: place.latitude, longitude: place.longitude } : {}
}
