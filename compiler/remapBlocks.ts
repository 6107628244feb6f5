import type { CompileContext } from './define.js'
import { originAuthority, originOf, originUrl, requestHosts } from './hosts.js'
import type { DeliveryService } from './model.js'
import { type EdgeFacts, edgeItems, midItems, modernVersion, rawText } from './remapPlugins.js'
import { hasOrigin, isDns, isFileSafe, serviceRef, typeName, usesMids } from './services.js'

/** What a service's lines depend on beside the data: facts that many servers share. */
export interface EdgeClass extends EdgeFacts {
  readonly version: number
  readonly tcpPort: number
  readonly httpsPort: number
  /** The edge's cache group has no caches above it. */
  readonly topTier: boolean
  /** The profile has its own rule in drop_qstring.config. */
  readonly ownDropQstring: boolean
}

export interface MidClass {
  readonly version: number
  readonly topTier: boolean
}

export interface RemapLine {
  /** What requests are told apart by; two lines with the same one are refused by the cache server. */
  readonly from: string
  readonly text: string
}

export type Making = Pick<CompileContext, 'data' | 'render' | 'warn'>

/** A service's lines on an edge, with `hostHole` for the name of the edge (config-files.md §4.1, §4.4). */
export function edgeBlock(making: Making, serviceId: number, edge: EdgeClass): readonly RemapLine[] {
  const { data, warn, render } = making
  const service = data.get('deliveryServices', serviceId)
  if (!service) return []
  const type = typeName(data, service.typeId)
  if (type === 'ANY_MAP') return rawLine(making, service)
  if (!hasOrigin(type)) return []
  const origin = originOf(service, making)
  const hosts = requestHosts(data, service, type, making)
  if (!origin || !named(making, service)) return []
  if (service.qstringIgnore === 2 && origin.port !== null && !edge.ownDropQstring) {
    const text = `the default rule of drop_qstring.config loses port ${origin.port} of the origin of ${service.xmlId}`
    warn('drop-qstring-port', serviceRef(service), text)
  }
  const modern = edge.version >= modernVersion
  const betweenCaches = modern && usesMids(type) && !edge.topTier
  const to = `${originUrl(betweenCaches ? { ...origin, scheme: 'http' } : origin)}/`
  const items = edgeItems({ data, warn, service, type, version: edge.version }, edge)
  const plugins = render('remap.config.plugins', { items })
  const template = modern ? 'remap.config.map' : 'remap.config.edge.7'
  return hosts.flatMap(({ name, literal }) =>
    schemes(service.protocol).map((scheme) => {
      const ported = !isDns(type) && (modern || !literal)
      const from = `${scheme}://${name}${ported ? portSuffix(scheme, edge) : ''}/`
      return { from, text: render(template, { from, to, plugins, xmlId: service.xmlId }) }
    }),
  )
}

/** A service that is nothing but its raw text: once, whatever regexes it has, as a repeated rule is refused. */
function rawLine({ warn }: Making, service: DeliveryService): readonly RemapLine[] {
  const text = rawText(service, { warn })
  const from = /^map\s+(\S+)/.exec(text)?.[1] ?? text
  return text === '' ? [] : [{ from, text }]
}

function named({ warn }: Making, service: DeliveryService): boolean {
  if (isFileSafe(service.xmlId)) return true
  warn('value-ignored', serviceRef(service), 'a delivery service whose xml id cannot name a file is left out')
  return false
}

/** 3 means that routers redirect to https, so the cache only sees that. */
function schemes(protocol: number | null): readonly ('http' | 'https')[] {
  if (protocol === 1 || protocol === 3) return ['https']
  return protocol === 2 ? ['http', 'https'] : ['http']
}

function portSuffix(scheme: 'http' | 'https', { tcpPort, httpsPort }: EdgeClass): string {
  const [port, standard] = scheme === 'http' ? [tcpPort, 80] : [httpsPort, 443]
  return port > 0 && port !== standard ? `:${port}` : ''
}

export interface MidBlock {
  /** The URL edges ask for. */
  readonly from: string
  /** What is done with it, as text; empty when nothing is. */
  readonly plugins: string
  /** The line, or `null` when forwarding does the same. */
  readonly text: string | null
}

/** What a mid does for a service's origin (§4.2); no block for services that do not pass through mids. */
export function midBlock(making: Making, serviceId: number, mid: MidClass): MidBlock | null {
  const { data, warn, render } = making
  const service = data.get('deliveryServices', serviceId)
  if (!service) return null
  const type = typeName(data, service.typeId)
  if (!hasOrigin(type) || !usesMids(type)) return null
  const origin = originOf(service, making)
  if (!origin || !named(making, service)) return null
  const modern = mid.version >= modernVersion
  const between = `http://${originAuthority(origin)}`
  const from = modern ? between : originUrl(origin)
  const to = modern && !mid.topTier ? between : originUrl(origin)
  const items = midItems({ data, warn, service, type, version: mid.version })
  const plugins = render('remap.config.plugins', { items })
  const template = modern ? 'remap.config.map' : 'remap.config.mid.7'
  const text = plugins === '' && from === to ? null : render(template, { from, to, plugins, xmlId: service.xmlId })
  return { from, plugins, text }
}
