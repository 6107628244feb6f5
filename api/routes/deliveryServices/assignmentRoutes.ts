import { Type } from '@sinclair/typebox'
import { badRequest, invalid, noSuch, notFound } from '../../config/errors.js'
import { dangling } from '../../journal/references.js'
import type { Transaction } from '../../journal/transaction.js'
import { objectOf } from '../../operations/bodies.js'
import type { Body, Endpoint, RequestInput, Result } from '../../operations/endpoint.js'
import { flagQuery } from '../../operations/queryParameters.js'
import { each, eachInSteps } from '../../records/each.js'
import { assign, replaceServers, unassign } from '../../records/kinds/assignments.js'
import { carries } from '../../records/kinds/deliveryServiceServers.js'
import { findOne } from '../../schema/data.js'
import { mustReachTenant } from '../../schema/privileges.js'
import { changing } from '../crud/changing.js'
import { asIdList, byBodyId, byPathId, flagIn } from '../crud/ids.js'
import { flag, id, ids, linkBody } from '../crud/linkBody.js'
import type { Resource } from '../crud/resource.js'
import { success } from '../crud/routes.js'
import { reachedService } from './reachedService.js'

const change = changing({ role: 'oper', reach: 'tenants' })

const serversOf = linkBody({ dsId: id, servers: ids, replace: flag })
const servicesOf = linkBody({ deliveryServices: ids })
const serviceList: Body<number[]> = { schema: ids.schema, read: (given) => asIdList(given, 'dsIds') }

/** Names are looked up one a step, so that all that are unknown are named. */
const serverList: Body<readonly unknown[]> = {
  schema: Type.Object({ serverNames: Type.Array(Type.String()) }),
  read: (given) => {
    const { serverNames } = objectOf(given)
    if (!Array.isArray(serverNames)) throw invalid([{ path: 'serverNames', text: 'serverNames must be an array' }])
    return serverNames
  },
}

/** Which servers carry which delivery services, changed from both sides. */
export const assignmentRoutes: readonly ((resource: Resource) => Endpoint)[] = [
  change(
    {
      method: 'POST',
      path: '/deliveryserviceserver',
      summary: 'Have servers carry a delivery service',
      body: serversOf,
      response: serversOf.reply,
    },
    byIds,
  ),
  change(
    {
      method: 'POST',
      path: '/deliveryservices/:xml_id/servers',
      summary: 'Have exactly these servers carry a delivery service',
      body: serverList,
      response: Type.Object({ xmlId: Type.String(), serverNames: Type.Array(Type.String()) }),
    },
    byNames,
  ),
  change(
    {
      method: 'DELETE',
      path: '/deliveryservice_server/:dsId/:serverId',
      summary: 'Take a delivery service from a server',
      body: 'none',
    },
    unlink,
  ),
  change(
    {
      method: 'POST',
      path: '/servers/:id/deliveryservices',
      summary: 'Have a server carry delivery services',
      query: { replace: flagQuery('Take all others from it.') },
      body: serviceList,
      response: Type.Object({ serverId: Type.Integer(), dsIds: Type.Array(Type.Integer()), replace: Type.Boolean() }),
    },
    forServer,
  ),
  change(
    {
      method: 'POST',
      path: '/cachegroups/:id/deliveryservices',
      summary: 'Have all servers of a cache group carry delivery services',
      body: servicesOf,
      response: Type.Object({
        id: Type.Integer(),
        serverNames: Type.Array(Type.String()),
        deliveryServices: Type.Array(Type.Integer()),
      }),
    },
    forGroup,
  ),
]

function* byIds(input: RequestInput, transaction: Transaction): Generator<void, Result> {
  const { dsId, servers, replace } = serversOf.read(input.body)
  const service = byBodyId(transaction.data, 'deliveryServices', dsId, 'dsId')
  mustReachTenant(transaction.data, input.user, service.tenantId)
  yield* eachInSteps(servers, (id) => byBodyId(transaction.data, 'servers', id, 'servers'))
  if (replace) yield* replaceServers(transaction, service, servers)
  else yield* eachInSteps(servers, (id) => assign(transaction, id, [dsId]))
  transaction.log(`Assigned ${servers.length} servers to ${service.xmlId}${replace ? ', replacing those it had' : ''}`)
  return { response: { dsId, servers, replace }, alerts: [success('Server assignments complete.')] }
}

