import { Type } from '@sinclair/typebox'
import type { Alert, Fault } from '../../config/errors.js'
import { invalid, quoted } from '../../config/errors.js'
import type { Calling, Endpoint, RequestInput, Result } from '../../operations/endpoint.js'
import { checkCertificate } from '../../operations/keys/certificate.js'
import { covers } from '../../operations/keys/hostName.js'
import type { Subject } from '../../operations/keys/makeCertificate.js'
import { makeCertificate, subjectFaults } from '../../operations/keys/makeCertificate.js'
import { isOthersName, servedNames } from '../../operations/keys/serviceNames.js'
import type { SslKeys } from '../../operations/keys/ssl.js'
import { nextVersion, sslKeyName } from '../../operations/keys/ssl.js'
import type { Parts } from '../../operations/parts.js'
import { dryRunQuery } from '../../operations/queryParameters.js'
import type { Data } from '../../schema/data.js'
import type { Records } from '../../schema/records.js'
import { objectOf } from '../crud/ids.js'
import { success } from '../crud/routes.js'
import { commit, serviceNamed } from './keysService.js'

type Uses = Pick<Parts, 'data' | 'makeRsa' | 'now' | 'vault'>

type Writing = Uses & Pick<Calling, 'committer'>

const common = {
  key: Type.String({ description: 'xml id of the delivery service' }),
  deliveryservice: Type.String({ description: 'the same' }),
  cdn: Type.Optional(Type.String()),
  version: Type.Optional(Type.String({ description: 'a number; the next when absent' })),
}

export const addSslKeys = (uses: Uses): Endpoint => ({
  method: 'POST',
  path: '/deliveryservices/sslkeys/add',
  role: 'oper',
  reach: 'tenants',
  query: dryRunQuery,
  summary: 'Add a certificate and its private key to a delivery service',
  bodyDocument: Type.Object({
    ...common,
    hostname: Type.Optional(Type.String()),
    certificate: Type.Object({ crt: Type.String(), key: Type.String(), csr: Type.Optional(Type.String()) }),
  }),
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
  bodyDocument: Type.Object({
    ...common,
    hostname: Type.String(),
    country: Type.String(),
    state: Type.String(),
    city: Type.String(),
    organization: Type.String(),
    businessUnit: Type.String(),
  }),
  response: Type.String(),
  live: (input, { committer }) => generate(input, { ...uses, committer }),
})

async function add(input: RequestInput, services: Writing): Promise<Result> {
  const { service, version, given, faults } = readWish(input, services.data)
  const hosts = servedNames(services.data, service)
  const hostname = textOf(given, 'hostname') ?? hosts[0]
  const certificate = typeof given.certificate === 'object' ? (given.certificate as Given | null) : null
  const [crt, key] = [textOf(certificate, 'crt'), textOf(certificate, 'key')]
  if (hostname === undefined) faults.push({ path: 'hostname', text: 'hostname is required' })
  if (crt === undefined) faults.push({ path: 'certificate.crt', text: 'certificate.crt is required' })
  if (key === undefined) faults.push({ path: 'certificate.key', text: 'certificate.key is required' })
  if (hostname === undefined || crt === undefined || key === undefined) throw invalid(faults)
  faults.push(...others(hostname, service, input, services.data))

  const now = services.now().getTime()
  const checked = checkCertificate({ crt, key, csr: textOf(certificate, 'csr') ?? null, hostname, hosts, now })
  if ('faults' in checked) throw invalid([...faults, ...checked.faults])
  if (faults.length > 0) throw invalid(faults)
  const { warnings, expiration, ...pems } = checked
  const keys = { hostname, ...nobody, expiration, certificate: pems }
  return store(input, services, { service, version, keys, done: 'Successfully added ssl keys for', warnings })
}

async function generate(input: RequestInput, services: Writing): Promise<Result> {
  const { service, version, given, faults } = readWish(input, services.data)
  const names = ['hostname', 'country', 'state', 'city', 'organization', 'businessUnit'] as const
  for (const name of names) {
    if (textOf(given, name) === undefined) faults.push({ path: name, text: `${name} is required` })
  }
  if (faults.length > 0) throw invalid(faults)
  // Each of the names was seen to be there.
  const subject = Object.fromEntries(names.map((name) => [name, textOf(given, name)!])) as unknown as Subject
  const { hostname } = subject
  faults.push(...subjectFaults(subject), ...others(hostname, service, input, services.data))
  const hosts = servedNames(services.data, service)
  if (hosts.length > 0 && !hosts.some((host) => covers(hostname, host) || covers(host, hostname))) {
    const text = `The delivery service does not answer ${quoted(hostname)}; it answers ${quoted(hosts.join(', '))}.`
    faults.push({ path: 'hostname', text })
  }
  if (faults.length > 0) throw invalid(faults)
  const made = await makeCertificate(subject, services.now().getTime(), services.makeRsa)
  const { expiration, ...certificate } = made
  const keys = { ...subject, country: subject.country.toUpperCase(), expiration, certificate }
  return store(input, services, { service, version, keys, done: 'Successfully created ssl keys for', warnings: [] })
}

/** Whatever the service answers itself: where that is not known, any name would do otherwise. */
function others(hostname: string, service: Records['deliveryServices'], { user }: RequestInput, data: Data): Fault[] {
  const text = `hostname: a delivery service of another tenant answers ${quoted(hostname)}`
  return isOthersName(hostname, service, user, data) ? [{ path: 'hostname', text, status: 409 }] : []
}

type Given = Readonly<Record<string, unknown>>

const nobody = { country: null, state: null, city: null, organization: null, businessUnit: null }

/** A field that holds text; numbers may stand for it, blank text is none. */
function textOf(given: Given | null, name: string): string | undefined {
  const value = given !== null && Object.hasOwn(given, name) ? given[name] : undefined
  const text = typeof value === 'number' ? String(value) : value
  return typeof text === 'string' && text.trim() !== '' ? text.trim() : undefined
}

interface Wish {
  readonly service: Records['deliveryServices']
  /** `null`: the next. */
  readonly version: number | null
  readonly given: Given
  readonly faults: Fault[]
}

/** Which service, and as which version. */
function readWish(input: RequestInput, data: Data): Wish {
  const given = objectOf(input.body)
  const [key, named] = [textOf(given, 'key'), textOf(given, 'deliveryservice')]
  const xmlId = key ?? named
  if (xmlId === undefined) throw invalid([{ path: 'key', text: 'key is required' }])
  const service = serviceNamed(data, input, xmlId)
  const faults: Fault[] = []
  if (named !== undefined && named !== xmlId)
    faults.push({ path: 'deliveryservice', text: `deliveryservice must be ${quoted(xmlId)} as key is` })
  const cdn = data.get('cdns', service.cdnId)?.name
  const givenCdn = textOf(given, 'cdn')
  if (givenCdn !== undefined && givenCdn !== cdn)
    faults.push({ path: 'cdn', text: `cdn: delivery service ${xmlId} belongs to CDN ${cdn}, not ${quoted(givenCdn)}` })
  if (data.get('types', service.typeId)?.name === 'ANY_MAP')
    faults.push({ path: 'key', text: `Delivery service ${xmlId} is of type ANY_MAP, which has no host names.` })
  const version = textOf(given, 'version') ?? 'latest'
  if (version !== 'latest' && !/^[1-9]\d{0,8}$/.test(version))
    faults.push({ path: 'version', text: 'version must be a whole number from 1 on' })
  return { service, version: version === 'latest' ? null : Number(version), given, faults }
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
