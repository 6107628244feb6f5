import { parameterRef, profileParameters } from '../cdn/parameters.js'
import type { CompileContext } from '../core/defineFile.js'
import { defineSnapshot } from '../core/defineFile.js'
import type { Reader } from '../core/reader.js'
import type { Cdn } from '../data/model.js'
import type { CdnServer } from './cdnServers.js'
import { addresses, cdnServers, hashId, profileIds } from './cdnServers.js'
import { listLines } from './lines.js'
import { warnOfSecrets } from './published.js'
import { healthSettings } from './thresholds.js'
import { digitsAsNumber } from './values.js'

/** What the monitors of a CDN poll, and by which limits (config-files.md §8, clients.md §2). Live: every status. */
export default defineSnapshot({
  name: 'monitoring',
  view: (context) => {
    const { data, subject: cdn } = context
    const servers = cdnServers(context, cdn.id)
    warnOfSecrets(context, 'rascal-config.txt', profileIds(servers.monitors))
    warnOfSecrets(context, 'rascal.properties', profileIds(servers.caches))
    return {
      trafficServers: listLines(servers.caches.map(cacheEntry)),
      trafficMonitors: listLines(servers.monitors.map(monitorEntry)),
      cacheGroups: listLines(cacheGroups([...servers.caches, ...servers.monitors, ...servers.routers])),
      config: monitorConfig(data, servers.monitors),
      deliveryServices: listLines(services(data, cdn)),
      profiles: listLines(profiles(context, servers.caches, servers.routers)),
    }
  },
})

/** The monitors' own settings, `rascal-config.txt` of their profiles. */
export function monitorConfig(data: Reader, monitors: readonly CdnServer[]): Record<string, string | number> {
  const settings = new Map<string, string | number>()
  for (const id of profileIds(monitors)) {
    for (const { name, value } of profileParameters(data, id, 'rascal-config.txt')) {
      if (!name.includes('location') && !settings.has(name)) settings.set(name, digitsAsNumber(value))
    }
  }
  return Object.fromEntries(settings)
}

/** A cache as the live documents show it. */
export function cacheEntry(cache: CdnServer) {
  const { server, type, cachegroup } = cache
  return {
    hostName: server.hostName,
    ...addresses(cache),
    cacheGroup: cachegroup?.name ?? '',
    interfaceName: server.interfaceName,
    type,
    hashId: hashId(server),
  }
}

/** A monitor or router as the live documents show it. */
export function monitorEntry(monitor: CdnServer) {
  return {
    hostName: monitor.server.hostName,
    ...addresses(monitor),
    location: monitor.cachegroup?.name ?? '',
  }
}

/** The cache groups of these servers, each once, ordered by name. */
export function cacheGroups(servers: readonly CdnServer[]) {
  const groups = new Map(
    servers.flatMap(({ cachegroup }) => (cachegroup ? [[cachegroup.name, cachegroup] as const] : [])),
  )
  return [...groups.values()]
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ name, latitude, longitude }) => ({
      name,
      coordinates: { latitude: latitude ?? 0, longitude: longitude ?? 0 },
    }))
}

function services(data: Reader, cdn: Cdn) {
  return data
    .by('deliveryServices', 'cdnId', cdn.id)
    .filter(({ active }) => active)
    .sort((a, b) => (a.xmlId < b.xmlId ? -1 : 1))
    .map(({ xmlId, globalMaxTps, globalMaxMbps }) => ({
      xmlId,
      status: 'REPORTED',
      totalTpsThreshold: Math.trunc(globalMaxTps ?? 0),
      totalKbpsThreshold: Math.max(0, Math.trunc((globalMaxMbps ?? 0) * 1000)),
    }))
}

/** One per cache profile and type, then one per router profile, which has no limits. */
function profiles(context: CompileContext<'cdns'>, caches: readonly CdnServer[], routers: readonly CdnServer[]) {
  const ofCaches = distinctProfiles(caches).map(({ id, name, type }) => {
    const { values, refused } = healthSettings(context.data, id)
    for (const parameter of refused) {
      context.warn('value-ignored', parameterRef(parameter), 'the monitor cannot parse the value, so it was left out')
    }
    return { name, type, parameters: values }
  })
  return [...ofCaches, ...distinctProfiles(routers).map(({ name, type }) => ({ name, type, parameters: null }))]
}

function distinctProfiles(servers: readonly CdnServer[]) {
  const found = servers.flatMap(({ profile, type }) => (profile ? [{ id: profile.id, name: profile.name, type }] : []))
  const distinct = new Map(found.map((entry) => [`${entry.name}\0${entry.type}`, entry]))
  return [...distinct].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, entry]) => entry)
}
