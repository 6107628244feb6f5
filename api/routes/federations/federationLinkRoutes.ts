import { type TSchema, Type } from '@sinclair/typebox'
import { badRequest, notFound } from '../../config/errors.js'
import type { Plan } from '../../journal/plan.js'
import type { Answer, Asked, Body, Endpoint, Method } from '../../operations/endpoint.js'
import { each } from '../../records/each.js'
import { mustChange, mustSee, mustSeeResolver } from '../../records/kinds/federationReach.js'
import type { Data } from '../../schema/data.js'
import type { Role } from '../../schema/privileges.js'
import { mustReachTenant, reachesTenant } from '../../schema/privileges.js'
import type { Records } from '../../schema/records.js'
import { byBodyId, byPathId } from '../crud/ids.js'
import { flag, ids, idsOr, linkBody } from '../crud/linkBody.js'
import { arrange } from '../crud/lists.js'
import { reading } from '../crud/reading.js'
import { success } from '../crud/routes.js'

type Federation = Records['federations']
type LinkField = 'deliveryServices' | 'users' | 'resolvers'

const change =
  (
    method: Method,
    path: string,
    summary: string,
    shapes: { body?: Body; response?: TSchema },
    write: (asked: Asked, plan: Plan) => Answer,
  ) =>
  (): Endpoint => ({
    method,
    path,
    role: 'admin' satisfies Role,
    reach: 'tenants',
    summary,
    ...(shapes.body ? { body: shapes.body } : {}),
    ...(shapes.response ? { response: shapes.response } : {}),
    write,
  })

const services = linkBody({ dsIds: ids, replace: flag })
const resolvers = linkBody({ fedResolverIds: ids, replace: flag })
const users = linkBody({ userIds: idsOr('User IDs must be an array'), replace: flag })

