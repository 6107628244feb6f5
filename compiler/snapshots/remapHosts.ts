import { hostHole, requestHosts, safeHostName } from '../cdn/hosts.js'
import type { Asking } from '../core/fragments.js'
import type { DeliveryService } from '../data/model.js'

/** A name under which a cache answers for a service: `rest`, or the cache's host name followed by `rest`. */
export interface RemapHost {
  readonly afterHostName: boolean
  readonly rest: string
}

/** The names routers send clients to, kept apart from the cache's host name so that all caches share them. */
export function remapHosts(asking: Asking, service: DeliveryService, type: string): readonly RemapHost[] {
  return requestHosts(asking.data, service, type, asking).map(({ name }) =>
    name.startsWith(hostHole)
      ? { afterHostName: true, rest: name.slice(hostHole.length) }
      : { afterHostName: false, rest: name },
  )
}

/** The services of a CDN that caches answer for, ordered by name. */
export interface RemapTable {
  readonly services: readonly NamedHosts[]
  /** Where a service stands in the order, by its id. */
  readonly places: ReadonlyMap<number, number>
}

export interface NamedHosts {
  readonly id: number
  readonly xmlId: string
  readonly hosts: readonly RemapHost[]
}

export function remapTable(all: readonly NamedHosts[]): RemapTable {
  const services = all.filter(({ hosts }) => hosts.length > 0).sort((a, b) => (a.xmlId < b.xmlId ? -1 : 1))
  return { services, places: new Map(services.map(({ id }, place) => [id, place])) }
}

/** The names a cache answers under for each of its services. Runs for each of up to a million pairs: plain loops. */
export function remapsOf(
  { services, places }: RemapTable,
  assigned: readonly number[],
  hostName: string,
): [xmlId: string, remaps: string[]][] {
  const own = safeHostName(hostName)
  const found = new Uint32Array(assigned.length)
  let count = 0
  for (const id of assigned) {
    const place = places.get(id)
    if (place !== undefined) found[count++] = place
  }
  const remaps: [string, string[]][] = []
  for (const place of found.subarray(0, count).sort()) {
    const { xmlId, hosts } = services[place]!
    remaps.push([xmlId, hosts.map(({ afterHostName, rest }) => (afterHostName ? own + rest : rest))])
  }
  return remaps
}
