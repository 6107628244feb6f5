import { type CompileContext, serverFile } from '../define.js'
import { fillHost } from '../hosts.js'
import type { Server } from '../model.js'
import { cacheServerVersion } from '../parameters.js'
import { type EdgeClass, edgeBlock, type MidBlock, midBlock } from '../remapBlocks.js'
import { isMid, serviceIds, serviceRef, typeName } from '../services.js'
import { isTopTier } from '../topology.js'

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
  const edge = edgeClass(context)
  const key = Object.values(edge).join()
  const taken = new Set<string>()
  const blocks: string[][] = []
  for (const id of serviceIds(data, subject)) {
    const lines = data.memo('remap.config.edge', `${id}/${key}`, (data) => edgeBlock({ data, render, warn }, id, edge))
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

function edgeClass({ data, subject }: CompileContext<'servers'>): EdgeClass {
  const { profileId, cachegroupId, tcpPort, httpsPort } = subject
  return {
    version: cacheServerVersion(data, profileId),
    tcpPort: tcpPort ?? 0,
    httpsPort: httpsPort ?? 0,
    topTier: isTopTier(data, cachegroupId),
    dscpRemap: hasParameter({ data, subject }, 'package', 'dscp_remap'),
    globalCacheurl: hasParameter({ data, subject }, 'cacheurl.config', 'location'),
    ownDropQstring: hasParameter({ data, subject }, 'drop_qstring.config', 'content'),
  }
}

function hasParameter(
  { data, subject }: Pick<CompileContext<'servers'>, 'data'> & { subject: Server },
  configFile: string,
  name: string,
): boolean {
  const parameters = data.by('parameters', 'profileFile', `${subject.profileId}/${configFile}`)
  return parameters.some((parameter) => parameter.name === name)
}

function warnOfDuplicate({ data, warn, subject }: CompileContext<'servers'>, id: number, from: string): void {
  const service = data.get('deliveryServices', id)
  if (!service) return
  const text = `${fillHost(from, subject.hostName)} is already mapped; it is left out for ${service.xmlId}`
  warn('duplicate-map', serviceRef(service), text)
}

/** One line for each origin; the service with the lowest id decides. */
function midLines(context: CompileContext<'servers'>): string[] {
  const { data, subject, render, warn } = context
  const mid = {
    version: cacheServerVersion(data, subject.profileId),
    topTier: isTopTier(data, subject.cachegroupId),
  }
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
