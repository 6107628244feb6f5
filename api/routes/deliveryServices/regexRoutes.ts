import { Type } from '@sinclair/typebox'
import { badRequest, noSuch } from '../../config/errors.js'
import type { Transaction } from '../../journal/transaction.js'
import type { Endpoint, RequestInput } from '../../operations/endpoint.js'
import type { Data } from '../../schema/data.js'
import type { Row } from '../../schema/defineKind.js'
import { reachesTenant } from '../../schema/privileges.js'
import type { RowOf } from '../crud/accepting.js'
import { sortAndPage } from '../crud/lists.js'
import { present } from '../crud/present.js'
import { reading } from '../crud/reading.js'
import { findRow, read } from '../crud/readRoutes.js'
import type { Of, Resource } from '../crud/resource.js'
import { create, remove, update } from '../crud/routes.js'
import { rowSchema } from '../crud/rowSchema.js'
import { reachedService } from './reachedService.js'

type Regex = RowOf<'deliveryServiceRegexes'>

const one = '/deliveryservices/:dsId/regexes/:id'

const everywhere = reading(
  '/deliveryservices_regexes',
  'The regexes of all delivery services',
  Type.Array(
    Type.Object({
      dsName: Type.String(),
      regexes: Type.Array(Type.Object({ type: Type.String(), pattern: Type.String(), setNumber: Type.Integer() })),
    }),
  ),
  ({ user, query, version }, data) => {
    const services = data.all('deliveryServices').filter(({ tenantId }) => reachesTenant(data, user, tenantId))
    const entries = services.map(({ id, xmlId }) => ({
      dsName: xmlId,
      regexes: regexesOf(id, data).map(({ typeId, pattern, setNumber }) => ({
        type: data.get('types', typeId)!.name,
        pattern,
        setNumber: version === '1.3' ? setNumber : String(setNumber),
      })),
    }))
    return sortAndPage(entries, query, 'dsName')
  },
  'tenants',
  'oper',
)

const listed = (resource: Resource) =>
  reading(
    '/deliveryservices/:dsId/regexes',
    'The regexes of a delivery service',
    Type.Array(rowSchema(resource)),
    (input, data) => {
      const rows = regexesOf(serviceOf(input, data).id, data) as readonly Row[]
      const { version, user, query } = input
      return sortAndPage(rows, query, null).map((row) => present(resource, row, { data, version, user }))
    },
    'tenants',
  )()

export const regexRoutes: readonly ((resource: Of<'deliveryServiceRegexes'>) => Endpoint)[] = [
  everywhere,
  listed,
  (resource) => {
    const plain = read(one, { role: 'any' })(resource)
    return {
      ...plain,
      read: (input, data) => {
        ofService(input, data, findRow(resource, input, data) as Regex)
        return plain.read(input, data)
      },
    }
  },
  create('/deliveryservices/:dsId/regexes', {
    role: 'oper',
    given: { deliveryServiceId: (input, data) => serviceOf(input, data).id },
    text: () => 'Delivery service regex creation was successful.',
  }),
  update<'deliveryServiceRegexes'>(one, {
    role: 'oper',
    given: { deliveryServiceId: (input, data) => serviceOf(input, data).id },
    allow: (input, transaction, before) => ofService(input, transaction.data, before!),
    text: () => 'Delivery service regex update was successful.',
  }),
  remove<'deliveryServiceRegexes'>(one, {
    role: 'oper',
    allow: notTheLast,
    text: () => 'Delivery service regex delete was successful.',
  }),
]

/** In the order in which they count. */
export const regexesOf = (id: number, data: Data) =>
  data
    .by('deliveryServiceRegexes', 'deliveryServiceId', id)
    .toSorted((a, b) => a.setNumber - b.setNumber || a.id - b.id)

const serviceOf = (input: RequestInput, data: Data) => reachedService(input, data, 'dsId')

function ofService(input: RequestInput, data: Data, regex: Regex): void {
  if (serviceOf(input, data).id !== regex.deliveryServiceId) throw noSuch('delivery service regex', regex.id)
}

function notTheLast(input: RequestInput, { data }: Transaction, before: Regex | null): void {
  ofService(input, data, before!)
  if (regexesOf(before!.deliveryServiceId, data).length === 1) {
    throw badRequest('A delivery service must have at least one regex.')
  }
}
