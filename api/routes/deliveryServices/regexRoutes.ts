import { Type } from '@sinclair/typebox'
import { badRequest, noSuch } from '../../config/errors.js'
import type { Plan } from '../../journal/plan.js'
import type { Asked, Endpoint } from '../../operations/endpoint.js'
import { listQuery } from '../../operations/queryParameters.js'
import type { Data } from '../../schema/data.js'
import type { Row } from '../../schema/defineKind.js'
import { mustReachTenant, reachesTenant } from '../../schema/privileges.js'
import { byPathId } from '../crud/ids.js'
import { arrange } from '../crud/lists.js'
import { present } from '../crud/present.js'
import type { Resource } from '../crud/resource.js'
import { create, findRow, read, remove, update } from '../crud/routes.js'
import { rowSchema } from '../crud/rowSchema.js'

const one = '/deliveryservices/:dsId/regexes/:id'

export const regexRoutes: readonly ((resource: Resource) => Endpoint)[] = [
  everywhere,
  listed,
  (resource) => {
    const plain = read(one, { role: 'any' })(resource)
    return {
      ...plain,
      read: (asked, data) => {
        ofService(asked, data, findRow(resource, asked, data))
        return plain.read(asked, data)
      },
    }
  },
  create('/deliveryservices/:dsId/regexes', {
    role: 'oper',
    given: { deliveryServiceId: (asked, data) => serviceOf(asked, data).id },
    text: () => 'Delivery service regex creation was successful.',
  }),
  update(one, {
    role: 'oper',
    given: { deliveryServiceId: (asked, data) => serviceOf(asked, data).id },
    allow: (asked, plan, before) => ofService(asked, plan.data, before!),
    text: () => 'Delivery service regex update was successful.',
  }),
  remove(one, { role: 'oper', allow: notTheLast, text: () => 'Delivery service regex delete was successful.' }),
]

function everywhere(): Endpoint {
  return {
    method: 'GET',
    path: '/deliveryservices_regexes',
    role: 'oper',
    reach: 'tenants',
    summary: 'The regexes of all delivery services',
    response: Type.Array(
      Type.Object({
        dsName: Type.String(),
        regexes: Type.Array(Type.Object({ type: Type.String(), pattern: Type.String(), setNumber: Type.Integer() })),
      }),
    ),
    query: listQuery,
    read: ({ user, query, version }, data) => {
      const services = data.all('deliveryServices').filter(({ tenantId }) => reachesTenant(data, user, tenantId))
      const entries = services.map(({ id, xmlId }) => ({
        dsName: xmlId,
        regexes: regexesOf(id, data).map(({ typeId, pattern, setNumber }) => ({
          type: data.get('types', typeId)!.name,
          pattern,
          setNumber: version === '1.3' ? setNumber : String(setNumber),
        })),
      }))
      return { response: arrange(entries, query, 'dsName') }
    },
  }
}

function listed(resource: Resource): Endpoint {
  return {
    method: 'GET',
    path: '/deliveryservices/:dsId/regexes',
    role: 'any',
    reach: 'tenants',
    summary: 'The regexes of a delivery service',
    response: Type.Array(rowSchema(resource)),
    query: listQuery,
    read: (asked, data) => {
      const rows = regexesOf(serviceOf(asked, data).id, data) as readonly Row[]
      const { version, user, query } = asked
      return { response: arrange(rows, query, null).map((row) => present(resource, row, { data, version, user })) }
    },
  }
}

const regexesOf = (id: number, data: Data) =>
  data
    .by('deliveryServiceRegexes', 'deliveryServiceId', id)
    .toSorted((a, b) => a.setNumber - b.setNumber || a.id - b.id)

function serviceOf(asked: Asked, data: Data) {
  const service = byPathId(data, 'deliveryServices', 'deliveryservice', asked, 'dsId')
  mustReachTenant(data, asked.user, service.tenantId)
  return service
}

function ofService(asked: Asked, data: Data, regex: Row): void {
  if (serviceOf(asked, data).id !== regex.deliveryServiceId) throw noSuch('delivery service regex', regex.id)
}

function notTheLast(asked: Asked, { data }: Plan, before: Row | null): void {
  ofService(asked, data, before!)
  if (regexesOf(before!.deliveryServiceId as number, data).length === 1) {
    throw badRequest('A delivery service must have at least one regex.')
  }
}
