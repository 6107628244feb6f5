import { type TSchema, Type } from '@sinclair/typebox'
import { badRequest, invalid, noSuch, notFound } from '../../config/errors.js'
import { shownTime, zonedTime } from '../../config/times.js'
import { LazyList } from '../../flow/jsonText.js'
import { dangling } from '../../journal/references.js'
import type { Transaction } from '../../journal/transaction.js'
import { objectOf } from '../../operations/bodies.js'
import type { Body, Decision, Endpoint, RequestInput, Result, WriteMethod } from '../../operations/endpoint.js'
import { listQuery } from '../../operations/queryParameters.js'
import { each, eachInSteps } from '../../records/each.js'
import { assign, replaceServers, unassign } from '../../records/kinds/assignments.js'
import { carries } from '../../records/kinds/deliveryServiceServers.js'
import type { Data } from '../../schema/data.js'
import { findOne } from '../../schema/data.js'
import type { Row } from '../../schema/defineKind.js'
import { mustReachTenant, reachesTenant } from '../../schema/privileges.js'
import type { Records } from '../../schema/records.js'
import { asIdList, byBodyId, byPathId, flagIn } from '../crud/ids.js'
import { flag, id, ids, linkBody } from '../crud/linkBody.js'
import { arrange, pageOf, unseenIn } from '../crud/lists.js'
import { present } from '../crud/present.js'
import type { Resource } from '../crud/resource.js'
import { success } from '../crud/routes.js'
import { rowSchema } from '../crud/rowSchema.js'
import servers from '../servers/servers.js'
import { servicesShown } from './servicesShown.js'

type Service = Records['deliveryServices']
type Server = Records['servers']

const get =
  (
    path: string,
    summary: string,
    of: 'servers' | 'services',
    response: (input: RequestInput, data: Data, resource: Resource) => unknown,
  ) =>
  (resource: Resource): Endpoint => ({
    method: 'GET',
    path,
    role: 'any',
    reach: 'tenants',
    summary,
    query: listQuery,
    response: Type.Array(
      of === 'services'
        ? rowSchema(resource)
        : rowSchema({ ...servers, shown: { ...servers.shown, xmppId: null, xmppPasswd: null } }, 'CarryingServer'),
    ),
    read: (input, data) => ({ response: response(input, data, resource) }),
  })

const change =
  (
    method: WriteMethod,
    path: string,
    summary: string,
    shapes: { body: Body | 'none'; response?: TSchema },
    write: (input: RequestInput, transaction: Transaction) => Decision,
  ) =>
  (): Endpoint => ({
    method,
    path,
    role: 'oper',
    reach: 'tenants',
    summary,
    body: shapes.body,
    ...(shapes.response ? { response: shapes.response } : {}),
    write,
  })

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

