import { Type } from '@sinclair/typebox'
import type { Alert, Fault } from '../../config/errors.js'
import { invalid, quoted } from '../../config/errors.js'
import type { Calling, Endpoint, RequestInput, Result } from '../../operations/endpoint.js'
import { fieldsBody, type Said } from '../../operations/fieldsBody.js'
import { checkCertificate } from '../../operations/keys/certificate.js'
import { covers } from '../../operations/keys/hostName.js'
import { makeCertificate, subjectFaults } from '../../operations/keys/makeCertificate.js'
import { isOthersName, servedNames } from '../../operations/keys/serviceNames.js'
import type { SslKeys } from '../../operations/keys/ssl.js'
import { nextVersion, sslKeyName } from '../../operations/keys/ssl.js'
import type { Parts } from '../../operations/parts.js'
import { dryRunQuery } from '../../operations/queryParameters.js'
import type { Data } from '../../schema/data.js'
import { anyText, nested, optional, text } from '../../schema/fields.js'
import type { Records } from '../../schema/records.js'
import { success } from '../crud/routes.js'
import { commit, serviceNamed } from './keysService.js'

type Uses = Pick<Parts, 'data' | 'makeRsa' | 'now' | 'vault'>

type Writing = Uses & Pick<Calling, 'committer'>

/** Blank text says nothing. */
const line = (description?: string) =>
  anyText({ normalize: (text) => text.trim(), ...(description === undefined ? {} : { description }) })

const common = {
  key: optional(line('The xml id of the delivery service.')),
  deliveryservice: optional(line('The same, or instead of it.')),
  cdn: optional(line('The name of its CDN.')),
  version: optional(
    text({
      normalize: (text) => text.trim(),
      pattern: '^(latest|[1-9][0-9]{0,8})$',
      form: 'a whole number from 1 on',
      description: 'A number; the next when absent or latest.',
      must: 'must be a whole number from 1 on',
    }),
  ),
}

const added = fieldsBody({
  ...common,
  hostname: optional(
    text({
      normalize: (text) => text.trim(),
      description: 'Default: the first that the delivery service answers.',
      must: 'must be one line of at most 255 characters',
    }),
  ),
  certificate: nested({
    crt: line('PEM, the authority’s after it.'),
    key: line('PEM.'),
    csr: optional(line('PEM.')),
  }),
})

const generated = fieldsBody({
  ...common,
  hostname: line('Its first label may be *.'),
  country: line('A code of two letters.'),
  state: line(),
  city: line(),
  organization: line(),
  businessUnit: line(),
})

export const addSslKeys = (uses: Uses): Endpoint => ({
  method: 'POST',
  path: '/deliveryservices/sslkeys/add',
  role: 'oper',
  reach: 'tenants',
  query: dryRunQuery,
  summary: 'Add a certificate and its private key to a delivery service',
  body: added,
  response: Type.String(),
  live: (input, { committer }) => add(input, { ...uses, committer }),
})

export const generateSslKeys = (uses: Uses): Endpoint => ({
  method: 'POST',
  path: '/deliveryservices/sslkeys/generate',
  role: 'admin',
  reach: 'tenants',
  query: dryRunQuery,
  summary: 'Make a private key, a self-signed certificate and a signing request for a delivery service',
  body: generated,
  response: Type.String(),
  live: (input, { committer }) => generate(input, { ...uses, committer }),
})

async function add(input: RequestInput, services: Writing): Promise<Result> {
  const { data } = services
  const said = added.read(input.body, (found) => [
    ...mistaken(found, input, data),
    ...(found.hostname === null ? nameless(found, input, data) : []),
  ])
  const service = serviceOf(said, input, data)
  const hosts = servedNames(data, service)
  // Where there is none, it was said.
  const hostname = said.hostname ?? hosts[0]!
  const faults = others(hostname, service, input, data)

  const { crt, key, csr } = said.certificate
  const now = services.now().getTime()
  const checked = checkCertificate({ crt, key, csr, hostname, hosts, now })
  if ('faults' in checked) throw invalid([...faults, ...checked.faults])
  if (faults.length > 0) throw invalid(faults)
  const { warnings, expiration, ...pems } = checked
  const keys = { hostname, ...nobody, expiration, certificate: pems }
  const version = versionOf(said)
  return store(input, services, { service, version, keys, done: 'Successfully added ssl keys for', warnings })
}

async function generate(input: RequestInput, services: Writing): Promise<Result> {
  const { data } = services
  const said = generated.read(input.body, (found) => mistaken(found, input, data))
  const service = serviceOf(said, input, data)
  const { hostname, country, state, city, organization, businessUnit } = said
  const subject = { hostname, country, state, city, organization, businessUnit }
  const faults = [...subjectFaults(subject), ...others(hostname, service, input, data)]
  const hosts = servedNames(data, service)
  if (hosts.length > 0 && !hosts.some((host) => covers(hostname, host) || covers(host, hostname))) {
    const text = `The delivery service does not answer ${quoted(hostname)}; it answers ${quoted(hosts.join(', '))}.`
    faults.push({ path: 'hostname', text })
  }
  if (faults.length > 0) throw invalid(faults)
  const made = await makeCertificate(subject, services.now().getTime(), services.makeRsa)
  const { expiration, ...certificate } = made
  const keys = { ...subject, country: country.toUpperCase(), expiration, certificate }
  const version = versionOf(said)
  return store(input, services, { service, version, keys, done: 'Successfully created ssl keys for', warnings: [] })
}

