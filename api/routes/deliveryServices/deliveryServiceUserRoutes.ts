import { Type } from '@sinclair/typebox'
import { notFound } from '../../config/errors.js'
import type { Plan } from '../../journal/plan.js'
import type { Answer, Asked, Endpoint } from '../../operations/endpoint.js'
import { listQuery } from '../../operations/queryParameters.js'
import { each } from '../../records/each.js'
import type { Data } from '../../schema/data.js'
import { mustReachTenant, reachesTenant } from '../../schema/privileges.js'
import { byBodyId, byPathId } from '../crud/ids.js'
import { flag, id, ids, linkBody } from '../crud/linkBody.js'
import { arrange } from '../crud/lists.js'
import { success } from '../crud/routes.js'
import { rowSchema } from '../crud/rowSchema.js'
import deliveryServices from './deliveryServices.js'
import { servicesShown } from './servicesShown.js'

const gift = linkBody({ userId: id, deliveryServices: ids, replace: flag })

export const userRoutes: readonly (() => Endpoint)[] = [
  () => ({
    method: 'GET',
    path: '/users/:id/deliveryservices',
    role: 'any',
    reach: 'tenants',
    summary: 'Delivery services given to a user',
    response: Type.Array(rowSchema(deliveryServices)),
    query: listQuery,
    read: (asked, data) => {
      const { id } = userOf(asked, data)
      const given = data.get('deliveryServiceUsers', id)?.deliveryServices ?? []
      return { response: servicesShown(deliveryServices, given, asked, data) }
    },
  }),
  () => ({
    method: 'GET',
    path: '/user/:id/deliveryservices/available',
    role: 'any',
    reach: 'tenants',
    summary: 'Delivery services that could be given to a user',
    response: Type.Array(Type.Object({ id: Type.Integer(), xmlId: Type.String(), displayName: Type.String() })),
    query: listQuery,
    read: available,
  }),
  () => ({
    method: 'POST',
    path: '/deliveryservice_user',
    role: 'oper',
    reach: 'tenants',
    summary: 'Give delivery services to a user',
    body: gift,
    response: Type.Object({
      userId: Type.Integer(),
      deliveryServices: Type.Array(Type.Integer()),
      replace: Type.Boolean(),
    }),
    write: give,
  }),
  () => ({
    method: 'DELETE',
    path: '/deliveryservice_user/:dsId/:userId',
    role: 'oper',
    reach: 'tenants',
    summary: 'Take a delivery service from a user',
    write: take,
  }),
]

function userOf(asked: Asked, data: Data, param = 'id') {
  const user = byPathId(data, 'users', 'user', asked, param)
  mustReachTenant(data, asked.user, user.tenantId)
  return user
}

function available(asked: Asked, data: Data): Answer {
  const given = new Set(data.get('deliveryServiceUsers', userOf(asked, data).id)?.deliveryServices)
  const rows = data
    .all('deliveryServices')
    .filter(({ id, tenantId }) => !given.has(id) && reachesTenant(data, asked.user, tenantId))
  const native = asked.version === '1.3'
  return {
    response: arrange(rows, asked.query, 'xmlId').map(({ id, xmlId, displayName }) => ({
      id: native ? id : String(id),
      xmlId,
      displayName,
    })),
  }
}

function give(asked: Asked, plan: Plan): Answer {
  const { data } = plan
  const { userId, deliveryServices: given, replace } = gift.read(asked.body)
  const user = byBodyId(data, 'users', userId, 'userId')
  mustReachTenant(data, asked.user, user.tenantId)
  each(given, (id) => {
    const { tenantId } = byBodyId(data, 'deliveryServices', id, 'deliveryServices')
    mustReachTenant(data, asked.user, tenantId)
  })
  const had = data.get('deliveryServiceUsers', userId)?.deliveryServices ?? []
  set(plan, userId, replace ? given : [...had, ...given])
  plan.log(`Gave ${given.length} delivery services to ${user.username}`)
  const alerts = [success('Delivery service assignments complete.')]
  return { response: { userId, deliveryServices: given, replace }, alerts }
}

function take(asked: Asked, plan: Plan): Answer {
  const user = userOf(asked, plan.data, 'userId')
  const service = byPathId(plan.data, 'deliveryServices', 'deliveryservice', asked, 'dsId')
  mustReachTenant(plan.data, asked.user, service.tenantId)
  const had = plan.data.get('deliveryServiceUsers', user.id)?.deliveryServices ?? []
  if (!had.includes(service.id)) throw notFound('The delivery service is not given to the user.')
  set(
    plan,
    user.id,
    had.filter((id) => id !== service.id),
  )
  plan.log(`Took ${service.xmlId} from ${user.username}`)
  return { alerts: [success('User and delivery service were unlinked.')] }
}

function set(plan: Plan, userId: number, services: readonly number[]): void {
  const deliveryServices = [...new Set(services)].sort((a, b) => a - b)
  if (plan.data.get('deliveryServiceUsers', userId)) plan.update('deliveryServiceUsers', userId, { deliveryServices })
  else plan.create('deliveryServiceUsers', { deliveryServices }, userId)
}
