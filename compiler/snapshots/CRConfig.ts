import { parameterValue } from '../cdn/parameters.js'
import type { CompileContext } from '../core/defineFile.js'
import { defineSnapshot } from '../core/defineFile.js'
import type { Reader } from '../core/reader.js'
import type { CdnServer } from './cdnServers.js'
import { addresses, cdnServers, hashId, isInUse, serverRef } from './cdnServers.js'
import { namedLines } from './lines.js'
import { warnOfSecrets } from './published.js'
import type { RemapTable } from './remapHosts.js'
import { remapsOf, remapTable } from './remapHosts.js'
import type { RouterService } from './routerService.js'
import { routerService } from './routerService.js'
import { routerSettings } from './routerSettings.js'
import { quoted } from './values.js'

/**
 * The document routers and monitors run on (config-files.md §9.2, clients.md §2 and §3), without its `stats`.
 * Only servers in a status routers know; numbers, texts and quoted booleans exactly as the programs decode them.
 */
export default defineSnapshot({
  name: 'CRConfig',
  view: (context) => {
    const { data, subject: cdn } = context
    const all = cdnServers(context, cdn.id)
    warnOfSecrets(context, 'CRConfig.json', all.profileIds)
    const settings = routerSettings(context, cdn.id)
    const caches = all.caches.filter(isInUse)
    const routers = all.routers.filter(isInUse)
    const services = servicesOf(context)
    const table = remapTable(services)
    return {
      config: settings.config,
      contentServers: namedLines(caches.map((cache) => [cache.server.hostName, contentServer(context, cache, table)])),
      contentRouters: namedLines(routers.map((router) => [router.server.hostName, contentRouter(data, router)])),
      monitors: namedLines(all.monitors.filter(isInUse).map((one) => [one.server.hostName, place(one)])),
      deliveryServices: namedLines(
        services.map(({ xmlId, ttl, entry }) => {
          const seconds = ttl ?? (Number(settings.ttls.A) || 3600)
          const ttls = { ...settings.ttls, A: String(seconds), AAAA: String(seconds) }
          return [xmlId, { ...entry, ttl: seconds, ttls, soa: settings.soa }]
        }),
      ),
      edgeLocations: edgeLocations(data, caches),
      trafficRouterLocations: namedLines(groupsOf(routers).map((group) => [group.name, coordinates(group)])),
    }
  },
})

/** The services routers serve, in the order of their names. */
function servicesOf(context: CompileContext<'cdns'>): RouterService[] {
  const { data, subject: cdn } = context
  return data
    .ids('deliveryServices', 'cdnId', cdn.id)
    .flatMap((id) => routerService(context, id) ?? [])
    .sort((a, b) => (a.xmlId < b.xmlId ? -1 : 1))
}

function contentServer(context: CompileContext<'cdns'>, cache: CdnServer, table: RemapTable): object {
  const { server, type, profile } = cache
  const cacheGroup = cache.cachegroup?.name ?? ''
  const routingDisabled = profile?.routingDisabled === true
  const assigned = context.data.get('deliveryServiceServers', server.id)?.deliveryServices ?? []
  const remaps = routingDisabled ? [] : remapsOf(table, assigned, server.hostName)
  return {
    ...addresses(cache),
    cacheGroup,
    locationId: cacheGroup,
    httpsPort: server.httpsPort,
    interfaceName: server.interfaceName,
    type,
    hashId: hashId(server),
    hashCount: hashCount(context, cache),
    routingDisabled: routingDisabled ? 1 : 0,
    ...(remaps.length === 0 ? {} : { deliveryServices: Object.fromEntries(remaps) }),
  }
}

/** How often the cache stands on the hash ring. */
function hashCount(context: CompileContext<'cdns'>, { server }: CdnServer): number {
  const positive = (name: string, usual: number) => {
    const value = parameterValue(context.data, server.profileId, 'CRConfig.json', name)
    if (value === null) return usual
    const number = value.trim() === '' ? Number.NaN : Number(value)
    if (number >= 0 && number <= 1e9) return number
    context.warn('value-ignored', serverRef(server), `the CRConfig.json parameter ${name} of its profile is no number`)
    return usual
  }
  return Math.trunc(positive('weight', 0.999) * positive('weightMultiplier', 1000))
}

function contentRouter(data: Reader, router: CdnServer): object {
  const parameter = (name: string) =>
    data.by('parameters', 'profileName', `${router.server.profileId}/${name}`)[0]?.value
  const secure = parameter('secure.api.port')
  return {
    ...place(router),
    'api.port': parameter('api.port') ?? '3333',
    ...(secure === undefined ? {} : { 'secure.api.port': secure }),
  }
}

function place(one: CdnServer): object {
  return { ...addresses(one), location: one.cachegroup?.name ?? '', httpsPort: one.server.httpsPort }
}

type Group = NonNullable<CdnServer['cachegroup']>

function groupsOf(servers: readonly CdnServer[]): Group[] {
  const groups = new Map(
    servers.flatMap(({ cachegroup }) => (cachegroup ? [[cachegroup.name, cachegroup] as const] : [])),
  )
  return [...groups.values()].sort((a, b) => (a.name < b.name ? -1 : 1))
}

const coordinates = ({ latitude, longitude }: Group) => ({ latitude: latitude ?? 0, longitude: longitude ?? 0 })

/** The groups of edges, with the groups that stand in for them: those of them that have edges of this CDN. */
function edgeLocations(data: Reader, caches: readonly CdnServer[]) {
  const groups = groupsOf(caches.filter(({ type }) => type.startsWith('EDGE')))
  const names = new Map(groups.map(({ id, name }) => [id, name]))
  return namedLines(
    groups.map((group) => {
      const fallbacks = data
        .by('cachegroupFallbacks', 'cacheGroupId', group.id)
        .slice()
        .sort((a, b) => a.fallbackOrder - b.fallbackOrder || a.id - b.id)
      const list = fallbacks.flatMap(({ fallbackId }) => names.get(fallbackId) ?? [])
      const methods = group.localizationMethods
      return [
        group.name,
        {
          ...coordinates(group),
          backupLocations: { fallbackToClosest: quoted(group.fallbackToClosest), list },
          localizationMethods: methods.length === 0 ? ['GEO', 'CZ', 'DEEP_CZ'] : methods,
        },
      ] as const
    }),
  )
}
