import type { CompileContext } from '../core/defineFile.js'
import { FileMissing } from '../core/defineFile.js'
import type { Asking } from '../core/fragments.js'
import { defineFragment } from '../core/fragments.js'
import type { Making, Reader } from '../core/reader.js'
import { one } from '../core/reader.js'
import type { DeliveryService, Server } from '../data/model.js'
import type { Facts, Flat } from './facts.js'
import { facts, readFacts } from './facts.js'
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
export function serviceIds(asking: Asking, server: Server): readonly number[] {
  const { data } = asking
  if (isMid(typeName(data, server.typeId))) return assignedInCdn(asking, server.cdnId)
  return data.get('deliveryServiceServers', server.id)?.deliveryServices ?? []
}

/** The ids of a CDN's delivery services that are assigned to at least one server. */
export const assignedInCdn = defineFragment('services.assignedInCdn', ({ data }, cdnId: number): readonly number[] =>
  data
    .ids('deliveryServices', 'cdnId', cdnId)
    .filter((id) => data.has('deliveryServiceServers', 'deliveryServices', id)),
)

/**
 * Ids in groups of neighbours, for parts that are kept between compiles. Groups begin at fixed ids, so that caches
 * with nearly the same services share most of them, and after a change one group is made again.
 */
function neighbours(ids: readonly number[]): number[][] {
  const groups: number[][] = []
  let room = -1
  for (const id of ids) {
    if (id >> 5 !== room) groups.push([])
    room = id >> 5
    groups.at(-1)!.push(id)
  }
  return groups
}

type PerService<F, T> = (asking: Asking, ids: readonly number[], about: F) => T[]

/**
 * Declares what `make` gives for one delivery service, by facts about whoever it is for, kept for each service and for
 * each group of neighbours. Called with who asks, the services and the facts, it gives the values that are not null,
 * in the services' order.
 */
export function definePerService<F extends Flat<F>, T>(
  name: string,
  make: (making: Making, id: number, about: F) => T | null,
): PerService<F, T> {
  const one = defineFragment(name, (making, about: Facts<F>, id: number) => make(making, id, readFacts<F>(about)))
  return definePerGroup(`${name} of neighbours`, (making, ids, _, about) => {
    const values: T[] = []
    for (const id of ids) {
      const value = one(making, about, id)
      if (value !== null) values.push(value)
    }
    return values
  })
}

/** The same for what is only kept for groups. */
export function definePerGroup<F extends Flat<F>, T>(
  name: string,
  make: (making: Making, ids: readonly number[], about: F, text: Facts<F>) => T[],
): PerService<F, T> {
  const group = defineFragment(name, (making, about: Facts<F>, ids: readonly number[]) =>
    make(making, ids, readFacts<F>(about), about),
  )
  return (asking, ids, about) => {
    const text = facts(about)
    return neighbours(ids).flatMap((some) => group(asking, text, some))
  }
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
