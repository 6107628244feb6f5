import { parameterRef } from '../cdn/parameters.js'
import { serviceRef, typeName } from '../cdn/services.js'
import type { Asking } from '../core/fragments.js'
import { unheard } from '../core/notes.js'
import type { Reader } from '../core/reader.js'
import type { Cdn, DeliveryService } from '../data/model.js'
import type { CdnServer, CdnServers } from './cdnServers.js'
import { cdnServers, isInUse, profileIds, serverRef } from './cdnServers.js'
import type { Fault } from './faults.js'
import { bareHost, matchSets } from './matchSets.js'
import { monitorConfig } from './monitoring.js'
import { routerSettings } from './routerSettings.js'
import { healthSettings } from './thresholds.js'

/**
 * What stands against freezing the documents of a CDN; empty when monitors and routers can run on them.
 * A pure function of the data. The live documents are answered all the same: they leave out what would do harm.
 */
export function snapshotFaults(data: Reader, cdn: Cdn): readonly Fault[] {
  const asking = { data, warn: unheard }
  const servers = cdnServers(asking, cdn.id)
  const services = data.by('deliveryServices', 'cdnId', cdn.id)
  return [
    ...missingRoles(cdn, servers),
    ...referenceFaults(data, cdn, services),
    ...duplicateNames(servers),
    ...hostFaults(data, services),
    ...thresholdFaults(data, servers.caches),
    ...intervalFaults(data, cdn, servers.monitors),
    ...settingFaults(asking, cdn, servers),
  ]
}

const cdnRef = ({ id, name }: Cdn) => ({ kind: 'cdns', id, name })

function missingRoles(cdn: Cdn, { caches, routers, monitors }: CdnServers): Fault[] {
  const roles = [
    { code: 'no-edge', servers: caches.filter(({ type }) => type.startsWith('EDGE')), what: 'edge cache' },
    { code: 'no-router', servers: routers, what: 'router' },
    { code: 'no-monitor', servers: monitors, what: 'monitor' },
  ] as const
  return roles
    .filter(({ servers }) => !servers.some(isInUse))
    .map(({ code, what }) => ({ code, record: cdnRef(cdn), text: `${cdn.name} has no ${what} in use` }))
}

function referenceFaults(data: Reader, cdn: Cdn, services: readonly DeliveryService[]): Fault[] {
  const faults: Fault[] = []
  const missing = (record: Fault['record'], what: string) =>
    faults.push({ code: 'dangling-reference', record, text: `the ${what} of ${record.name} does not exist` })
  const own = new Set(services.map(({ id }) => id))
  for (const server of data.by('servers', 'cdnId', cdn.id)) {
    const ref = serverRef(server)
    if (!data.get('types', server.typeId)) missing(ref, 'type')
    if (!data.get('statuses', server.statusId)) missing(ref, 'status')
    if (!data.get('cachegroups', server.cachegroupId)) missing(ref, 'cache group')
    if (!data.get('profiles', server.profileId)) missing(ref, 'profile')
    for (const id of data.get('deliveryServiceServers', server.id)?.deliveryServices ?? []) {
      if (own.has(id)) continue
      const service = data.get('deliveryServices', id)
      if (!service) missing(ref, `delivery service ${id}`)
      else
        faults.push({ code: 'foreign-service', record: ref, text: `${ref.name} has ${service.xmlId} of another CDN` })
    }
  }
  for (const service of services) {
    const ref = serviceRef(service)
    if (!data.get('types', service.typeId)) missing(ref, 'type')
    if (service.profileId !== null && !data.get('profiles', service.profileId)) missing(ref, 'profile')
    for (const { typeId, pattern } of data.by('deliveryServiceRegexes', 'deliveryServiceId', service.id)) {
      if (!data.get('types', typeId)) missing(ref, `type of the regex ${pattern}`)
    }
    for (const { typeId, host } of data.by('staticDnsEntries', 'deliveryServiceId', service.id)) {
      if (!data.get('types', typeId)) missing(ref, `type of the static DNS entry ${host}`)
    }
  }
  return faults
}

function duplicateNames({ caches, routers, monitors }: CdnServers): Fault[] {
  return [caches, routers, monitors].flatMap((servers) => {
    const seen = new Set<string>()
    return servers.flatMap(({ server }): Fault[] => {
      if (!seen.has(server.hostName)) {
        seen.add(server.hostName)
        return []
      }
      const text = `another server of the CDN is named ${server.hostName} too`
      return [{ code: 'duplicate-host-name', record: serverRef(server), text }]
    })
  })
}

