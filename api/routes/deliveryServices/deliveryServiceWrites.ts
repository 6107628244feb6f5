import { Type } from '@sinclair/typebox'
import { invalid } from '../../config/errors.js'
import type { Transaction } from '../../journal/transaction.js'
import { recordBody, refused } from '../../operations/bodies.js'
import type { Endpoint, RequestInput } from '../../operations/endpoint.js'
import type { Values } from '../../records/recordBody.js'
import type { Row } from '../../schema/defineKind.js'
import type { Filters } from '../crud/filters.js'
import { presentWritten } from '../crud/present.js'
import { findRow } from '../crud/readRoutes.js'
import type { Resource } from '../crud/resource.js'
import { checkPrecondition, type RowOf, success, type ValuesOf } from '../crud/routes.js'
import { rowSchema } from '../crud/rowSchema.js'

type Service = RowOf<'deliveryServices'>
type Stated = ValuesOf<'deliveryServices'>

export const filters: Filters = {
  cdn: (rows, value, data) => {
    const ids = new Set([Number(value), ...data.ids('cdns', 'name', value)])
    return rows.filter((row) => ids.has(row.cdnId as number))
  },
  type: (rows, value, data) => {
    const ids = new Set([Number(value), ...data.ids('types', 'name', value)])
    return rows.filter((row) => ids.has(row.typeId as number))
  },
  profile: 'profileId',
  tenant: 'tenantId',
  logsEnabled: 'logsEnabled',
  active: 'active',
  signingAlgorithm: 'signingAlgorithm',
}

/** `signed` and `signingAlgorithm` say the same thing; a body may give either. */
export function prepared(values: Values, { signed }: Values, transaction: Transaction, before: Row | null): Values {
  const isSigned = signed === true || signed === 'true' || signed === 1 || signed === '1'
  const isUnsigned = signed === false || signed === 'false' || signed === 0 || signed === '0'
  const algorithm =
    values.signingAlgorithm || !(isSigned || isUnsigned)
      ? values.signingAlgorithm
      : isSigned
        ? (before?.signingAlgorithm ?? 'url_sig')
        : null
  return {
    ...values,
    ...(algorithm === undefined ? {} : { signingAlgorithm: algorithm }),
    ...(before === null ? { tenantId: values.tenantId ?? transaction.user.tenantId } : {}),
  }
}

/** Two flags have a default in the store, but the services that route by them must say what they mean. */
export function requiredGiven(
  _asked: RequestInput,
  { data }: Transaction,
  before: Service | null,
  values: Stated,
): void {
  const type = data.get('types', values.typeId ?? before?.typeId ?? null)?.name ?? ''
  const required = [
    /^(HTTP|DNS)|STEERING$/.test(type) && ('ipv6RoutingEnabled' as const),
    /^(HTTP|DNS)/.test(type) && ('multiSiteOrigin' as const),
  ].filter((name) => name !== false)
  const missing = required.filter((name) => values[name] === undefined)
  if (missing.length > 0) throw invalid(missing.map((path) => ({ path, text: `${path} is required` })))
}

const safe = ['displayName', 'infoUrl', 'longDesc', 'longDesc1'] as const

/** What whoever the delivery service belongs to may say about it; everything else in the body is passed over. */
export function safeUpdate(resource: Resource): Endpoint {
  const body = recordBody(resource, 'patch', { only: safe })
  return {
    method: 'PUT',
    conditional: true,
    path: '/deliveryservices/:id/safe',
    role: 'any',
    reach: 'tenants',
    summary: 'Change the descriptions of a delivery service',
    body,
    response: Type.Array(rowSchema(resource)),
    write: (input, transaction) => {
      const before = findRow(resource, input, transaction.data)
      checkPrecondition(resource, before, input, transaction.data)
      const given = body.read(input.body)
      const said = Object.fromEntries(
        safe.filter((name) => Object.hasOwn(given, name)).map((name) => [name, given[name]]),
      )
      const made = transaction.tryUpdate(resource.kind, before.id, body.fields(said, transaction.data))
      if (!made.row) throw refused(resource, given, made.faults)
      transaction.log(`Updated deliveryservice with xmlId ${before.xmlId} (id ${before.id})`)
      const { version, user } = input
      return {
        response: [presentWritten(resource, made.row, { data: transaction.data, version, user })],
        alerts: [success('Deliveryservice safe update was successful.')],
      }
    },
  }
}
