import { Type } from '@sinclair/typebox'
import { badRequest, noSuch } from '../../config/errors.js'
import type { Transaction } from '../../journal/transaction.js'
import type { Endpoint, RequestInput } from '../../operations/endpoint.js'
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
      read: (input, data) => {
        ofService(input, data, findRow(resource, input, data))
        return plain.read(input, data)
      },
    }
  },
  create('/deliveryservices/:dsId/regexes', {
    role: 'oper',
    given: { deliveryServiceId: (input, data) => serviceOf(input, data).id },
    text: () => 'Delivery service regex creation was successful.',
  }),
  update(one, {
    role: 'oper',
    given: { deliveryServiceId: (input, data) => serviceOf(input, data).id },
    allow: (input, transaction, before) => ofService(input, transaction.data, before!),
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
    read: (input, data) => {
      const rows = regexesOf(serviceOf(input, data).id, data) as readonly Row[]
      const { version, user, query } = input
      return { response: arrange(rows, query, null).map((row) => present(resource, row, { data, version, user })) }
    },
  }
}

const regexesOf = (id: number, data: Data) =>
  data
    .by('deliveryServiceRegexes', 'deliveryServiceId', id)
    .toSorted((a, b) => a.setNumber - b.setNumber || a.id - b.id)

function serviceOf(input: RequestInput, data: Data) {
  const service = byPathId(data, 'deliveryServices', 'deliveryservice', input, 'dsId')
  mustReachTenant(data, input.user, service.tenantId)
  return service
}

function ofService(input: RequestInput, data: Data, regex: Row): void {
  if (serviceOf(input, data).id !== regex.deliveryServiceId) throw noSuch('delivery service regex', regex.id)
}

function notTheLast(input: RequestInput, { data }: Transaction, before: Row | null): void {
  ofService(input, data, before!)
  if (regexesOf(before!.deliveryServiceId as number, data).length === 1) {
    throw badRequest('A delivery service must have at least one regex.')
  }
}
