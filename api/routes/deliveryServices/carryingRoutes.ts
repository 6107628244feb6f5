import { Type } from '@sinclair/typebox'
import type { Endpoint, RequestInput } from '../../operations/endpoint.js'
import { carries } from '../../records/kinds/deliveryServiceServers.js'
import type { Data } from '../../schema/data.js'
import type { Row } from '../../schema/defineKind.js'
import type { Records } from '../../schema/records.js'
import { byPathId } from '../crud/ids.js'
import { sortAndPage, unseenIn } from '../crud/lists.js'
import { present } from '../crud/present.js'
import { reading } from '../crud/reading.js'
import type { Resource } from '../crud/resource.js'
import { rowSchema } from '../crud/rowSchema.js'
import servers from '../servers/servers.js'
import { reachedService } from './reachedService.js'
import { servicesShown } from './servicesShown.js'

type Service = Records['deliveryServices']
type Server = Records['servers']

const listOfServers = (path: string, summary: string, chosen: (service: Service, data: Data) => readonly Server[]) =>
  reading(
    path,
    summary,
    Type.Array(
      rowSchema({ ...servers, shown: { ...servers.shown, xmppId: null, xmppPasswd: null } }, 'CarryingServer'),
    ),
    (input, data) => serversShown(chosen(reachedService(input, data), data), input, data),
    'tenants',
  )

/** Which servers carry a delivery service, or could, and which delivery services a server carries. */
export const carryingRoutes: readonly ((resource: Resource) => Endpoint)[] = [
  listOfServers('/deliveryservices/:id/servers', 'Servers that carry a delivery service', ({ id }, data) =>
    data.ids('deliveryServiceServers', 'deliveryServices', id).map((id) => data.get('servers', id)!),
  ),
  listOfServers(
    '/deliveryservices/:id/unassigned_servers',
    'Servers that could carry a delivery service and do not',
    unassigned,
  ),
  listOfServers('/deliveryservices/:id/servers/unassigned', 'As unassigned_servers', unassigned),
  listOfServers('/deliveryservices/:id/servers/eligible', 'Servers that can carry a delivery service', eligible),
  (resource) =>
    reading(
      '/servers/:id/deliveryservices',
      'Delivery services that a server carries',
      Type.Array(rowSchema(resource)),
      (input, data) => {
        const { id } = byPathId(data, 'servers', 'server', input)
        return servicesShown(resource, data.get('deliveryServiceServers', id)?.deliveryServices ?? [], input, data)
      },
      'tenants',
    )(),
]

function serversShown(rows: readonly Server[], { version, user, query }: RequestInput, data: Data) {
  const context = { data, version, user }
  return sortAndPage(rows as readonly Row[], query, 'hostName', unseenIn(version, servers)).map((row) => {
    const { xmppId: _, xmppPasswd: __, ...shape } = present(servers, row, context) as Record<string, unknown>
    return shape
  })
}

function eligible({ cdnId }: Service, data: Data): Server[] {
  const types = new Set(data.all('types').flatMap(({ id, name }) => (carries(name) ? [id] : [])))
  return data.by('servers', 'cdnId', cdnId).filter(({ typeId }) => types.has(typeId))
}

function unassigned(service: Service, data: Data): Server[] {
  const has = new Set(data.ids('deliveryServiceServers', 'deliveryServices', service.id))
  return eligible(service, data).filter(({ id }) => !has.has(id))
}
