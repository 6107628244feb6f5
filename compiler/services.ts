import { type CompileContext, FileMissing } from './define.js'
import type { DeliveryService, Server } from './model.js'
import { one, type Reader } from './reader.js'
import { isMarked } from './text.js'

/** What the name of a delivery service's type says about it (config-files.md §3). */
export const isDns = (type: string) => type.startsWith('DNS')
export const hasOrigin = (type: string) => type.startsWith('HTTP') || type.startsWith('DNS')
export const usesMids = (type: string) => !['HTTP_LIVE', 'DNS_LIVE', 'HTTP_NO_CACHE'].includes(type)
export const isLocalLive = (type: string) => type === 'HTTP_LIVE' || type === 'DNS_LIVE'
export const isNationalLive = (type: string) => type.endsWith('_LIVE_NATNL')

export const isMid = (serverType: string) => serverType.startsWith('MID')
export const isCache = (serverType: string) => serverType.startsWith('EDGE') || isMid(serverType)

export function typeName(data: Reader, typeId: number): string {
  return data.get('types', typeId)?.name ?? ''
}

/**
 * The ids of the delivery services a server's files are about: those assigned to it, or for a mid those of its
 * CDN that are assigned to any server. Inactive ones too: a router may still send clients whose answer it cached.
 */
export function serviceIds(data: Reader, server: Server): readonly number[] {
  if (isMid(typeName(data, server.typeId))) return assignedInCdn(data, server.cdnId)
  return data.get('deliveryServiceServers', server.id)?.deliveryServices ?? []
}

/** The ids of a CDN's delivery services that are assigned to at least one server. */
export function assignedInCdn(data: Reader, cdnId: number): readonly number[] {
  return data.memo('services.assignedInCdn', String(cdnId), (data) =>
    data
      .ids('deliveryServices', 'cdnId', cdnId)
      .filter((id) => data.has('deliveryServiceServers', 'deliveryServices', id)),
  )
}

/**
 * Ids in groups of neighbours, for parts that are kept between compiles. Groups begin at fixed ids, so that caches
 * with nearly the same services share most of them, and after a change one group is made again.
 */
export function neighbours(ids: readonly number[]): number[][] {
  const groups: number[][] = []
  let room = -1
  for (const id of ids) {
    if (id >> 5 !== room) groups.push([])
    room = id >> 5
    groups.at(-1)!.push(id)
  }
  return groups
}

/**
 * What `make` gives for each of these services, in their order, kept for each and for each group of neighbours.
 *
 * @param name says which function `make` is, and what it depends on beside the service
 */
export function perService<T>(
  data: Reader,
  name: string,
  ids: readonly number[],
  make: (data: Reader, id: number) => T | null,
): T[] {
  const made = (data: Reader, group: readonly number[]): T[] => {
    const values: T[] = []
    for (const id of group) {
      const value = data.memo(name, String(id), (data) => make(data, id))
      if (value !== null) values.push(value)
    }
    return values
  }
  return neighbours(ids).flatMap((group) => data.memo(`${name} of`, group.join(), (data) => made(data, group)))
}

/** Whether an xml id can be part of a file name; records are checked for it when they are written. */
export const isFileSafe = (xmlId: string) => /^[A-Za-z0-9_][A-Za-z0-9._-]*$/.test(xmlId) && !isMarked(xmlId)

/**
 * Whether the header rewrite file of a tier has anything in it: the rules of the service, or the limit on
 * connections to the origin, which is set by the tier that talks to the origin.
 */
export const rewritesAtEdge = (service: DeliveryService, type: string) =>
  hasOrigin(type) && (Boolean(service.edgeHeaderRewrite) || (limitsConnections(service) && !usesMids(type)))
export const rewritesAtMid = (service: DeliveryService, type: string) =>
  hasOrigin(type) && usesMids(type) && (Boolean(service.midHeaderRewrite) || limitsConnections(service))

const limitsConnections = (service: DeliveryService) => (service.maxOriginConnections ?? 0) > 0

export function serviceByXmlId(data: Reader, cdnId: number, xmlId: string): DeliveryService | undefined {
  const service = one(data, 'deliveryServices', 'xmlId', xmlId)
  return service?.cdnId === cdnId ? service : undefined
}

/** The delivery service that a CDN's file is named after. */
export function namedService({ data, subject, parts, file }: CompileContext<'cdns'>): DeliveryService {
  const service = serviceByXmlId(data, subject.id, parts.xmlId!)
  if (!service) throw new FileMissing(`${file} names no delivery service of this CDN`)
  return service
}

export const serviceRef = (service: DeliveryService) => ({
  kind: 'deliveryServices',
  id: service.id,
  name: service.xmlId,
})