/** Which delivery services, users and resolvers a federation has. */
export const linkRoutes: readonly (() => Endpoint)[] = [
  reading(
    '/federations/:id/deliveryservices',
    'Delivery services of a federation',
    Type.Array(Type.Object({ id: Type.Integer(), cdn: Type.String(), type: Type.String(), xmlId: Type.String() })),
    (asked, data) => {
      const rows = federationOf(asked, data)
        .deliveryServices.map((id) => data.get('deliveryServices', id)!)
        .filter(({ tenantId }) => reachesTenant(data, asked.user, tenantId))
      return arrange(rows, asked.query, 'xmlId').map(({ id, xmlId, cdnId, typeId }) => ({
        id,
        cdn: data.get('cdns', cdnId)!.name,
        type: data.get('types', typeId)!.name,
        xmlId,
      }))
    },
    'tenants',
  ),
  change(
    'POST',
    '/federations/:id/deliveryservices',
    'Assign delivery services to a federation',
    {
      body: services,
      response: Type.Object({ dsIds: Type.Array(Type.Integer()), replace: Type.Boolean() }),
    },
    (asked, plan) => {
      const federation = changedFederation(asked, plan.data)
      const { dsIds, replace } = services.read(asked.body)
      each(dsIds, (id) => {
        const { tenantId } = byBodyId(plan.data, 'deliveryServices', id, 'dsIds')
        mustReachTenant(plan.data, asked.user, tenantId)
      })
      if (dsIds.length === 0 && federation.deliveryServices.length > 0 && replace) throw needsOne()
      assign(plan, federation, 'deliveryServices', dsIds, replace)
      return told(plan, `${dsIds.length} delivery service(s) were assigned to the ${federation.cname} federation`, {
        dsIds,
        replace,
      })
    },
  ),
  change(
    'DELETE',
    '/federations/:id/deliveryservices/:dsId',
    'Take a delivery service from a federation',
    {},
    (asked, plan) => {
      const federation = changedFederation(asked, plan.data)
      const service = byPathId(plan.data, 'deliveryServices', 'deliveryservice', asked, 'dsId')
      mustReachTenant(plan.data, asked.user, service.tenantId)
      if (!federation.deliveryServices.includes(service.id))
        throw notFound('The federation lacks the delivery service.')
      if (federation.deliveryServices.length === 1) throw needsOne()
      take(plan, federation, 'deliveryServices', service.id)
      return told(plan, `Removed delivery service [ ${service.xmlId} ] from federation [ ${federation.cname} ]`)
    },
  ),
  reading(
    '/federations/:id/federation_resolvers',
    'Resolvers of a federation',
    Type.Array(
      Type.Object({ id: Type.Integer(), ipAddress: Type.String(), type: Type.Union([Type.String(), Type.Null()]) }),
    ),
    (asked, data) => {
      const rows = federationOf(asked, data).resolvers.map((id) => data.get('federationResolvers', id)!)
      return arrange(rows, asked.query, 'ipAddress').map(({ id, ipAddress, typeId }) => ({
        id,
        ipAddress,
        type: data.get('types', typeId)!.name,
      }))
    },
    'tenants',
  ),
  change(
    'POST',
    '/federations/:id/federation_resolvers',
    'Assign resolvers to a federation',
    {
      body: resolvers,
      response: Type.Object({ fedResolverIds: Type.Array(Type.Integer()), replace: Type.Boolean() }),
    },
    (asked, plan) => {
      const federation = changedFederation(asked, plan.data)
      const { fedResolverIds, replace } = resolvers.read(asked.body)
      each(fedResolverIds, (id) => {
        byBodyId(plan.data, 'federationResolvers', id, 'fedResolverIds')
        mustSeeResolver(id, asked.user, plan.data)
      })
      assign(plan, federation, 'resolvers', fedResolverIds, replace)
      return told(plan, `${fedResolverIds.length} resolver(s) were assigned to the ${federation.cname} federation`, {
        fedResolverIds,
        replace,
      })
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
    (asked, data) => {
      const rows = federationOf(asked, data)
        .users.map((id) => data.get('users', id)!)
        .filter(({ tenantId }) => reachesTenant(data, asked.user, tenantId))
      return arrange(rows, asked.query, 'username').map(({ id, username, company, role, email, fullName }) => ({
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
    'POST',
    '/federations/:id/users',
    'Assign users to a federation',
    {
      body: users,
      response: Type.Object({ userIds: Type.Array(Type.Integer()), replace: Type.Boolean() }),
    },
    (asked, plan) => {
      const federation = changedFederation(asked, plan.data)
      const { userIds, replace } = users.read(asked.body)
      each(userIds, (id) => {
        mustReachTenant(plan.data, asked.user, byBodyId(plan.data, 'users', id, 'userIds').tenantId)
      })
      assign(plan, federation, 'users', userIds, replace)
      return told(plan, `${userIds.length} user(s) were assigned to the ${federation.cname} federation`, {
        userIds,
        replace,
      })
    },
  ),
  change('DELETE', '/federations/:id/users/:userId', 'Take a user from a federation', {}, (asked, plan) => {
    const federation = changedFederation(asked, plan.data)
    const user = byPathId(plan.data, 'users', 'user', asked, 'userId')
    if (!federation.users.includes(user.id)) throw notFound('The user does not belong to the federation.')
    take(plan, federation, 'users', user.id)
    return told(plan, `Removed user [ ${user.username} ] from federation [ ${federation.cname} ]`)
  }),
]

function federationOf(asked: Asked, data: Data): Federation {
  const federation = byPathId(data, 'federations', 'federation', asked)
  mustSee(federation, asked.user, data)
  return federation
}

function changedFederation(asked: Asked, data: Data): Federation {
  const federation = federationOf(asked, data)
  mustChange(federation, asked.user, data)
  return federation
}

function assign(plan: Plan, federation: Federation, field: LinkField, ids: readonly number[], replace: boolean): void {
  const all = replace ? ids : [...federation[field], ...ids]
  plan.update('federations', federation.id, { [field]: [...new Set(all)].sort((a, b) => a - b) })
}

function take(plan: Plan, federation: Federation, field: LinkField, id: number): void {
  plan.update('federations', federation.id, { [field]: federation[field].filter((one) => one !== id) })
}

const needsOne = () => badRequest('A federation must have at least one delivery service assigned.')

function told(plan: Plan, text: string, response?: object): Answer {
  plan.log(text)
  return { ...(response ? { response } : {}), alerts: [success(text)] }
}
