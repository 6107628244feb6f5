import type { SampleService } from '../api/demo/service.js'

interface Options {
  readonly share: number
  readonly alike: number
  readonly random: () => number
}

/**
 * Which edge carries which services: each edge has the same number, `alike` of them drawn once for its cache
 * group and the others for itself. Edges with the same services share one list. Origins carry the multi-site ones.
 */
export function assign(
  servers: readonly { readonly hostName: string; readonly type: string; readonly cachegroup: string }[],
  services: readonly SampleService[],
  { share, alike, random }: Options,
) {
  const names = services.map(({ record }) => record.xmlId)
  const each = Math.min(names.length, Math.max(1, Math.round(share * names.length)))
  const common = Math.round(alike * each)
  const draw = drawer(names.length, random)
  const ofGroup = new Map<string, { order: Int32Array; shared: readonly string[] }>()
  const multiSite = services.filter(({ record }) => record.multiSiteOrigin).map(({ record }) => record.xmlId)
  return servers
    .filter(({ type }) => type === 'EDGE' || (type === 'ORG' && multiSite.length > 0))
    .map(({ hostName, type, cachegroup }) => {
      if (type === 'ORG') return { server: hostName, deliveryServices: multiSite }
      const group = ofGroup.get(cachegroup) ?? drawGroup()
      ofGroup.set(cachegroup, group)
      const deliveryServices =
        common === each ? group.shared : pick(group.order, draw(group.order, common, each - common))
      return { server: hostName, deliveryServices }
    })

  /** The services of a group come first in `order`, the others are what its edges draw from. */
  function drawGroup() {
    const order = Int32Array.from(names.keys())
    draw(order, 0, common)
    return { order, shared: pick(order, 0) }
  }

  function pick(order: Int32Array, own: number): readonly string[] {
    return Array.from(order.slice(0, common + own).sort(), (index) => names[index]!)
  }
}

/** Moves `count` random ones of what follows `from` to its front, and returns `count`. */
function drawer(length: number, random: () => number) {
  return (order: Int32Array, from: number, count: number): number => {
    for (let place = from; place < from + count; place++) {
      const other = place + Math.floor(random() * (length - place))
      const moved = order[other]!
      order[other] = order[place]!
      order[place] = moved
    }
    return count
  }
}
