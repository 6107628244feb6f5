import type { Data } from '../../schema/data.js'
import type { Records } from '../../schema/records.js'
import { cacheFileFindings } from './cacheFileFindings.js'
import { certificateFindings } from './certificateFindings.js'
import type { Finding } from './finding.js'
import { serviceRef, speaksHttps, typeOf } from './subjects.js'

type Cdn = Records['cdns']
type Service = Records['deliveryServices']

/**
 * What the routers and caches of a CDN would refuse, or not do, although a snapshot of it is consistent: it can be
 * frozen, and services would not be served. A service a step.
 *
 * @param now milliseconds since 1970
 */
export function* routerFindings(data: Data, cdn: Cdn, now: number): Generator<void, Finding[]> {
  const findings: Finding[] = []
  const settings = routerSettingNames(data, cdn)
  for (const service of data.by('deliveryServices', 'cdnId', cdn.id)) {
    yield
    if (!service.active) continue
    const type = typeOf(data, service)
    if (type === 'ANY_MAP') continue
    if (type.endsWith('STEERING')) findings.push(...steeringFindings(data, service, type))
    findings.push(...settingFindings(service, settings))
    findings.push(...certificateFindings(data, service, now))
  }
  findings.push(...cacheFileFindings(data, cdn))
  return findings
}

/** Names of all that routers are told in `config`: parameters of any profile that a server of the CDN uses. */
function routerSettingNames(data: Data, { id }: Cdn): ReadonlySet<string> {
  const profiles = new Set(data.by('servers', 'cdnId', id).map(({ profileId }) => profileId))
  const parameters = [...profiles].flatMap((profile) =>
    data.by('parameters', 'profileFile', `${profile}/CRConfig.json`),
  )
  return new Set(parameters.filter(({ value }) => value.trim() !== '').map(({ name }) => name))
}

function* steeringFindings(data: Data, service: Service, type: string): Iterable<Finding> {
  const record = serviceRef(service)
  const targets = data
    .by('steeringTargets', 'deliveryServiceId', service.id)
    .flatMap(({ targetId }) => data.get('deliveryServices', targetId) ?? [])
  const known = targets.filter(({ active, cdnId }) => active && cdnId === service.cdnId)
  if (known.length === 0)
    yield {
      code: 'steering-without-target',
      level: 'error',
      record,
      text: `${service.xmlId} steers to no delivery service of its CDN that is active.`,
      fix: `Add a target: POST /api/1.3/steering/${service.id}/targets.`,
    }
  if (type !== 'CLIENT_STEERING' || !speaksHttps(service)) return
  for (const target of known.filter((target) => !speaksHttps(target)))
    yield {
      code: 'http-only-target',
      level: 'error',
      record,
      text: `${service.xmlId} steers clients over HTTPS to ${target.xmlId}, which speaks HTTP only; routers refuse both.`,
      fix: `Set the protocol of ${target.xmlId} to 1, 2 or 3 and add its certificate, or that of ${service.xmlId} to 0.`,
    }
}

/** What a delivery service asks of routers, and the settings without which they do not do it. */
const needed: readonly {
  readonly asks: (service: Service) => boolean
  readonly what: string
  readonly level: Finding['level']
  readonly names: readonly string[]
}[] = [
  {
    asks: ({ regionalGeoBlocking }) => regionalGeoBlocking,
    what: 'regional geo-blocking',
    level: 'error',
    names: ['regional_geoblock.polling.url'],
  },
  {
    asks: ({ anonymousBlockingEnabled }) => anonymousBlockingEnabled,
    what: 'the blocking of anonymous clients',
    level: 'warning',
    names: ['anonymousip.polling.url', 'anonymousip.policy.configuration'],
  },
  {
    asks: ({ geoProvider }) => geoProvider === 1,
    what: 'geolocation by Neustar',
    level: 'warning',
    names: ['neustar.polling.url'],
  },
  {
    asks: ({ deepCachingType }) => deepCachingType === 'ALWAYS',
    what: 'deep caching',
    level: 'warning',
    names: ['deepcoveragezone.polling.url'],
  },
]

function* settingFindings(service: Service, settings: ReadonlySet<string>): Iterable<Finding> {
  for (const { asks, what, level, names } of needed) {
    const missing = asks(service) ? names.filter((name) => !settings.has(name)) : []
    if (missing.length === 0) continue
    yield {
      code: 'missing-router-setting',
      level,
      record: serviceRef(service),
      text: `${service.xmlId} asks for ${what}, but no profile of the CDN has ${missing.join(' and ')} for CRConfig.json.`,
      fix: "Add it to the routers' profile as a parameter of config file CRConfig.json, or switch that off.",
    }
  }
}
