import { noSuch } from '../../config/errors.js'
import type { Asked, Endpoint } from '../../operations/endpoint.js'
import { byPathId } from '../../routes/crud/ids.js'
import { arrange, listQuery } from '../../routes/crud/lists.js'
import { present } from '../../routes/crud/present.js'
import { create, remove, update } from '../../routes/crud/routes.js'
import type { Data } from '../../schema/data.js'
import { integer, type RecordOf, ref } from '../../schema/fields.js'
import { mustReachTenant } from '../../schema/privileges.js'
import { defineResource, type JoinedRow, type Resource, type Row } from '../defineKind.js'
import { typeOf } from '../rules.js'

export const fields = {
  deliveryServiceId: ref('deliveryServices', { as: ['deliveryService'], onDelete: 'cascade' }),
  targetId: ref('deliveryServices', { as: ['target'], kept: true }),
  typeId: ref('types', { as: ['type', 'typeName'] }),
  /** The weight or the place in the order, by the type. */
  value: integer({ min: -2_147_483_648, max: 2_147_483_647 }),
}

type Target = RecordOf<typeof fields>

const all = '/steering/:dsId/targets'
const one = '/steering/:dsId/targets/:targetId'

export default defineResource({
  kind: 'steeringTargets',
  label: 'steeringtarget',
  key: null,
  fields,
  unique: [['deliveryServiceId', 'targetId']],
  rules,
  tenant: (target, data) => data.get('deliveryServices', target.deliveryServiceId)?.tenantId ?? null,
  shown: { id: null, lastUpdated: null },
  present: {
    '1.1': (row) => ({
      ...native(row),
      deliveryServiceId: String(row.deliveryServiceId),
      targetId: String(row.targetId),
      typeId: String(row.typeId),
    }),
    '1.3': native,
  },
  written: native,
  routes: [
    (resource) => reading(resource, all),
    (resource) => reading(resource, one),
    create(all, {
      role: 'portal',
      given: (asked, data) => ({ deliveryServiceId: serviceOf(asked, data).id }),
      text: () => 'Delivery service target creation was successful.',
    }),
    (resource) =>
      named(
        update(one, {
          role: 'portal',
          given: ({ params }) => ({ deliveryServiceId: Number(params.dsId), targetId: Number(params.targetId) }),
          text: () => 'Delivery service steering target update was successful.',
        })(resource),
      ),
    (resource) =>
      named(remove(one, { role: 'portal', text: () => 'Delivery service target delete was successful.' })(resource)),
  ],
})

function native({
  deliveryService,
  deliveryServiceId,
  target,
  targetId,
  type,
  typeId,
  value,
}: JoinedRow<typeof fields>) {
  return { deliveryService, deliveryServiceId, target, targetId, type, typeId, value }
}

function* rules({ after, data }: { after: Target; data: Data }) {
  yield* typeOf('steering_target', after, data)
  const type = data.get('types', after.typeId)?.name ?? ''
  const typeOfService = (id: number) => data.get('types', data.get('deliveryServices', id)?.typeId ?? null)?.name ?? ''
  const steering = typeOfService(after.deliveryServiceId)
  if (!steering.endsWith('STEERING')) {
    yield { path: 'deliveryServiceId', text: 'deliveryServiceId: the delivery service is not of a steering type' }
  }
  if (after.targetId === after.deliveryServiceId) {
    yield { path: 'targetId', text: 'targetId: a delivery service cannot steer to itself' }
  }
  if (type === 'STEERING_WEIGHT' && after.value < 0) yield { path: 'value', text: 'value must be at least 0' }
  if (type.startsWith('STEERING_GEO') && steering !== 'CLIENT_STEERING') {
    yield { path: 'typeId', text: `typeId: ${type} is for delivery services of type CLIENT_STEERING` }
  }
}

function serviceOf(asked: Asked, data: Data) {
  const service = byPathId(data, 'deliveryServices', 'deliveryservice', asked, 'dsId')
  mustReachTenant(data, asked.user, service.tenantId)
  return service
}

function reading(resource: Resource, path: string): Endpoint {
  return {
    method: 'GET',
    path,
    role: 'any',
    reach: 'tenants',
    summary: 'Where a delivery service steers to',
    query: listQuery,
    read: (asked, data) => {
      const { version, user, query, params } = asked
      const rows = data.by('steeringTargets', 'deliveryServiceId', serviceOf(asked, data).id)
      const chosen = rows.filter(({ targetId }) => path === all || String(targetId) === params.targetId)
      if (path === one && chosen.length === 0) throw noSuch('steeringtarget', params.targetId ?? '')
      const sorted = arrange(chosen as unknown as readonly Row[], query, 'targetId')
      return { response: sorted.map((row) => present(resource, row, { data, version, user })) }
    },
  }
}

/** A target has no id of its own in the paths: the pair names it. */
function named<E extends Extract<Endpoint, { write: unknown }>>(route: E): E {
  return {
    ...route,
    write: (asked, plan) => {
      const { id } = serviceOf(asked, plan.data)
      const { targetId = '' } = asked.params
      const key = JSON.stringify([id, Number(targetId)])
      const [found] = plan.data.ids('steeringTargets', 'deliveryServiceId+targetId', key)
      if (found === undefined) throw noSuch('steeringtarget', targetId)
      return route.write({ ...asked, params: { ...asked.params, id: String(found) } }, plan)
    },
  }
}