/** Whatever the service answers itself: where that is not known, any name would do otherwise. */
function others(hostname: string, service: Records['deliveryServices'], { user }: RequestInput, data: Data): Fault[] {
  const text = `hostname: a delivery service of another tenant answers ${quoted(hostname)}`
  return isOthersName(hostname, service, user, data) ? [{ path: 'hostname', text, status: 409 }] : []
}

const nobody = { country: null, state: null, city: null, organization: null, businessUnit: null }

/** Whose keys they are, as both bodies say it. */
type Wish = Partial<Said<typeof common>>

/** By either name. */
function serviceOf({ key, deliveryservice }: Wish, input: RequestInput, data: Data): Records['deliveryServices'] {
  const xmlId = key ?? deliveryservice
  if (!xmlId) throw invalid([{ path: 'key', text: 'key is required' }])
  return serviceNamed(data, input, xmlId)
}

/** `null`: the next. */
const versionOf = ({ version }: Wish): number | null => (!version || version === 'latest' ? null : Number(version))

/** Whose name is wrong by itself. */
const isUnnamed = ({ key, deliveryservice }: Wish): boolean => key === undefined || deliveryservice === undefined

/** What a wish says of the service that is not so. */
function mistaken(wish: Wish, input: RequestInput, data: Data): Fault[] {
  if (isUnnamed(wish)) return []
  const service = serviceOf(wish, input, data)
  const { xmlId } = service
  const faults: Fault[] = []
  if (wish.deliveryservice && wish.deliveryservice !== xmlId)
    faults.push({ path: 'deliveryservice', text: `deliveryservice must be ${quoted(xmlId)} as key is` })
  const cdn = data.get('cdns', service.cdnId)?.name
  if (wish.cdn && wish.cdn !== cdn)
    faults.push({ path: 'cdn', text: `cdn: delivery service ${xmlId} belongs to CDN ${cdn}, not ${quoted(wish.cdn)}` })
  if (data.get('types', service.typeId)?.name === 'ANY_MAP')
    faults.push({ path: 'key', text: `Delivery service ${xmlId} is of type ANY_MAP, which has no host names.` })
  return faults
}

/** A certificate needs a name, by whoever says it. */
function nameless(wish: Wish, input: RequestInput, data: Data): Fault[] {
  if (isUnnamed(wish)) return []
  const hosts = servedNames(data, serviceOf(wish, input, data))
  return hosts.length > 0 ? [] : [{ path: 'hostname', text: 'hostname is required' }]
}

interface Prepared {
  readonly service: Records['deliveryServices']
  readonly version: number | null
  readonly keys: Omit<SslKeys, 'cdn' | 'deliveryservice' | 'version'>
  readonly done: string
  readonly warnings: readonly string[]
}

/** The keys, and which version the service is now served with, in one entry. */
function store(
  input: RequestInput,
  services: Writing,
  { service, version, keys, done, warnings }: Prepared,
): Promise<Result> {
  const { xmlId, id } = service
  return commit(input, services, (transaction) => {
    const { data } = transaction
    const now = serviceNamed(data, input, xmlId)
    const there = data.by('sslKeys', 'deliveryServiceId', id)
    const versions = there.map((stored) => stored.version)
    const own = version ?? nextVersion(versions)
    const cdn = data.get('cdns', now.cdnId)?.name ?? ''
    const whole: SslKeys = { cdn, deliveryservice: xmlId, version: own, ...keys }
    const record = {
      deliveryServiceId: now.id,
      version: own,
      hostname: keys.hostname,
      expires: keys.expiration,
      sealed: services.vault.seal(JSON.stringify(whole)),
    }
    const same = there.find((stored) => stored.version === own)
    if (same) transaction.update('sslKeys', same.id, record)
    else transaction.create('sslKeys', record)
    const newest = Math.max(own, ...versions)
    transaction.update('deliveryServices', now.id, { sslKeyVersion: newest })
    transaction.log(`${same ? 'Replaced' : 'Added'} SSL keys ${sslKeyName(xmlId, own)}`)
    const text = `${done} ${xmlId}`
    return { response: text, alerts: [success(text), ...warned(warnings), ...outdone(own, newest)] }
  })
}

const warned = (texts: readonly string[]): Alert[] => texts.map((text) => ({ level: 'warning', text }))

const outdone = (own: number, newest: number): Alert[] =>
  own === newest ? [] : warned([`Version ${newest} is newer than version ${own} and stays the one that is served.`])
