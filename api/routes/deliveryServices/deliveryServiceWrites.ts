import { Type } from '@sinclair/typebox'
import type { Fault } from '../../config/errors.js'
import type { Transaction } from '../../journal/transaction.js'
import { recordBody, refused } from '../../operations/bodies.js'
import type { Endpoint } from '../../operations/endpoint.js'
import { changedFields } from '../../records/changedFields.js'
import { patternOf } from '../../records/kinds/deliveryServiceEffects.js'
import { requiredFor } from '../../records/kinds/deliveryServiceRules.js'
import { unfitHost } from '../../records/kinds/serviceHosts.js'
import type { Values } from '../../records/recordBody.js'
import type { Data } from '../../schema/data.js'
import type { Asked, RowOf, ValuesOf } from '../crud/accepting.js'
import type { Filters } from '../crud/filters.js'
import { presentWritten } from '../crud/present.js'
import { findRow } from '../crud/readRoutes.js'
import type { Resource } from '../crud/resource.js'
import { subjectOf, success } from '../crud/routes.js'
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

/** What is taken for said under 1.3 of a new delivery service, where its type must say it. */
const obvious = {
  protocol: 0,
  missLat: 0,
  missLong: 0,
  qstringIgnore: 0,
  rangeRequestHandling: 0,
  initialDispersion: 1,
} as const

/** `signed` and `signingAlgorithm` say the same thing; a body may give either. */
export function prepared(values: Stated, { stated, input, transaction, before }: Asked<'deliveryServices'>): Stated {
  const algorithm = signing(values, stated, before)
  const signed = algorithm === undefined ? values : { ...values, signingAlgorithm: algorithm }
  if (before !== null) return input.partial ? signed : kept(signed, before, transaction)
  const owned = { ...signed, tenantId: signed.tenantId ?? transaction.user.tenantId }
  return input.version === '1.3' ? completed(owned, transaction) : owned
}

function signing(values: Stated, { signed }: Values, before: Service | null): Service['signingAlgorithm'] | undefined {
  const isSigned = signed === true || signed === 'true' || signed === 1 || signed === '1'
  const isUnsigned = signed === false || signed === 'false' || signed === 0 || signed === '0'
  if (values.signingAlgorithm || !(isSigned || isUnsigned)) return values.signingAlgorithm
  return isSigned ? (before?.signingAlgorithm ?? 'url_sig') : null
}

function completed(values: Stated, { data }: Transaction): Stated {
  const left = neededOf(values.typeId, data).filter((name) => (values[name] ?? null) === null)
  const taken = left.map((name) => [name, obvious[name]])
  return { ...values, ...Object.fromEntries(taken), ipv6RoutingEnabled: values.ipv6RoutingEnabled ?? true }
}

/** Typed clients send null for what they did not say, when they made the service and when they change it: so it stays. */
function kept(values: Stated, before: Service, { data }: Transaction): Stated {
  const left = neededOf(values.typeId ?? before.typeId, data).filter((name) => values[name] === null)
  return { ...values, ...Object.fromEntries(left.map((name) => [name, before[name]])) }
}

/** What has an obvious value, of what a service of a type must say. */
function neededOf(typeId: number | undefined, data: Data): (keyof typeof obvious)[] {
  const needed: readonly string[] = requiredFor(data.get('types', typeId ?? null)?.name ?? '')
  return (Object.keys(obvious) as (keyof typeof obvious)[]).filter((name) => needed.includes(name))
}

/** Older versions have no defaults of these. */
const stated11 = ['dscp', 'geoLimit', 'geoProvider', 'logsEnabled', 'regionalGeoBlocking'] as const

/** What else is wrong with a body, beside its fields. */
export function* lacking(values: Stated, asked: Asked<'deliveryServices'>): Iterable<Fault> {
  yield* unsaid(values, asked)
  const { xmlId, cdnId } = values
  if (asked.before || xmlId === undefined || cdnId === undefined) return
  // The pattern that it is about to get.
  const service = { routingName: values.routingName ?? 'cdn', protocol: values.protocol ?? null, cdnId }
  const fault = unfitHost(service, [{ pattern: patternOf({ xmlId }), setNumber: 0 }], asked.transaction.data)
  if (fault !== null) yield { path: 'xmlId', text: `xmlId: ${fault}` }
}

/** What must be said under 1.1 and 1.2, also of what has a default in the store. */
function* unsaid(values: Stated, { input, transaction: { data }, before }: Asked<'deliveryServices'>): Iterable<Fault> {
  if (input.version === '1.3' || input.partial) return
  const type = data.get('types', values.typeId ?? before?.typeId ?? null)?.name ?? ''
  const required = [
    ...stated11,
    ...(/^(HTTP|DNS)|STEERING$/.test(type) ? (['ipv6RoutingEnabled'] as const) : []),
    ...(/^(HTTP|DNS)/.test(type) ? (['multiSiteOrigin'] as const) : []),
  ]
  for (const path of required) if (values[path] === undefined) yield { path, text: `${path} is required` }
}

const safe = ['displayName', 'infoUrl', 'longDesc', 'longDesc1'] as const

/** What whoever the delivery service belongs to may say about it; everything else in the body is passed over. */
export function safeUpdate(resource: Resource): Endpoint {
  const body = recordBody(resource, 'patch', { only: safe })
  return {
    method: 'PUT',
    path: '/deliveryservices/:id/safe',
    role: 'any',
    reach: 'tenants',
    summary: 'Change the descriptions of a delivery service',
    body,
    response: Type.Array(rowSchema(resource)),
    subject: (input, data) => subjectOf(resource, findRow(resource, input, data), input, data),
    write: (input, transaction) => {
      const before = findRow(resource, input, transaction.data)
      const given = body.read(input.body)
      const said = Object.fromEntries(
        safe.filter((name) => Object.hasOwn(given, name)).map((name) => [name, given[name]]),
      )
      const values = body.fields(said, transaction.data)
      const made = transaction.tryUpdate(resource.kind, before.id, values)
      if (!made.row) throw refused(resource, given, made.faults)
      const fields = changedFields(resource, { before, after: made.row }, values)
      transaction.log(`Updated deliveryservice with xmlId ${before.xmlId} (id ${before.id})${fields}`)
      const { version, user } = input
      return {
        response: [presentWritten(resource, made.row, { data: transaction.data, version, user })],
        alerts: [success('Deliveryservice safe update was successful.')],
      }
    },
  }
}
