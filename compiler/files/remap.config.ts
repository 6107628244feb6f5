import { type CompileContext, serverFile } from '../define.js'
import { fillHost } from '../hosts.js'
import { edgeBlock, edgeClass, type MidBlock, midBlock, midClass } from '../remapBlocks.js'
import { isMid, serviceIds, serviceRef, typeName } from '../services.js'

/** Which requests a cache accepts, and where each goes (config-files.md §4). */
export default serverFile({
  name: 'remap.config',
  view: (context) => {
    const onMid = isMid(typeName(context.data, context.subject.typeId))
    return { lines: onMid ? midLines(context) : edgeLines(context) }
  },
})

/** The services' blocks sorted as text, each block's lines together. */
function edgeLines(context: CompileContext<'servers'>): string[] {
  const { data, subject, render, warn } = context
  const edge = edgeClass(data, subject)
  const key = Object.values(edge).join()
  const taken = new Set<string>()
  const blocks: string[][] = []
  for (const id of serviceIds(data, subject)) {
    const { lines, keysIn } = data.memo('remap.config.edge', `${id}/${key}`, (data) =>
      edgeBlock({ data, render, warn }, id, edge),
    )
    if (keysIn && !data.has('parameters', 'profileFile', `${subject.profileId}/${keysIn}`)) {
      warnOfKeys(context, id)
      continue
    }
    const block: string[] = []
    for (const { from, text } of lines) {
      if (taken.has(from)) warnOfDuplicate(context, id, from)
      else block.push(fillHost(text, subject.hostName))
      taken.add(from)
    }
    if (block.length > 0) blocks.push(block)
  }
  return blocks.sort(byFirstLine).flat()
}

const byFirstLine = ([a = '']: readonly string[], [b = '']: readonly string[]) => (a < b ? -1 : 1)

function warnOfDuplicate({ data, warn, subject }: CompileContext<'servers'>, id: number, from: string): void {
  const service = data.get('deliveryServices', id)
  if (!service) return
  const text = `${fillHost(from, subject.hostName)} is already mapped; it is left out for ${service.xmlId}`
  warn('duplicate-map', serviceRef(service), text)
}

function warnOfKeys({ data, warn }: CompileContext<'servers'>, id: number): void {
  const service = data.get('deliveryServices', id)
  const text = `${service?.xmlId} is to be signed but has no keys; it is left out`
  if (service) warn('key-missing', serviceRef(service), text)
}

/** One line for each origin; the service with the lowest id decides. */
function midLines(context: CompileContext<'servers'>): string[] {
  const { data, subject, render, warn } = context
  const mid = midClass(data, subject)
  const byOrigin = new Map<string, MidBlock>()
  for (const id of serviceIds(data, subject)) {
    const block = data.memo('remap.config.mid', `${id}/${mid.version}/${mid.topTier}`, (data) =>
      midBlock({ data, render, warn }, id, mid),
    )
    if (!block) continue
    const first = byOrigin.get(block.from)
    if (first && first.plugins !== block.plugins) {
      const service = data.get('deliveryServices', id)
      const text = `another service has the origin ${block.from} with different settings; those win`
      if (service) warn('duplicate-origin', serviceRef(service), text)
    }
    if (!first?.text) byOrigin.set(block.from, block)
  }
  return [...byOrigin.values()].flatMap(({ text }) => text ?? []).sort()
}
