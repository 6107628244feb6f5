import { isIP } from 'node:net'
import type { Settings } from '../../config/settings.js'
import type { Data } from '../../schema/data.js'
import { findOne } from '../../schema/data.js'
import type { Records } from '../../schema/records.js'
import type { Finding } from './finding.js'
import { cdnRef, serviceRef, someOf } from './subjects.js'

type Parameter = Records['parameters']

/** Addresses that nobody elsewhere can ask, and parameters that say two things; nothing where that took a step. */
export function* addressFindings(data: Data, cdn: Records['cdns'], settings: Settings): Iterable<Finding | undefined> {
  const global = findOne(data, 'profiles', 'name', 'GLOBAL')?.id
  yield* repeated(data, global, 'global')
  const own = global === undefined ? [] : data.by('parameters', 'profileFile', `${global}/global`)
  const told = own.findLast(({ name }) => name === 'tm.url')
  if (told) yield* placeholders([told])
  else if (settings.publicOrigin === null) {
    const text = 'Neither PUBLIC_URL nor a parameter tm.url of the GLOBAL profile says where this service is found.'
    const fix = 'Start it with PUBLIC_URL, by an address that routers, monitors and caches reach.'
    yield { code: 'address-unknown', level: 'warning', record: cdnRef(cdn), text, fix }
  }
  const profiles = new Set(data.by('servers', 'cdnId', cdn.id).map(({ profileId }) => profileId))
  for (const profile of profiles) {
    yield
    yield* placeholders(data.by('parameters', 'profileFile', `${profile}/CRConfig.json`))
    yield* repeated(data, profile, 'CRConfig.json')
  }
  yield* placeholderOrigins(data, cdn)
}

/** All of them in one: whoever tries things out has many. */
function* placeholderOrigins(data: Data, cdn: Records['cdns']): Iterable<Finding | undefined> {
  const services: Records['deliveryServices'][] = []
  for (const service of data.by('deliveryServices', 'cdnId', cdn.id)) {
    yield
    const { active, orgServerFqdn } = service
    if (active && orgServerFqdn !== null && isPlaceholder(orgServerFqdn)) services.push(service)
  }
  const [first] = services
  if (!first) return
  const names = someOf(services.map(({ xmlId }) => xmlId))
  const text = `The origin of ${names} is no host that caches could ask, such as ${first.orgServerFqdn}.`
  const fix = 'Set orgServerFqdn to the real origin.'
  yield { code: 'placeholder-address', level: 'warning', record: serviceRef(first), text, fix }
}

function* placeholders(parameters: readonly Parameter[]): Iterable<Finding> {
  for (const { id, name, configFile, value, secure } of parameters) {
    if (secure || !isPlaceholder(value)) continue
    const text = `${name} of ${configFile} is ${value}, which is no address that machines elsewhere could ask.`
    const fix = `Set parameter ${id} to the real address.`
    yield { code: 'placeholder-address', level: 'warning', record: { kind: 'parameters', id, name }, text, fix }
  }
}

/** A URL of this machine itself, or of a name that is set apart for documents and tests and belongs to nobody. */
function isPlaceholder(value: string): boolean {
  if (!/^https?:\/\//.test(value) || !URL.canParse(value)) return false
  const host = new URL(value).hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '')
  if (isIP(host)) return /^127\.|^0\.|^::1?$/.test(host)
  return /(^|\.)(localhost|invalid|test|example|example\.(com|net|org))$/.test(host)
}

/** Of two values that a profile has for one name only one counts: the newest of GLOBAL, the oldest for routers. */
function* repeated(
  data: Data,
  profileId: number | undefined,
  configFile: 'global' | 'CRConfig.json',
): Iterable<Finding> {
  const profile = data.get('profiles', profileId ?? null)
  if (!profile) return
  const counts = configFile === 'global' ? 'newest' : 'oldest'
  const before = new Map<string, Parameter>()
  for (const parameter of data.by('parameters', 'profileFile', `${profile.id}/${configFile}`)) {
    const { id, name } = parameter
    const other = before.get(name)
    before.set(name, parameter)
    // Routers are told all countries that are overridden.
    if (!other || name === 'maxmind.default.override') continue
    const text = `Profile ${profile.name} has two values of ${name}, parameters ${other.id} and ${id}; the ${counts} counts.`
    const fix = `Take parameter ${counts === 'newest' ? other.id : id} away from ${profile.name}.`
    yield { code: 'repeated-parameter', level: 'warning', record: { kind: 'parameters', id, name }, text, fix }
  }
}
