import { Type } from '@sinclair/typebox'
import { notFound } from '../../config/errors.js'
import type { Transaction } from '../../journal/transaction.js'
import type { Endpoint, RequestInput, Result } from '../../operations/endpoint.js'
import { each } from '../../records/each.js'
import type { Data } from '../../schema/data.js'
import { mustReachTenant, reachesTenant } from '../../schema/privileges.js'
import { changing } from '../crud/changing.js'
import { byBodyId, byPathId } from '../crud/ids.js'
import { flag, id, ids, linkBody } from '../crud/linkBody.js'
import { sortAndPage } from '../crud/lists.js'
import { reading } from '../crud/reading.js'
import type { Resource } from '../crud/resource.js'
import { success } from '../crud/routes.js'
import { rowSchema } from '../crud/rowSchema.js'
import deliveryServices from './deliveryServices.js'
import { reachedService } from './reachedService.js'
import { servicesShown } from './servicesShown.js'

const gift = linkBody({ userId: id, deliveryServices: ids, replace: flag })

const change = changing({ role: 'oper', reach: 'tenants' })

export const userRoutes: readonly ((resource: Resource) => Endpoint)[] = [
  reading(
    '/users/:id/deliveryservices',
    'Delivery services given to a user',
    Type.Array(rowSchema(deliveryServices)),
    (input, data) => {
      const { id } = userOf(input, data)
      const given = data.get('deliveryServiceUsers', id)?.deliveryServices ?? []
      return servicesShown(deliveryServices, given, input, data)
    },
    'tenants',
  ),
  reading(
    '/user/:id/deliveryservices/available',
    'Delivery services that could be given to a user',
    Type.Array(Type.Object({ id: Type.Integer(), xmlId: Type.String(), displayName: Type.String() })),
    available,
    'tenants',
  ),
  change(
    {
      method: 'POST',
      path: '/deliveryservice_user',
      summary: 'Give delivery services to a user',
      body: gift,
      response: gift.reply,
    },
    give,
  ),
  change(
    {
      method: 'DELETE',
      path: '/deliveryservice_user/:dsId/:userId',
      summary: 'Take a delivery service from a user',
      body: 'none',
    },
    take,
  ),
]

function userOf(input: RequestInput, data: Data, param = 'id') {
  const user = byPathId(data, 'users', 'user', input, param)
  mustReachTenant(data, input.user, user.tenantId)
  return user
}

function available(input: RequestInput, data: Data) {
  const given = new Set(data.get('deliveryServiceUsers', userOf(input, data).id)?.deliveryServices)
  const rows = data
    .all('deliveryServices')
    .filter(({ id, tenantId }) => !given.has(id) && reachesTenant(data, input.user, tenantId))
  const native = input.version === '1.3'
  return sortAndPage(rows, input.query, 'xmlId').map(({ id, xmlId, displayName }) => ({
    id: native ? id : String(id),
    xmlId,
    displayName,
  }))
}

function give(input: RequestInput, transaction: Transaction): Result {
  const { data } = transaction
  const { userId, deliveryServices: given, replace } = gift.read(input.body)
  const user = byBodyId(data, 'users', userId, 'userId')
  mustReachTenant(data, input.user, user.tenantId)
  each(given, (id) => {
    const { tenantId } = byBodyId(data, 'deliveryServices', id, 'deliveryServices')
    mustReachTenant(data, input.user, tenantId)
  })
  const had = data.get('deliveryServiceUsers', userId)?.deliveryServices ?? []
  set(transaction, userId, replace ? given : [...had, ...given])
  transaction.log(`Gave ${given.length} delivery services to ${user.username}`)
  const alerts = [success('Delivery service assignments complete.')]
  return { response: { userId, deliveryServices: given, replace }, alerts }
}

function take(input: RequestInput, transaction: Transaction): Result {
  const user = userOf(input, transaction.data, 'userId')
  const service = reachedService(input, transaction.data, 'dsId')
  const had = transaction.data.get('deliveryServiceUsers', user.id)?.deliveryServices ?? []
  if (!had.includes(service.id)) throw notFound('The delivery service is not given to the user.')
  set(
    transaction,
    user.id,
    had.filter((id) => id !== service.id),
  )
  transaction.log(`Took ${service.xmlId} from ${user.username}`)
  return { alerts: [success('User and delivery service were unlinked.')] }
}

function set(transaction: Transaction, userId: number, services: readonly number[]): void {
  const deliveryServices = [...new Set(services)].sort((a, b) => a - b)
  if (transaction.data.get('deliveryServiceUsers', userId))
    transaction.update('deliveryServiceUsers', userId, { deliveryServices })
  else transaction.create('deliveryServiceUsers', { deliveryServices }, userId)
}
