import { isHostName } from '../../config/hostNames.js'
import { exampleUrls } from '../../records/kinds/exampleUrls.js'
import type { Data } from '../../schema/data.js'
import type { Caller } from '../../schema/privileges.js'
import { reachesTenant } from '../../schema/privileges.js'
import type { Records } from '../../schema/records.js'
import { hasZone, zoneOfHost } from './dnssec.js'
import { covers } from './hostName.js'

type Service = Records['deliveryServices']

/** The host names at which clients enter a delivery service. */
export function entryHosts(data: Data, service: Service): string[] {
  const hosts = exampleUrls(service, data).map((url) => url.slice(url.indexOf('://') + 3).toLowerCase())
  return [...new Set(hosts)].filter(isHostName)
}

/**
 * The zone of a delivery service; `null` when its type has none, `undefined` when it should have one and no host
 * pattern of it is below the CDN's domain.
 */
export function serviceZone(data: Data, service: Service): string | null | undefined {
  if (!hasZone(data.get('types', service.typeId)?.name ?? '')) return null
  const domain = data.get('cdns', service.cdnId)?.domainName.toLowerCase()
  const host = entryHosts(data, service).find((name) => name.endsWith(`.${domain}`))
  return host === undefined ? undefined : zoneOfHost(host)
}

/** Every name a certificate for the service may be asked for; services over HTTP are served by caches of many names. */
export function servedNames(data: Data, service: Service): string[] {
  const hosts = entryHosts(data, service)
  const isHttp = (data.get('types', service.typeId)?.name ?? '').startsWith('HTTP')
  return isHttp ? [...new Set([...hosts.map((host) => `*${host.slice(host.indexOf('.'))}`), ...hosts])] : hosts
}

/**
 * Whether a delivery service of the same CDN that the caller does not reach answers a certificate's name. Routers look
 * certificates up by it, so one of another tenant would stand in for the owner's.
 */
export const isOthersName = (name: string, { id, cdnId }: Service, user: Caller, data: Data): boolean =>
  !user.ofRoot &&
  data
    .by('deliveryServices', 'cdnId', cdnId)
    .some(
      (other) =>
        other.id !== id &&
        !reachesTenant(data, user, other.tenantId) &&
        servedNames(data, other).some((host) => covers(name, host) || covers(host, name)),
    )

/**
 * Whether a certificate's name is no longer its service's but one that a service of another tenant on the same CDN
 * answers: patterns change after certificates were added, and routers would have both.
 */
export function isTakenByOthers(name: string, service: Service, data: Data): boolean {
  const { id, cdnId, tenantId } = service
  const answers = (one: Service): boolean =>
    servedNames(data, one).some((host) => covers(name, host) || covers(host, name))
  if (answers(service)) return false
  return data
    .by('deliveryServices', 'cdnId', cdnId)
    .some((other) => other.id !== id && other.tenantId !== tenantId && answers(other))
}
