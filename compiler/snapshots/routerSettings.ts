import { parameterRef, profileParameters } from '../cdn/parameters.js'
import type { Asking } from '../core/fragments.js'
import { defineFragment } from '../core/fragments.js'
import type { Parameter } from '../data/model.js'
import { cdnServers } from './cdnServers.js'
import { quoted } from './values.js'

export interface RouterSettings {
  readonly config: Readonly<Record<string, string | object>>
  readonly soa: { admin: string; expire: string; minimum: string; refresh: string; retry: string }
  /** Seconds as text, for zones' NS and SOA records; `A` for services that name none. */
  readonly ttls: { readonly A: string; readonly NS: string; readonly SOA: string }
  /** Parameters that say something else than one of the same name that counts, where all must agree. */
  readonly conflicts: readonly Parameter[]
}

/**
 * The `CRConfig.json` parameters of all profiles that servers of the CDN use (config-files.md §9.2). Where a name
 * repeats, the routers' own profiles count first, then the profile with the lowest id.
 */
export const routerSettings = defineFragment('snapshots.routerSettings', (making, cdnId: number): RouterSettings => {
  const { data, warn } = making
  const cdn = data.get('cdns', cdnId)
  const all = cdnServers(making, cdnId).profileIds.flatMap((id) => profileParameters(data, id, 'CRConfig.json'))
  const first = new Map<string, string>()
  for (const { name, value } of all) if (!first.has(name)) first.set(name, value)
  const soa = below(first, 'tld.soa.')
  const ttls = below(first, 'tld.ttls.')
  const overrides = all.filter(({ name }) => name === 'maxmind.default.override')
  const config = new Map<string, string | object>([...first].filter(([name]) => isPlain(name)))
  if (Object.keys(soa).length > 0) config.set('soa', soa)
  if (Object.keys(ttls).length > 0) config.set('ttls', ttls)
  const logged = first.get('LogRequestHeaders')
  if (logged !== undefined) config.set('requestHeaders', returned(logged))
  if (overrides.length > 0) config.set('maxmindDefaultOverride', defaultLocations(overrides, warn))
  config.set('domain_name', cdn?.domainName ?? '')
  config.set('dnssec.enabled', quoted(cdn?.dnssecEnabled === true))
  return {
    config: Object.fromEntries(config),
    soa: overridden(usualSoa, soa),
    ttls: overridden(usualTtls, ttls),
    conflicts: all.filter(({ name, value }) => mustAgree(name) && first.get(name) !== value),
  }
})

/** The parts of a text that `__RETURN__` separates, trimmed. */
export function returned(text: string): string[] {
  return text
    .split('__RETURN__')
    .map((part) => part.trim())
    .filter((part) => part !== '')
}

const usualSoa = { admin: 'traffic_ops', expire: '604800', minimum: '30', refresh: '28800', retry: '7200' }
const usualTtls = { A: '3600', NS: '3600', SOA: '86400' }

const mustAgree = (name: string) => name.startsWith('tld.') || name === 'LogRequestHeaders'

const isPlain = (name: string) => !/^tld\.(soa|ttls)\./.test(name) && !isRenamed.has(name)
const isRenamed = new Set(['LogRequestHeaders', 'maxmind.default.override'])

function below(values: ReadonlyMap<string, string>, prefix: string): Record<string, string> {
  return Object.fromEntries(
    [...values].flatMap(([name, value]) => (name.startsWith(prefix) ? [[name.slice(prefix.length), value]] : [])),
  )
}

/** Zones of services know these records only; others stay in `config`. */
function overridden<T extends Record<string, string>>(usual: T, values: Readonly<Record<string, string>>): T {
  return Object.fromEntries(Object.entries(usual).map(([name, value]) => [name, values[name] ?? value])) as T
}

/** `CC;lat,long`: where clients are taken to be of whom only the country is known. */
function defaultLocations(parameters: readonly Parameter[], warn: Asking['warn']) {
  const locations = new Map<string, { countryCode: string; lat: number; long: number }>()
  for (const parameter of parameters) {
    const [, countryCode, lat, long] =
      /^\s*([A-Za-z]{2})\s*;\s*(-?[\d.]+)\s*,\s*(-?[\d.]+)\s*$/.exec(parameter.value) ?? []
    if (countryCode === undefined || Number.isNaN(Number(lat)) || Number.isNaN(Number(long))) {
      warn('value-ignored', parameterRef(parameter), 'the value is not a country code, latitude and longitude')
    } else locations.set(parameter.value, { countryCode, lat: Number(lat), long: Number(long) })
  }
  return [...locations.values()]
}
