import { type CompileContext, serverFile } from '../define.js'
import { fillHost, hostHole, safeHostName } from '../hosts.js'
import type { DeliveryService } from '../model.js'
import { profileParameters } from '../parameters.js'
import type { Reader } from '../reader.js'
import {
  type EdgeBlock,
  type EdgeClass,
  edgeBlock,
  edgeClass,
  edgeLinesWhere,
  type MidBlock,
  midBlock,
  midClass,
} from '../remapBlocks.js'
import { assignedInCdn, isMid, neighbours, perService, serviceIds, serviceRef, typeName } from '../services.js'

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
  const { data, subject, render, warn } = context
  const facts = Object.values(edge).join()
  const [ofOne, ofGroup] = [`remap.config.edge ${facts}`, `remap.config.edges ${facts}`]
  const blocksOf = (data: Reader, ids: readonly number[]) => {
    const blocks: EdgeBlock[] = []
    for (const id of ids) {
      const block = data.memo(ofOne, String(id), (data) => edgeBlock({ data, render, warn }, id, edge))
      if (block) blocks.push(block)
    }
    return blocks
  }
  const blocks = neighbours(serviceIds(data, subject)).flatMap((ids) =>
    data.memo(ofGroup, ids.join(), (data) => blocksOf(data, ids)),
  )
  return blocks.filter(({ keysIn, serviceId }) => {
    // The place of the file alone, which comes with the assignment, is no key.
    if (!keysIn || profileParameters(data, subject.profileId, keysIn).length > 0) return true
    const service = data.get('deliveryServices', serviceId)
    const text = `${service?.xmlId} is to be signed but has no keys; it is left out`
    if (service) warn('key-missing', serviceRef(service), text)
    return false
  })
}

function warnOfDuplicate({ warn, subject }: CompileContext<'servers'>, service: DeliveryService, from: string): void {
  const text = `${fillHost(from, subject.hostName)} is already mapped; it is left out for ${service.xmlId}`
  warn('duplicate-map', serviceRef(service), text)
}

/** The mids of a tier and version have all lines in common. */
function midBody({ data, subject, render, warn }: CompileContext<'servers'>): string {
  const mid = midClass(data, subject)
  const facts = Object.values(mid).join()
  return data.memo(`remap.config.mids ${facts}`, String(subject.cdnId), (data) => {
    const ids = assignedInCdn(data, subject.cdnId)
    const blocks = perService(data, `remap.config.mid ${facts}`, ids, (data, id) =>
      midBlock({ data, render, warn }, id, mid),
    )
    return midTexts({ data, warn }, blocks).sort().join('')
  })
}

/** One line for each origin; the service with the lowest id decides. */
function midTexts({ data, warn }: Pick<CompileContext, 'data' | 'warn'>, blocks: readonly MidBlock[]): string[] {
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