/** Delivery services and the servers that carry them, asked and changed from both sides. */
export const assignmentRoutes: readonly ((resource: Resource) => Endpoint)[] = [
  get('/deliveryservices/:id/servers', 'Servers that carry a delivery service', 'servers', (input, data) => {
    const { id } = serviceOf(input, data)
    const assigned = data.ids('deliveryServiceServers', 'deliveryServices', id).map((id) => data.get('servers', id)!)
    return serversShown(assigned, input, data)
  }),
  get(
    '/deliveryservices/:id/unassigned_servers',
    'Servers that could carry a delivery service and do not',
    'servers',
    unassigned,
  ),
  get('/deliveryservices/:id/servers/unassigned', 'As unassigned_servers', 'servers', unassigned),
  get('/deliveryservices/:id/servers/eligible', 'Servers that can carry a delivery service', 'servers', (input, data) =>
    serversShown(eligible(serviceOf(input, data), data), input, data),
  ),
  get(
    '/servers/:id/deliveryservices',
    'Delivery services that a server carries',
    'services',
    (input, data, resource) => {
      const { id } = byPathId(data, 'servers', 'server', input)
      return servicesShown(resource, data.get('deliveryServiceServers', id)?.deliveryServices ?? [], input, data)
    },
  ),
  pairs,
  matches,
  change(
    'POST',
    '/deliveryserviceserver',
    'Have servers carry a delivery service',
    {
      body: serversOf,
      response: Type.Object({ dsId: Type.Integer(), servers: Type.Array(Type.Integer()), replace: Type.Boolean() }),
    },
    byIds,
  ),
  change(
    'POST',
    '/deliveryservices/:xml_id/servers',
    'Have exactly these servers carry a delivery service',
    {
      body: serverList,
      response: Type.Object({ xmlId: Type.String(), serverNames: Type.Array(Type.String()) }),
    },
    byNames,
  ),
  change(
    'DELETE',
    '/deliveryservice_server/:dsId/:serverId',
    'Take a delivery service from a server',
    { body: 'none' },
    unlink,
  ),
  change(
    'POST',
    '/servers/:id/deliveryservices',
    'Have a server carry delivery services',
    {
      body: serviceList,
      response: Type.Object({ serverId: Type.Integer(), dsIds: Type.Array(Type.Integer()), replace: Type.Boolean() }),
    },
    forServer,
  ),
  change(
    'POST',
    '/cachegroups/:id/deliveryservices',
    'Have all servers of a cache group carry delivery services',
    {
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

function serviceOf(input: RequestInput, data: Data, param = 'id'): Service {
  const service = byPathId(data, 'deliveryServices', 'deliveryservice', input, param)
  mustReachTenant(data, input.user, service.tenantId)
  return service
}

function serversShown(rows: readonly Server[], { version, user, query }: RequestInput, data: Data) {
  const context = { data, version, user }
  return arrange(rows as readonly Row[], query, 'hostName', unseenIn(version, servers)).map((row) => {
    const { xmppId: _, xmppPasswd: __, ...shape } = present(servers, row, context) as Record<string, unknown>
    return shape
  })
}

function eligible({ cdnId }: Service, data: Data): Server[] {
  const types = new Set(data.all('types').flatMap(({ id, name }) => (carries(name) ? [id] : [])))
  return data.by('servers', 'cdnId', cdnId).filter(({ typeId }) => types.has(typeId))
}

function unassigned(input: RequestInput, data: Data) {
  const service = serviceOf(input, data)
  const has = new Set(data.ids('deliveryServiceServers', 'deliveryServices', service.id))
  return serversShown(
    eligible(service, data).filter(({ id }) => !has.has(id)),
    input,
    data,
  )
}

/** The one list that ends after 20 by default and tells its page in `size` (beyond.md §1.1). */
function pairs(): Endpoint {
  return {
    method: 'GET',
    path: '/deliveryserviceserver',
    role: 'any',
    reach: 'tenants',
    summary: 'List which server carries which delivery service',
    response: Type.Array(
      Type.Object({ deliveryService: Type.Integer(), server: Type.Integer(), lastUpdated: Type.String() }),
    ),
    query: listQuery,
    read: ({ query, user, version }, data) => {
      const native = version === '1.3'
      const number = (id: number) => (native ? id : String(id))
      const visible = new Map<number, boolean>()
      const sees = (id: number) => {
        if (!visible.has(id)) visible.set(id, reachesTenant(data, user, data.get('deliveryServices', id)!.tenantId))
        return visible.get(id)
      }
      const limit = query.limit || '20'
      const page = query.page || '1'
      const links = () => linksOf({ ...query, limit, page }, sees, data)
      const shown = new LazyList({ [Symbol.iterator]: links }, (link) => ({
        deliveryService: number(link.deliveryService),
        server: number(link.server),
        lastUpdated: native ? zonedTime(link.lastUpdated) : shownTime(link.lastUpdated),
      }))
      const extra = { orderby: query.orderby ?? 'deliveryService', limit: Number(limit), size: Number(page) }
      return { response: shown, extra }
    },
  }
}

interface Link {
  readonly deliveryService: number
  readonly server: number
  readonly lastUpdated: string
}

/**
 * There are hundreds of thousands of links, and a page has few: what is put into order are the services or servers
 * they hang on, and only those of the page are made.
 */
function* linksOf(
  query: RequestInput['query'],
  sees: (service: number) => boolean | undefined,
  data: Data,
): Generator<Link> {
  const { from, to = Number.POSITIVE_INFINITY } = pageOf(query)
  const { orderby, sortOrder = 'asc' } = query
  let place = 0
  const onPage = (ids: readonly number[]): readonly number[] => {
    const taken = ids.slice(Math.max(0, from - place), Math.max(0, to - place))
    place += ids.length
    return taken
  }
  if (orderby === 'server' || orderby === 'lastUpdated') {
    const carriers = data.all('deliveryServiceServers')
    for (const { id, deliveryServices, lastUpdated } of arrange(carriers, { orderby, sortOrder }, 'id')) {
      const seen = onPage(deliveryServices.filter(sees))
      for (const deliveryService of seen) yield { deliveryService, server: id, lastUpdated }
      if (place >= to) return
    }
    return
  }
  for (const { id } of arrange(data.all('deliveryServices'), { sortOrder }, 'id')) {
    if (!sees(id)) continue
    const servers = data.ids('deliveryServiceServers', 'deliveryServices', id).toSorted((a, b) => a - b)
    for (const server of onPage(servers)) {
      const { lastUpdated } = data.get('deliveryServiceServers', server)!
      yield { deliveryService: id, server, lastUpdated }
    }
    if (place >= to) return
  }
}

function matches(): Endpoint {
  return {
    method: 'GET',
    path: '/deliveryservice_matches',
    role: 'any',
    reach: 'tenants',
    summary: 'Host name parts of active delivery services',
    response: Type.Array(Type.Object({ dsName: Type.String(), patterns: Type.Array(Type.String()) })),
    query: listQuery,
    read: ({ user, query }, data) => {
      const entries = data
        .all('deliveryServices')
        .filter(({ active, tenantId }) => active && reachesTenant(data, user, tenantId))
        .map(({ id, xmlId }) => ({
          dsName: xmlId.replaceAll('-', '_'),
          patterns: data
            .by('deliveryServiceRegexes', 'deliveryServiceId', id)
            .toSorted((a, b) => a.setNumber - b.setNumber || a.id - b.id)
            .map(({ pattern }) => pattern.replaceAll('\\', '').replaceAll('.*', '')),
        }))
      return { response: arrange(entries, query, 'dsName') }
    },
  }
}

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
  const service = serviceOf(input, transaction.data, 'dsId')
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
