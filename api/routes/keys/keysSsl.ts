import { Type } from '@sinclair/typebox'
import { badRequest, noSuch, notFound } from '../../config/errors.js'
import { isLong, turn } from '../../flow/turns.js'
import type { Transaction } from '../../journal/transaction.js'
import type { Endpoint, RequestInput, Result, WriteEndpoint } from '../../operations/endpoint.js'
import { covers } from '../../operations/keys/hostName.js'
import { isTakenByOthers, servedNames } from '../../operations/keys/serviceNames.js'
import type { SslKeys } from '../../operations/keys/ssl.js'
import {
  presentCdnSslKeys,
  presentExpirations,
  presentSslKeys,
  sslKeyName,
  wantedVersion,
} from '../../operations/keys/ssl.js'
import type { Parts } from '../../operations/parts.js'
import { flagQuery, numberQuery, textQuery } from '../../operations/queryParameters.js'
import type { Data } from '../../schema/data.js'
import { findOne } from '../../schema/data.js'
import { mustReachTenant, reachesTenant } from '../../schema/privileges.js'
import type { Records } from '../../schema/records.js'
import { success } from '../crud/routes.js'
import { serviceNamed, unkept } from './keysService.js'
import { addSslKeys, generateSslKeys } from './keysSslWrites.js'

type Uses = Pick<Parts, 'data' | 'makeRsa' | 'now' | 'vault'>

const query = {
  version: textQuery('A number; the newest when absent or `latest`.'),
  decode: flagQuery('PEM texts instead of base64 of them.'),
}
const ofService = '/deliveryservices/xmlId/:xmlId/sslkeys'
const certificate = Type.Object({
  crt: Type.String(),
  key: Type.String(),
  csr: Type.Optional(Type.Union([Type.String(), Type.Null()])),
})
/** All of it, or nothing where there are no keys. */
const sslKeys = Type.Partial(Type.Object({ deliveryservice: Type.String(), hostname: Type.String(), certificate }))

export const sslKeyEndpoints = (uses: Uses): readonly Endpoint[] => [
  addSslKeys(uses),
  generateSslKeys(uses),
  {
    method: 'GET',
    path: ofService,
    role: 'admin',
    reach: 'tenants',
    summary: 'The certificate and private key of a delivery service',
    query,
    response: sslKeys,
    reveals: 'private keys',
    live: async (input) => shownKeys(serviceNamed(uses.data, input, input.params.xmlId), input, uses),
  },
  {
    method: 'GET',
    path: '/deliveryservices/hostname/:hostname/sslkeys',
    role: 'admin',
    reach: 'tenants',
    summary: 'The certificate and private key of the delivery service that answers a host name',
    query,
    response: sslKeys,
    reveals: 'private keys',
    live: async (input) => shownKeys(serviceAnswering(input, uses.data), input, uses),
  },
  deleting('GET', `${ofService}/delete`),
  deleting('DELETE', `${ofService}/delete`),
  deleting('DELETE', ofService),
  {
    method: 'GET',
    path: '/cdns/name/:name/sslkeys',
    role: 'adminOrAgent',
    reach: 'root',
    summary: 'The newest certificate and private key of every delivery service of a CDN, as routers poll them',
    response: Type.Array(sslKeys),
    reveals: 'private keys',
    live: (input) => ofCdn(input, uses),
  },
  {
    method: 'GET',
    path: '/sslkey_expirations',
    role: 'oper',
    reach: 'tenants',
    summary: 'When the newest certificate of each delivery service runs out, soonest first; nothing private',
    query: {
      days: numberQuery('Only those that run out within so many days.', { max: 99_999 }),
      cdn: textQuery('Only those of this CDN, by name.'),
    },
    response: Type.Array(Type.Object({})),
    live: (input) => expirations(input, uses),
  },
]

type Stored = Records['sslKeys']

async function shownKeys(service: Records['deliveryServices'], input: RequestInput, services: Uses): Promise<Result> {
  const { query, version } = input
  const stored = wantedVersion(services.data.by('sslKeys', 'deliveryServiceId', service.id), query.version)
  if (!stored) {
    const name = sslKeyName(service.xmlId, 'latest')
    return { response: {}, alerts: [success(`A record for ssl key ${name} could not be found.`)], headers: unkept }
  }
  const shape = presentSslKeys[version === '1.3' ? '1.3' : '1.1']
  return { response: shape(opened(stored, services), isYes(query.decode)), headers: unkept }
}

const isYes = (text: string | undefined) => text === 'true' || text === '1'

