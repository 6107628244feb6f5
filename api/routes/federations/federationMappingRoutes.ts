import { Type } from '@sinclair/typebox'
import { badRequest, invalid } from '../../config/errors.js'
import { dangling } from '../../journal/references.js'
import type { Transaction } from '../../journal/transaction.js'
import { objectOf } from '../../operations/bodies.js'
import type { Body, Endpoint, RequestInput, Result, WriteMethod } from '../../operations/endpoint.js'
import { textQuery } from '../../operations/queryParameters.js'
import { eachInSteps } from '../../records/each.js'
import { reachesAll } from '../../records/kinds/federationReach.js'
import { saysNothing } from '../../records/nothing.js'
import type { Values } from '../../records/recordBody.js'
import type { Data } from '../../schema/data.js'
import { findOne } from '../../schema/data.js'
import type { Caller } from '../../schema/privileges.js'
import { mustReachTenant, reachesTenant } from '../../schema/privileges.js'
import type { Records } from '../../schema/records.js'
import { createRow, success } from '../crud/routes.js'
import federationResolvers from './federationResolvers.js'

type Federation = Records['federations']

const path = '/federations'
const families = { resolve4: 'RESOLVE4', resolve6: 'RESOLVE6' } as const
type Family = keyof typeof families

const change =
  (
    method: WriteMethod,
    summary: string,
    write: (input: RequestInput, transaction: Transaction) => Generator<void, string>,
  ) =>
  (): Endpoint => ({
    method,
    path,
    role: 'portal',
    reach: 'tenants',
    summary,
    body: method === 'DELETE' ? 'none' : mapped,
    response: Type.String(),
    *write(input, transaction) {
      const text = yield* write(input, transaction)
      transaction.log(text)
      return { response: text, alerts: [success(text)] } satisfies Result
    },
  })

/** Federations as their own users see them: by delivery service, with the resolvers themselves. */
export const mappingRoutes: readonly (() => Endpoint)[] = [
  () => ({
    method: 'GET',
    path,
    role: 'portal',
    reach: 'tenants',
    summary: "The caller's federations with their resolvers",
    varies: 'caller',
    response: Type.Array(
      Type.Object({
        deliveryService: Type.String(),
        mappings: Type.Array(
          Type.Object({
            cname: Type.String(),
            ttl: Type.Integer(),
            resolve4: Type.Array(Type.String()),
            resolve6: Type.Array(Type.String()),
          }),
        ),
      }),
    ),
    read: ({ user }, data) => ({ response: byService(ownFederations(user, data), data, null) }),
  }),
  change('POST', 'Add resolvers to federations of the caller', function* (input, transaction) {
    yield* add(input, transaction)
    return `${transaction.user.username} successfully created federation resolvers.`
  }),
  change('PUT', 'Replace the resolvers of the federations of the caller', function* (input, transaction) {
    yield* clear(transaction)
    yield* add(input, transaction)
    return `${transaction.user.username} successfully updated federation resolvers.`
  }),
  change('DELETE', 'Remove the resolvers of the federations of the caller', function* (_asked, transaction) {
    const gone = yield* clear(transaction)
    return `${transaction.user.username} successfully deleted all federation resolvers: [ ${gone.join(', ')} ]`
  }),
  () => ({
    method: 'GET',
    path: '/internal/api/:version/federations',
    unversioned: true,
    role: 'admin',
    reach: 'root',
    summary: 'All federations with their resolvers, as routers poll them',
    query: { cdnName: textQuery('Only those of a CDN.') },
    read: ({ query, user }, data) => {
      const cdn = query.cdnName ? (findOne(data, 'cdns', 'name', query.cdnName)?.id ?? -1) : null
      const entries = byService(data.all('federations'), data, cdn)
      const visible = entries.filter(({ deliveryService }) =>
        reachesTenant(data, user, findOne(data, 'deliveryServices', 'xmlId', deliveryService)!.tenantId),
      )
      return { response: visible }
    },
  }),
]

const addressList = Type.Optional(Type.Array(Type.String()))

/** Its elements are read one a step, so that what is wrong with any of them is said. */
const mapped: Body<readonly unknown[]> = {
  schema: Type.Object({
    federations: Type.Array(
      Type.Object({
        deliveryService: Type.String({ description: 'The xml id.' }),
        mappings: Type.Object({ resolve4: addressList, resolve6: addressList }),
      }),
      { minItems: 1 },
    ),
  }),
  read: (given) => {
    const { federations } = objectOf(given)
    if (Array.isArray(federations) && federations.length > 0) return federations
    throw invalid([{ path: 'federations', text: 'federations must be an array with at least one element' }])
  },
}

