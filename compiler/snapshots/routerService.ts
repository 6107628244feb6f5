import { isDns, typeName } from '../cdn/services.js'
import { defineFragment } from '../core/fragments.js'
import type { Reader } from '../core/reader.js'
import type { DeliveryService } from '../data/model.js'
import { domains, matchSets } from './matchSets.js'
import type { RemapHost } from './remapHosts.js'
import { remapHosts } from './remapHosts.js'
import { returned } from './routerSettings.js'
import { quoted, setFields } from './values.js'

/** What routers know of one delivery service, less what is the same for the whole CDN. */
export interface RouterService {
  readonly id: number
  readonly xmlId: string
  readonly ttl: number | null
  readonly entry: object
  readonly hosts: readonly RemapHost[]
}

/**
 * The part of a delivery service in the routers' document (config-files.md §9.3); null for one that routers do not
 * serve: inactive, ANY_MAP, or without match set, which would keep monitors from starting.
 */
export const routerService = defineFragment('snapshots.routerService', (making, id: number): RouterService | null => {
  const { data } = making
  const service = data.get('deliveryServices', id)
  const type = service && typeName(data, service.typeId)
  if (!service?.active || !type || type === 'ANY_MAP') return null
  const sets = matchSets(data, service, type)
  const hosts = remapHosts(making, service, type)
  if (sets.length === 0) return null
  const domain = data.get('cdns', service.cdnId)?.domainName ?? ''
  const entry = {
    matchsets: sets.map(({ protocol, matches }) => ({
      protocol,
      matchlist: matches.map(({ regex, matchType }) => ({ regex, 'match-type': matchType })),
    })),
    domains: domains(sets, domain),
    ...anyService(service),
    ...(isDns(type) ? dnsService(service) : httpService(service)),
    ...setFields({ staticDnsEntries: nullIfEmpty(staticDnsEntries(data, service)) }),
  }
  return { id, xmlId: service.xmlId, ttl: service.ccrDnsTtl, entry, hosts }
})

/** The names routers answer themselves below the service's domain. */
export function staticDnsEntries(data: Reader, service: DeliveryService) {
  return data.by('staticDnsEntries', 'deliveryServiceId', service.id).map(({ host, ttl, typeId, address }) => ({
    name: host,
    ttl,
    type: typeName(data, typeId).replace(/_RECORD$/, ''),
    value: address,
  }))
}

/** Countries that may be served, when the service is limited to some. */
export function geoEnabled({ geoLimit, geoLimitCountries }: DeliveryService): { countryCode: string }[] {
  if (geoLimit < 2) return []
  const codes = (geoLimitCountries ?? '').split(',').map((code) => code.trim())
  return codes.filter((code) => code !== '').map((countryCode) => ({ countryCode }))
}

/** Where clients go when the service is over its limits. */
export function bypass(service: DeliveryService, type: string) {
  if (isDns(type)) {
    const { dnsBypassIp: ip, dnsBypassIp6: ip6, dnsBypassCname: cname, dnsBypassTtl: ttl } = service
    return setFields({ ip, ip6, cname, ttl })
  }
  const [fqdn = null, port = null] = (service.httpBypassFqdn ?? '').split(':')
  return setFields({ fqdn, port })
}

function anyService(service: DeliveryService) {
  const protocol = service.protocol ?? 0
  const https = quoted(protocol >= 1 && protocol <= 3)
  const { missLat: lat, missLong: long } = service
  return {
    routingName: service.routingName,
    coverageZoneOnly: quoted(service.geoLimit === 1),
    ...(service.geoLimit >= 2 ? { geoEnabled: geoEnabled(service) } : {}),
    geolocationProvider: service.geoProvider === 1 ? 'neustarGeolocationService' : 'maxmindGeolocationService',
    sslEnabled: https,
    protocol: {
      ...(protocol === 1 ? { acceptHttp: 'false' } : {}),
      acceptHttps: https,
      redirectToHttps: quoted(protocol === 3),
    },
    ...(lat !== null && long !== null ? { missLocation: { lat, long } } : {}),
    ...setFields({
      responseHeaders: nullIfEmpty(responseHeaders(service.trResponseHeaders ?? '')),
      requestHeaders: nullIfEmpty(returned(service.trRequestHeaders ?? '')),
    }),
    ip6RoutingEnabled: quoted(service.ipv6RoutingEnabled),
    deepCachingType: service.deepCachingType,
  }
}

function dnsService(service: DeliveryService) {
  const target = nullIfEmpty(bypass(service, 'DNS'))
  return setFields({
    bypassDestination: target && { DNS: target },
    maxDnsIpsForLocation: service.maxDnsAnswers,
  })
}

function httpService(service: DeliveryService) {
  const target = nullIfEmpty(bypass(service, 'HTTP'))
  return {
    dispersion: { limit: service.initialDispersion ?? 1, shuffled: 'true' },
    regionalGeoBlocking: quoted(service.regionalGeoBlocking),
    anonymousBlockingEnabled: quoted(service.anonymousBlockingEnabled),
    ...(service.geoLimit === 0 ? {} : { geoLimitRedirectURL: service.geoLimitRedirectURL ?? '' }),
    ...(target ? { bypassDestination: { HTTP: target } } : {}),
  }
}

/** `name: value` lines between `__RETURN__`s; quotes around a name or value are not part of it. */
function responseHeaders(text: string): Record<string, string> {
  const unquoted = (part: string) => part.trim().replace(/^"(.*)"$/, '$1')
  return Object.fromEntries(
    returned(text).flatMap((line) => {
      const colon = line.indexOf(':')
      return colon < 1 ? [] : [[unquoted(line.slice(0, colon)), unquoted(line.slice(colon + 1))]]
    }),
  )
}

const nullIfEmpty = <T extends object>(value: T): T | null => (Object.keys(value).length === 0 ? null : value)