function* byNames(input: RequestInput, transaction: Transaction): Generator<void, Result> {
  const { xml_id: xmlId = '' } = input.params
  const service = findOne(transaction.data, 'deliveryServices', 'xmlId', xmlId)
  if (!service) throw noSuch('deliveryservice', xmlId)
  mustReachTenant(transaction.data, input.user, service.tenantId)
  const serverNames = serverList.read(input.body)
  const ids = yield* eachInSteps(serverNames, (name) => {
    const found = typeof name === 'string' ? transaction.data.by('servers', 'hostName', name) : []
    const server = found.find(({ cdnId }) => cdnId === service.cdnId) ?? found[0]
    if (!server) throw invalid([dangling('serverNames', 'servers', name)])
    return server.id
  })
  yield* replaceServers(transaction, service, ids)
  transaction.log(`Assigned ${ids.length} servers to ${xmlId}, replacing those it had`)
  return { response: { xmlId, serverNames }, alerts: [success('Server assignments complete.')] }
}

function unlink(input: RequestInput, transaction: Transaction): Result {
  const service = reachedService(input, transaction.data, 'dsId')
  const server = byPathId(transaction.data, 'servers', 'server', input, 'serverId')
  if (!transaction.data.get('deliveryServiceServers', server.id)?.deliveryServices.includes(service.id)) {
    throw notFound('The server does not carry the delivery service.')
  }
  unassign(transaction, server.id, [service.id])
  transaction.log(`Took ${service.xmlId} from ${server.hostName}`)
  return { alerts: [success('Server unlinked from delivery service.')] }
}

function forServer(input: RequestInput, transaction: Transaction): Result {
  const server = byPathId(transaction.data, 'servers', 'server', input)
  const dsIds = serviceList.read(input.body)
  const replace = flagIn(input.query, 'replace')
  checkServices(dsIds, input, transaction)
  if (replace) {
    const had = transaction.data.get('deliveryServiceServers', server.id)?.deliveryServices ?? []
    const gone = had.filter((id) => !dsIds.includes(id))
    checkServices(gone, input, transaction)
    unassign(transaction, server.id, gone)
  }
  assign(transaction, server.id, dsIds)
  transaction.log(
    `Assigned ${dsIds.length} delivery services to ${server.hostName}${replace ? ', replacing others' : ''}`,
  )
  return {
    response: { serverId: server.id, dsIds, replace },
    alerts: [success('successfully assigned dses to server')],
  }
}

function checkServices(ids: readonly number[], input: RequestInput, { data }: Transaction): void {
  each(ids, (id) => {
    const service = byBodyId(data, 'deliveryServices', id, 'deliveryServices')
    mustReachTenant(data, input.user, service.tenantId)
  })
}

/** Caches and origins of the group; all of them and all the services must be of one CDN (beyond.md §1.7). */
function* forGroup(input: RequestInput, transaction: Transaction): Generator<void, Result> {
  const { data } = transaction
  const group = byPathId(data, 'cachegroups', 'cachegroup', input)
  const { deliveryServices } = servicesOf.read(input.body)
  const type = data.get('types', group.typeId)?.name
  if (type !== 'EDGE_LOC' && type !== 'ORG_LOC') {
    throw badRequest(`The cache group ${group.name} is of type ${type}; it must be EDGE_LOC or ORG_LOC.`)
  }
  checkServices(deliveryServices, input, transaction)
  const servers = data
    .by('servers', 'cachegroupId', group.id)
    .filter(({ typeId }) => carries(data.get('types', typeId)?.name ?? ''))
  const cdns = new Set([
    ...servers.map(({ cdnId }) => cdnId),
    ...deliveryServices.map((id) => data.get('deliveryServices', id)!.cdnId),
  ])
  if (cdns.size > 1) throw badRequest('The servers of the cache group and the delivery services must be of one CDN.')
  for (const { id } of servers) {
    assign(transaction, id, deliveryServices)
    yield
  }
  const text = `Delivery services successfully assigned to all the servers of cache group ${group.id}.`
  transaction.log(text)
  const serverNames = servers.map(({ hostName }) => hostName)
  return { response: { id: group.id, serverNames, deliveryServices }, alerts: [success(text)] }
}