/** Services without match set, and hosts that two of them match. */
function hostFaults(data: Reader, services: readonly DeliveryService[]): Fault[] {
  const faults: Fault[] = []
  const wildcards = new Map<string, string>()
  const literals = new Map<string, string>()
  const claim = (service: DeliveryService, regex: string) => {
    const host = bareHost(regex).toLowerCase()
    const wild = regex.endsWith('.*')
    const other = wild ? wildcards.get(host) : (literals.get(host) ?? wildcardWithin(host, wildcards))
    if (other === undefined || other === service.xmlId) (wild ? wildcards : literals).set(host, service.xmlId)
    else {
      const text = `the host regex ${regex} of ${service.xmlId} matches hosts of ${other}`
      faults.push({ code: 'duplicate-host', record: serviceRef(service), text })
    }
  }
  const claims = services
    .filter(({ active }) => active)
    .flatMap((service) => {
      const type = typeName(data, service.typeId)
      if (type === '' || type === 'ANY_MAP') return []
      const sets = matchSets(data, service, type)
      if (sets.length === 0) {
        const text = `${service.xmlId} has no regex to match`
        faults.push({ code: 'service-without-match-set', record: serviceRef(service), text })
      }
      const matches = sets.flatMap((set) => set.matches)
      for (const { regex } of matches.filter((match) => !isRegex(match.regex))) {
        const text = `${service.xmlId} has ${JSON.stringify(regex)}, which is no regex`
        faults.push({ code: 'unparsable-regex', record: serviceRef(service), text })
      }
      return matches.flatMap(({ matchType, regex }) => (matchType === 'HOST' ? [{ service, regex }] : []))
    })
  // Literal hosts last, so that each is held against every wildcard.
  for (const { service, regex } of claims) if (regex.endsWith('.*')) claim(service, regex)
  for (const { service, regex } of claims) if (!regex.endsWith('.*')) claim(service, regex)
  return faults
}

/** Programs in other languages read it; what all of them refuse is refused here. */
function isRegex(pattern: string): boolean {
  try {
    return new RegExp(pattern) instanceof RegExp
  } catch {
    return false
  }
}

/** Whose wildcard `.*\.x\..*` matches a literal host: the one whose labels stand somewhere inside it. */
function wildcardWithin(host: string, wildcards: ReadonlyMap<string, string>): string | undefined {
  const labels = host.split('.')
  for (let from = 1; from < labels.length; from++) {
    for (let to = from + 1; to < labels.length; to++) {
      const owner = wildcards.get(labels.slice(from, to).join('.'))
      if (owner !== undefined) return owner
    }
  }
  return undefined
}

function thresholdFaults(data: Reader, caches: readonly CdnServer[]): Fault[] {
  return profileIds(caches).flatMap((id) =>
    healthSettings(data, id).refused.map((parameter) => {
      const profile = data.get('profiles', id)?.name
      const text = `the monitor cannot parse ${parameter.name} = ${JSON.stringify(parameter.value)} of profile ${profile}`
      return { code: 'unparsable-threshold', record: parameterRef(parameter), text }
    }),
  )
}

function intervalFaults(data: Reader, cdn: Cdn, monitors: readonly CdnServer[]): Fault[] {
  if (monitors.length === 0) return []
  const config = monitorConfig(data, monitors)
  const needed = ['peers.polling.interval', 'health.polling.interval']
  const optional = ['heartbeat.polling.interval', 'tm.polling.interval'].filter((name) => name in config)
  return [...needed, ...optional]
    .filter((name) => typeof config[name] !== 'number')
    .map((name) => {
      const text = `rascal-config.txt of the monitors' profile has no number of milliseconds as ${name}`
      return { code: 'missing-interval', record: cdnRef(cdn), text }
    })
}

function settingFaults(asking: Asking, cdn: Cdn, { routers }: CdnServers): Fault[] {
  const { config, conflicts } = routerSettings(asking, cdn.id)
  const needed = routers.length === 0 ? [] : ['coveragezone.polling.url', 'geolocation.polling.url']
  const missing = needed
    .filter((name) => !config[name])
    .map((name): Fault => {
      const text = `no profile of the CDN has ${name} for CRConfig.json`
      return { code: 'missing-setting', record: cdnRef(cdn), text }
    })
  const conflicting = conflicts.map((parameter): Fault => {
    const text = `${parameter.name} is not ${JSON.stringify(parameter.value)} in every profile of the CDN`
    return { code: 'conflicting-parameters', record: parameterRef(parameter), text }
  })
  return [...missing, ...conflicting]
}