/** Keys as they are shown: under the CDN the service is in now, whatever it was when they were added. */
function opened({ sealed, deliveryServiceId }: Stored, { data, vault }: Uses): SslKeys {
  const keys = JSON.parse(vault.unseal(sealed)) as SslKeys
  const cdnId = data.get('deliveryServices', deliveryServiceId)?.cdnId ?? null
  return { ...keys, cdn: data.get('cdns', cdnId)?.name ?? keys.cdn }
}

/** By the names the services are asked for; a cache's own name below a service's zone is one of them. */
function serviceAnswering(input: RequestInput, data: Data): Records['deliveryServices'] {
  const hostname = (input.params.hostname ?? '').toLowerCase()
  const parent = hostname.slice(hostname.indexOf('.') + 1)
  for (const cdn of data.all('cdns')) {
    if (!parent.endsWith(`.${cdn.domainName.toLowerCase()}`)) continue
    for (const service of data.by('deliveryServices', 'cdnId', cdn.id)) {
      const names = servedNames(data, service)
      if (!names.some((name) => covers(name, hostname) || covers(hostname, name))) continue
      mustReachTenant(data, input.user, service.tenantId)
      return service
    }
  }
  throw noSuch('deliveryservice for host name', hostname)
}

/**
 * Polled by every router every few minutes. It is always answered in full, never with 304: a router that has taken a
 * new snapshot asks for certificates anew and waits until it gets some, whatever it got before.
 */
async function ofCdn({ params }: RequestInput, services: Uses): Promise<Result> {
  const { data } = services
  const cdn = findOne(data, 'cdns', 'name', params.name ?? '')
  if (!cdn) throw noSuch('cdn', params.name ?? '')
  const stored = data.by('deliveryServices', 'cdnId', cdn.id).flatMap((service) => {
    const newest = wantedVersion(data.by('sslKeys', 'deliveryServiceId', service.id), undefined)
    return newest && !isTakenByOthers(newest.hostname, service, data) ? [newest] : []
  })
  const keys: SslKeys[] = []
  for (const one of stored) {
    keys.push(opened(one, services))
    if (isLong()) await turn()
  }
  return { response: presentCdnSslKeys(keys), headers: unkept }
}

function deleting(method: 'GET' | 'DELETE', path: string): WriteEndpoint {
  return {
    method,
    path,
    changes: method === 'GET',
    role: 'admin',
    reach: 'tenants',
    summary: 'Delete the certificates and private keys of a delivery service',
    query: { version: textQuery('Only this version, or `latest`; every version when absent.') },
    body: 'none',
    response: Type.String(),
    write: (input, transaction) => removeKeys(input, transaction),
  }
}

function removeKeys(input: RequestInput, transaction: Transaction): Result {
  const { id, xmlId } = serviceNamed(transaction.data, input, input.params.xmlId)
  const all = transaction.data.by('sslKeys', 'deliveryServiceId', id)
  const { version } = input.query
  const wanted = version ? [wantedVersion(all, version)].filter((one) => one !== undefined) : all
  const name = version ? `${xmlId}-${version}` : xmlId
  if (wanted.length === 0) throw notFound(`There are no ssl keys for ${name}.`)
  for (const stored of [...wanted]) transaction.remove('sslKeys', stored.id)
  const left = transaction.data.by('sslKeys', 'deliveryServiceId', id).map((stored) => stored.version)
  transaction.update('deliveryServices', id, { sslKeyVersion: Math.max(0, ...left) })
  transaction.log(`Deleted SSL keys of delivery service ${name}`)
  const text = `Successfully deleted ssl keys for ${name}`
  return { response: text, alerts: [success(text)] }
}

async function expirations({ query, user }: RequestInput, { data, now }: Uses): Promise<Result> {
  const time = now().getTime()
  const all = data.all('sslKeys').flatMap(({ deliveryServiceId, hostname, version, expires }) => {
    const service = data.get('deliveryServices', deliveryServiceId)
    const cdn = data.get('cdns', service?.cdnId ?? null)
    if (!service || !cdn || expires === null || !reachesTenant(data, user, service.tenantId)) return []
    if (query.cdn !== undefined && query.cdn !== cdn.name) return []
    return [{ deliveryservice: service.xmlId, cdn: cdn.name, hostname, version, expiration: expires }]
  })
  const { days } = query
  if (days !== undefined && !/^\d{1,5}$/.test(days)) throw badRequest("'days' must be a whole number.")
  const until = days === undefined ? Number.POSITIVE_INFINITY : time + Number(days) * 86_400_000
  return { response: presentExpirations(all, time).filter(({ expiration }) => Date.parse(expiration) <= until) }
}
