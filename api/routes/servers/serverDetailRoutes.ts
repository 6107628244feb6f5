import { Type } from '@sinclair/typebox'
import { badRequest, noSuch } from '../../config/errors.js'
import type { Endpoint, RequestInput } from '../../operations/endpoint.js'
import { listQuery, numberQuery, textQuery } from '../../operations/queryParameters.js'
import type { Data } from '../../schema/data.js'
import { asId } from '../../schema/data.js'
import type { Row } from '../../schema/defineKind.js'
import servers from '../../schema/kinds/servers.js'
import { reachesTenant } from '../../schema/privileges.js'
import { sortAndPage, unseenIn } from '../crud/lists.js'
import { join, legacy } from '../crud/present.js'
import type { Resource } from '../crud/resource.js'

const detailed = Type.Object({
  id: Type.Integer(),
  hostName: Type.String(),
  deliveryservices: Type.Array(Type.Integer()),
  hardwareInfo: Type.Record(Type.String(), Type.String()),
})

export const detailRoutes: readonly ((resource: Resource) => Endpoint)[] = [one, several]

function one(resource: Resource): Endpoint {
  return {
    method: 'GET',
    path: '/servers/hostname/:name/details',
    role: 'any',
    reach: 'tenants',
    summary: 'A server with its hardware and delivery services',
    response: detailed,
    read: (input, data) => {
      const { name = '' } = input.params
      const [server] = data.by('servers', 'hostName', name)
      if (!server) throw noSuch('server', name)
      return { response: details(resource, server as Row, input, data) }
    },
  }
}

/** Lists of details are long; unlike other lists they end after so many. */
const usual = '1000'

function several(resource: Resource): Endpoint {
  return {
    method: 'GET',
    path: '/servers/details',
    role: 'any',
    reach: 'tenants',
    summary: 'Servers of a host name or physical location, with their hardware and delivery services',
    response: Type.Array(detailed),
    query: {
      ...listQuery,
      hostName: textQuery('The host name.'),
      physLocationID: numberQuery('The physical location; this or the host name is needed.', { min: 1 }),
    },
    read: (input, data) => {
      const { hostName, physLocationID } = input.query
      if (!hostName && !physLocationID) throw badRequest('Either hostName or physLocationID must be given.')
      const rows = hostName
        ? data.by('servers', 'hostName', hostName)
        : data.by('servers', 'physLocationId', asId(physLocationID) ?? -1)
      const query = { ...input.query, limit: input.query.limit || usual }
      const shown = sortAndPage(rows as readonly Row[], query, 'hostName', unseenIn(input.version, resource))
      return {
        response: shown.map((row) => details(resource, row, input, data)),
        extra: { orderby: input.query.orderby ?? 'hostName', limit: Number(query.limit), size: shown.length },
      }
    },
  }
}

/** What the interface's details record does not carry. */
const carried = {
  legacy: {
    omit: [
      'cachegroupId',
      'cdnId',
      'cdnName',
      'guid',
      'offlineReason',
      'physLocationId',
      'profileId',
      'statusId',
      'typeId',
      ...Object.keys(servers.computed ?? {}),
    ],
  },
}

function details(resource: Resource, row: Row, { version, user }: RequestInput, data: Data): object {
  const native = version === '1.3'
  const assigned = data.get('deliveryServiceServers', row.id)?.deliveryServices ?? []
  const services = assigned.filter((id) => reachesTenant(data, user, data.get('deliveryServices', id)!.tenantId))
  const hardware = data.by('hwinfo', 'serverId', row.id).map(({ description, val }) => [description, val])
  return {
    ...legacy(carried, join(resource, row, { data, version, user }), !native),
    deliveryservices: native ? services : services.map(String),
    hardwareInfo: Object.fromEntries(hardware),
  }
}