/** Those the caller was given, as long as the delivery services are within reach: users and services change tenants. */
const ownFederations = (user: Caller, data: Data): readonly Federation[] =>
  data.by('federations', 'users', user.id).filter((federation) => reachesAll(federation, user, data))

function byService(federations: readonly Federation[], data: Data, cdnId: number | null) {
  const mappings = new Map<number, object[]>()
  for (const federation of federations) {
    for (const id of federation.deliveryServices) {
      if (cdnId !== null && data.get('deliveryServices', id)!.cdnId !== cdnId) continue
      mappings.set(id, [...(mappings.get(id) ?? []), mapping(federation, data)])
    }
  }
  return [...mappings].map(([id, list]) => ({
    deliveryService: data.get('deliveryServices', id)!.xmlId,
    mappings: list,
  }))
}

function mapping({ cname, ttl, resolvers }: Federation, data: Data) {
  const addresses = (family: Family): string[] =>
    resolvers
      .map((id) => data.get('federationResolvers', id)!)
      .filter(({ typeId }) => data.get('types', typeId)?.name === families[family])
      .map(({ ipAddress }) => ipAddress)
  return { cname, ttl, resolve4: addresses('resolve4'), resolve6: addresses('resolve6') }
}

function* add(input: RequestInput, transaction: Transaction): Generator<void, void> {
  yield* eachInSteps(mapped.read(input.body), (given) => {
    const { deliveryService, mappings: said } = objectOf(given)
    const mappings = saysNothing(said) ? {} : said
    if (typeof mappings !== 'object' || Array.isArray(mappings))
      throw invalid([{ path: 'mappings', text: 'mappings must be an object' }])
    const federation = ownFor(deliveryService, input, transaction.data)
    const ids = (Object.keys(families) as Family[]).flatMap((family) =>
      addressesIn(mappings as Values, family).map((address) => resolverId(address, family, input, transaction)),
    )
    if (ids.length === 0) throw invalid([{ path: 'mappings', text: 'mappings must name at least one resolver' }])
    const resolvers = [...new Set([...federation.resolvers, ...ids])].sort((a, b) => a - b)
    transaction.update('federations', federation.id, { resolvers })
  })
}

/** The one federation of the caller on a delivery service. */
function ownFor(xmlId: unknown, { user }: RequestInput, data: Data): Federation {
  const service = typeof xmlId === 'string' ? findOne(data, 'deliveryServices', 'xmlId', xmlId) : undefined
  if (!service) throw invalid([dangling('deliveryService', 'deliveryServices', xmlId)])
  mustReachTenant(data, user, service.tenantId)
  const [own, second] = ownFederations(user, data).filter((one) => one.deliveryServices.includes(service.id))
  if (!own || second) {
    throw badRequest(`There must be exactly one federation of yours on the delivery service '${service.xmlId}'.`)
  }
  return own
}

function addressesIn(mappings: Values, family: Family): readonly unknown[] {
  const given = mappings[family]
  const list = saysNothing(given) ? [] : given
  if (!Array.isArray(list)) throw invalid([{ path: family, text: `${family} must be an array` }])
  return list
}

/** Federations share resolvers: one that is known is not made again. */
function resolverId(address: unknown, family: Family, input: RequestInput, transaction: Transaction): number {
  const typeId = findOne(transaction.data, 'types', 'name', families[family])?.id
  const found =
    typeof address === 'string' ? findOne(transaction.data, 'federationResolvers', 'ipAddress', address) : undefined
  if (found && found.typeId === typeId) return found.id
  return createRow(federationResolvers, { ipAddress: address, typeId }, input, transaction, { log: null }).id
}

/** Takes all resolvers from the caller's federations; those that no other federation has are deleted. */
function* clear(transaction: Transaction): Generator<void, string[]> {
  const { data } = transaction
  const gone = new Set<number>()
  for (const { id, resolvers } of [...ownFederations(transaction.user, data)]) {
    for (const resolver of resolvers) gone.add(resolver)
    transaction.update('federations', id, { resolvers: [] })
  }
  const addresses = [...gone].map((id) => data.get('federationResolvers', id)!.ipAddress)
  for (const id of gone) {
    if (!data.has('federations', 'resolvers', id)) transaction.remove('federationResolvers', id)
    yield
  }
  return addresses
}
