import { Type } from '@sinclair/typebox'
import { badRequest, notFound } from '../../config/errors.js'
import type { Transaction } from '../../journal/transaction.js'
import type { Endpoint, RequestInput, Result } from '../../operations/endpoint.js'
import { each } from '../../records/each.js'
import { mustChange, mustSee, mustSeeResolver } from '../../records/kinds/federationReach.js'
import type { Data } from '../../schema/data.js'
import { mustReachTenant, reachesTenant } from '../../schema/privileges.js'
import type { Records } from '../../schema/records.js'
import { changing } from '../crud/changing.js'
import { byBodyId, byPathId } from '../crud/ids.js'
import { flag, ids, linkBody } from '../crud/linkBody.js'
import { sortAndPage } from '../crud/lists.js'
import { reading } from '../crud/reading.js'
import type { Resource } from '../crud/resource.js'
import { success } from '../crud/routes.js'
import { reachedService } from '../deliveryServices/reachedService.js'

type Federation = Records['federations']
type LinkField = 'deliveryServices' | 'users' | 'resolvers'

const change = changing({ role: 'admin', reach: 'tenants' })

const services = linkBody({ dsIds: ids, replace: flag })
const resolvers = linkBody({ fedResolverIds: ids, replace: flag })
const users = linkBody({ userIds: ids, replace: flag })

