import { profileParameters } from '../cdn/parameters.js'
import { isDns, typeName } from '../cdn/services.js'
import type { CompileContext } from '../core/defineFile.js'
import { defineSnapshot } from '../core/defineFile.js'
import type { Asking } from '../core/fragments.js'
import type { Reader } from '../core/reader.js'
import type { Cdn, DeliveryService } from '../data/model.js'
import type { CdnServer } from './cdnServers.js'
import { cdnServers, profileIds } from './cdnServers.js'
import { listLines } from './lines.js'
import type { MatchSet } from './matchSets.js'
import { domains, matchSets } from './matchSets.js'
import { cacheEntry, cacheGroups, monitorEntry } from './monitoring.js'
import { warnOfSecrets } from './published.js'
import type { RemapHost } from './remapHosts.js'
import { remapHosts, remapsOf, remapTable } from './remapHosts.js'
import { bypass, geoEnabled, staticDnsEntries } from './routerService.js'
import { digitsAsNumber, setFields } from './values.js'

/** The routing configuration in the shape of 1.1 and 1.2 (config-files.md §9.1), without its `stats`. Live: every status. */
export default defineSnapshot({
  name: 'routing',
  view: (context) => {
    const { data, subject: cdn } = context
    const servers = cdnServers(context, cdn.id)
    warnOfSecrets(context, 'CRConfig.json', profileIds(servers.routers))
    const settings = routerConfig(data, servers.routers)
    const services = activeServices(data, cdn)
    return {
      config: { ...Object.fromEntries(settings), domain_name: cdn.domainName },
      cacheGroups: listLines(cacheGroups([...servers.caches, ...servers.monitors, ...servers.routers])),
      trafficServers: listLines(trafficServers(context, servers.caches, services)),
      trafficMonitors: listLines(servers.monitors.map(monitorEntry)),
      trafficRouters: listLines(servers.routers.map((one) => ({ ...monitorEntry(one), apiPort: apiPort(data, one) }))),
      deliveryServices: listLines(services.map((service) => serviceEntry(data, cdn, service, settings))),
    }
  },
})

type Settings = ReadonlyMap<string, string | number>

/** The routers' own settings, with dotted names and numbers for digits. */
function routerConfig(data: Reader, routers: readonly CdnServer[]): Settings {
  const settings = new Map<string, string | number>()
  for (const id of profileIds(routers)) {
    for (const { name, value } of profileParameters(data, id, 'CRConfig.json')) {
      if (!settings.has(name)) settings.set(name, digitsAsNumber(value))
    }
  }
  return settings
}

function activeServices(data: Reader, cdn: Cdn): DeliveryService[] {
  return data
    .by('deliveryServices', 'cdnId', cdn.id)
    .filter(({ active }) => active)
    .sort((a, b) => (a.xmlId < b.xmlId ? -1 : 1))
}

function trafficServers(
  context: CompileContext<'cdns'>,
  caches: readonly CdnServer[],
  services: readonly DeliveryService[],
) {
  const { data } = context
  const table = remapTable(services.map((one) => ({ id: one.id, xmlId: one.xmlId, hosts: hostsOf(context, one) })))
  return caches.map((cache) => {
    const { server, profile } = cache
    const assigned = data.get('deliveryServiceServers', server.id)?.deliveryServices ?? []
    const remaps = profile?.routingDisabled ? [] : remapsOf(table, assigned, server.hostName)
    const deliveryServices = remaps.map(([xmlId, remaps]) => ({ xmlId, remaps }))
    return { ...cacheEntry(cache), deliveryServices }
  })
}

/** This form knows no routing names: a DNS service is always asked for as `edge`. */
function hostsOf(asking: Asking, service: DeliveryService): readonly RemapHost[] {
  const type = typeName(asking.data, service.typeId)
  return type === 'ANY_MAP' ? [] : remapHosts(asking, { ...service, routingName: 'edge' }, type)
}

function apiPort(data: Reader, { server }: CdnServer): number {
  const port = Number(data.by('parameters', 'profileName', `${server.profileId}/api.port`)[0]?.value)
  return Number.isInteger(port) && port > 0 && port < 65536 ? port : 3333
}

function serviceEntry(data: Reader, cdn: Cdn, service: DeliveryService, settings: Settings) {
  const type = typeName(data, service.typeId)
  const sets = matchSets(data, service, type)
  const ttl = service.ccrDnsTtl ?? 3600
  return {
    xmlId: service.xmlId,
    ttl,
    ttls: { A: ttl, AAAA: ttl, NS: settings.get('tld.ttls.NS') ?? 3600, SOA: settings.get('tld.ttls.SOA') ?? 86400 },
    soa: {
      admin: settings.get('tld.soa.admin') ?? 'traffic_ops',
      expire: settings.get('tld.soa.expire') ?? 604800,
      minimum: settings.get('tld.soa.minimum') ?? 30,
      refresh: settings.get('tld.soa.refresh') ?? 28800,
      retry: settings.get('tld.soa.retry') ?? 7200,
    },
    matchSets: bySetNumber(sets),
    domains: domains(sets, cdn.domainName),
    coverageZoneOnly: service.geoLimit === 1,
    geoEnabled: geoEnabled(service),
    bypassDestination: bypassDestination(service, type),
    missCoordinates: setFields({ latitude: service.missLat, longitude: service.missLong }),
    staticDnsEntries: staticDnsEntries(data, service),
  }
}

function bypassDestination(service: DeliveryService, type: string) {
  if (!isDns(type)) return { type: 'HTTP', ...bypass(service, type) }
  return { type: 'DNS', ...bypass(service, type), ...setFields({ maxDnsIpsForLocation: service.maxDnsAnswers }) }
}

/** The set number is the index, with null where there is no such set. */
function bySetNumber(sets: readonly MatchSet[]) {
  const known = sets.filter(({ setNumber }) => setNumber >= 0 && setNumber < 1000)
  const length = Math.max(0, ...known.map(({ setNumber }) => setNumber + 1))
  const numbered = new Map(
    known.map(({ setNumber, protocol, matches }) => [setNumber, { protocol, matchList: matches }]),
  )
  return Array.from({ length }, (_, setNumber) => numbered.get(setNumber) ?? null)
}
