import type { Facts } from '../cdn/facts.js'
import { facts, readFacts } from '../cdn/facts.js'
import { fillHost, hostHole, safeHostName } from '../cdn/hosts.js'
import { profileParameters } from '../cdn/parameters.js'
import type { EdgeBlock, EdgeClass, MidBlock, MidClass } from '../cdn/remap/remapBlocks.js'
import { edgeBlock, edgeClass, edgeLinesWhere, midBlock, midClass } from '../cdn/remap/remapBlocks.js'
import { assignedInCdn, definePerService, isMid, serviceIds, serviceRef, typeName } from '../cdn/services.js'
import type { CompileContext } from '../core/defineFile.js'
import { serverFile } from '../core/defineFile.js'
import type { Asking } from '../core/fragments.js'
import { defineFragment } from '../core/fragments.js'
import type { DeliveryService } from '../data/model.js'

/** Which requests a cache accepts, and where each goes (config-files.md §4). */
export default serverFile({
  name: 'remap.config',
  view: (context) => {
    const onMid = isMid(typeName(context.data, context.subject.typeId))
    return { body: onMid ? midBody(context) : edgeTexts(context).sort().join('') }
  },
})

/** The text of each service's lines; they stay together when the texts are sorted. */
function edgeTexts(context: CompileContext<'servers'>): string[] {
  const { data, subject } = context
  const edge = edgeClass(data, subject)
  const hostName = safeHostName(subject.hostName)
  const taken = new Set<string>()
  return edgeBlocks(context, edge).map((block) => {
    const { serviceId, froms, text, hasHole } = block
    if (froms.some((from) => taken.has(from))) {
      const free = new Set(froms.filter((from) => !taken.has(from)))
      const service = data.get('deliveryServices', serviceId)
      for (const from of froms) if (service && !free.has(from)) warnOfDuplicate(context, service, from)
      for (const from of free) taken.add(from)
      return fillHost(
        edgeLinesWhere(context, serviceId, edge, (from) => free.has(from)),
        subject.hostName,
      )
    }
    for (const from of froms) taken.add(from)
    return hasHole ? text.replaceAll(hostHole, hostName) : text
  })
}

function edgeBlocks(context: CompileContext<'servers'>, edge: EdgeClass): EdgeBlock[] {
  const { data, subject, warn } = context
  return edgeLines(context, serviceIds(context, subject), edge).filter(({ keysIn, serviceId }) => {
    // The place of the file alone, which comes with the assignment, is no key.
    if (!keysIn || profileParameters(data, subject.profileId, keysIn).length > 0) return true
    const service = data.get('deliveryServices', serviceId)
    const text = `${service?.xmlId} is to be signed but has no keys; it is left out`
    if (service) warn('key-missing', serviceRef(service), text)
    return false
  })
}

const edgeLines = definePerService('remap.config.edge', edgeBlock)

function warnOfDuplicate({ warn, subject }: CompileContext<'servers'>, service: DeliveryService, from: string): void {
  const text = `${fillHost(from, subject.hostName)} is already mapped; it is left out for ${service.xmlId}`
  warn('duplicate-map', serviceRef(service), text)
}

const midBody = (context: CompileContext<'servers'>): string =>
  keptMidBody(context, facts(midClass(context.data, context.subject)), context.subject.cdnId)

/** The mids of a tier and version have all lines in common. */
const keptMidBody = defineFragment('remap.config.mids', (making, mid: Facts<MidClass>, cdnId: number) => {
  const blocks = midLines(making, assignedInCdn(making, cdnId), readFacts<MidClass>(mid))
  return midTexts(making, blocks).sort().join('')
})

const midLines = definePerService('remap.config.mid', midBlock)

/** One line for each origin; the service with the lowest id decides. */
function midTexts({ data, warn }: Asking, blocks: readonly MidBlock[]): string[] {
  const byOrigin = new Map<string, MidBlock>()
  for (const block of blocks) {
    const first = byOrigin.get(block.from)
    if (first && first.plugins !== block.plugins) {
      const service = data.get('deliveryServices', block.serviceId)
      const text = `another service has the origin ${block.from} with different settings; those win`
      if (service) warn('duplicate-origin', serviceRef(service), text)
    }
    if (!first?.text) byOrigin.set(block.from, block)
  }
  return [...byOrigin.values()].flatMap(({ text }) => text ?? [])
}