/** Which delivery services, users and resolvers a federation has. */
export const linkRoutes: readonly ((resource: Resource) => Endpoint)[] = [
  reading(
    '/federations/:id/deliveryservices',
    'Delivery services of a federation',
    Type.Array(Type.Object({ id: Type.Integer(), cdn: Type.String(), type: Type.String(), xmlId: Type.String() })),
    (input, data) => {
      const rows = federationOf(input, data)
        .deliveryServices.map((id) => data.get('deliveryServices', id)!)
        .filter(({ tenantId }) => reachesTenant(data, input.user, tenantId))
      return sortAndPage(rows, input.query, 'xmlId').map(({ id, xmlId, cdnId, typeId }) => ({
        id,
        cdn: data.get('cdns', cdnId)!.name,
        type: data.get('types', typeId)!.name,
        xmlId,
      }))
    },
    'tenants',
  ),
  change(
    {
      method: 'POST',
      path: '/federations/:id/deliveryservices',
      summary: 'Assign delivery services to a federation',
      body: services,
      response: services.reply,
    },
    (input, transaction) => {
      const federation = changedFederation(input, transaction.data)
      const { dsIds, replace } = services.read(input.body)
      each(dsIds, (id) => {
        const { tenantId } = byBodyId(transaction.data, 'deliveryServices', id, 'dsIds')
        mustReachTenant(transaction.data, input.user, tenantId)
      })
      if (dsIds.length === 0 && federation.deliveryServices.length > 0 && replace) throw needsOne()
      assign(transaction, federation, 'deliveryServices', dsIds, replace)
      return told(
        transaction,
        `${dsIds.length} delivery service(s) were assigned to the ${federation.cname} federation`,
        {
          dsIds,
          replace,
        },
      )
    },
  ),
  change(
    {
      method: 'DELETE',
      path: '/federations/:id/deliveryservices/:dsId',
      summary: 'Take a delivery service from a federation',
      body: 'none',
    },
    (input, transaction) => {
      const federation = changedFederation(input, transaction.data)
      const service = reachedService(input, transaction.data, 'dsId')
      if (!federation.deliveryServices.includes(service.id))
        throw notFound('The federation lacks the delivery service.')
      if (federation.deliveryServices.length === 1) throw needsOne()
      take(transaction, federation, 'deliveryServices', service.id)
      return told(transaction, `Removed delivery service [ ${service.xmlId} ] from federation [ ${federation.cname} ]`)
    },
  ),
  reading(
    '/federations/:id/federation_resolvers',
    'Resolvers of a federation',
    Type.Array(
      Type.Object({ id: Type.Integer(), ipAddress: Type.String(), type: Type.Union([Type.String(), Type.Null()]) }),
    ),
    (input, data) => {
      const rows = federationOf(input, data).resolvers.map((id) => data.get('federationResolvers', id)!)
      return sortAndPage(rows, input.query, 'ipAddress').map(({ id, ipAddress, typeId }) => ({
        id,
        ipAddress,
        type: data.get('types', typeId)!.name,
      }))
    },
    'tenants',
  ),
  change(
    {
      method: 'POST',
      path: '/federations/:id/federation_resolvers',
      summary: 'Assign resolvers to a federation',
      body: resolvers,
      response: resolvers.reply,
    },
    (input, transaction) => {
      const federation = changedFederation(input, transaction.data)
      const { fedResolverIds, replace } = resolvers.read(input.body)
      each(fedResolverIds, (id) => {
        byBodyId(transaction.data, 'federationResolvers', id, 'fedResolverIds')
        mustSeeResolver(id, input.user, transaction.data)
      })
      assign(transaction, federation, 'resolvers', fedResolverIds, replace)
      return told(
        transaction,
        `${fedResolverIds.length} resolver(s) were assigned to the ${federation.cname} federation`,
        {
          fedResolverIds,
          replace,
        },
      )
    },
  ),
  reading(
    '/federations/:id/users',
    'Users of a federation',
    Type.Array(
      Type.Object({
        id: Type.Integer(),
        username: Type.String(),
        company: Type.Union([Type.String(), Type.Null()]),
        role: Type.String(),
        email: Type.String(),
        fullName: Type.String(),
      }),
    ),
    (input, data) => {
      const rows = federationOf(input, data)
        .users.map((id) => data.get('users', id)!)
        .filter(({ tenantId }) => reachesTenant(data, input.user, tenantId))
      return sortAndPage(rows, input.query, 'username').map(({ id, username, company, role, email, fullName }) => ({
        id,
        username,
        company,
        role: data.get('roles', role)!.name,
        email,
        fullName,
      }))
    },
    'tenants',
  ),
  change(
    {
      method: 'POST',
      path: '/federations/:id/users',
      summary: 'Assign users to a federation',
      body: users,
      response: users.reply,
    },
    (input, transaction) => {
      const federation = changedFederation(input, transaction.data)
      const { userIds, replace } = users.read(input.body)
      each(userIds, (id) => {
        mustReachTenant(transaction.data, input.user, byBodyId(transaction.data, 'users', id, 'userIds').tenantId)
      })
      assign(transaction, federation, 'users', userIds, replace)
      return told(transaction, `${userIds.length} user(s) were assigned to the ${federation.cname} federation`, {
        userIds,
        replace,
      })
    },
  ),
  change(
    {
      method: 'DELETE',
      path: '/federations/:id/users/:userId',
      summary: 'Take a user from a federation',
      body: 'none',
    },
    (input, transaction) => {
      const federation = changedFederation(input, transaction.data)
      const user = byPathId(transaction.data, 'users', 'user', input, 'userId')
      if (!federation.users.includes(user.id)) throw notFound('The user does not belong to the federation.')
      take(transaction, federation, 'users', user.id)
      return told(transaction, `Removed user [ ${user.username} ] from federation [ ${federation.cname} ]`)
    },
  ),
]

function federationOf(input: RequestInput, data: Data): Federation {
  const federation = byPathId(data, 'federations', 'federation', input)
  mustSee(federation, input.user, data)
  return federation
}

function changedFederation(input: RequestInput, data: Data): Federation {
  const federation = federationOf(input, data)
  mustChange(federation, input.user, data)
  return federation
}

function assign(
  transaction: Transaction,
  federation: Federation,
  field: LinkField,
  ids: readonly number[],
  replace: boolean,
): void {
  const all = replace ? ids : [...federation[field], ...ids]
  transaction.update('federations', federation.id, { [field]: [...new Set(all)].sort((a, b) => a - b) })
}

function take(transaction: Transaction, federation: Federation, field: LinkField, id: number): void {
  transaction.update('federations', federation.id, { [field]: federation[field].filter((one) => one !== id) })
}

const needsOne = () => badRequest('A federation must have at least one delivery service assigned.')

function told(transaction: Transaction, text: string, response?: object): Result {
  transaction.log(text)
  return { ...(response ? { response } : {}), alerts: [success(text)] }
}
