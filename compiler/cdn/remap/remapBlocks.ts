import type { CompileContext } from '../../core/defineFile.js'
import type { Reader } from '../../core/reader.js'
import type { DeliveryService, Server } from '../../data/model.js'
import { hostHole, originAuthority, originOf, originUrl, requestHosts } from '../hosts.js'
import { cacheServerVersion } from '../parameters.js'
import { serviceFiles } from '../serviceFiles.js'
import { hasOrigin, isDns, isFileSafe, serviceRef, typeName, usesMids } from '../services.js'
import { isTopTier } from '../topology.js'
import type { EdgeFacts } from './remapPlugins.js'
import { edgeItems, midItems, modernVersion, rawText } from './remapPlugins.js'

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

export interface RemapRow {
  /** What requests are told apart by; two lines with the same one are refused by the cache server. */
  readonly from: string
  readonly to: string
  /** Plugins and raw text, laid out. */
  readonly plugins: string
  readonly xmlId: string
}

export type Making = Pick<CompileContext, 'data' | 'render' | 'warn'>

/** The lines of one service, as they are kept: laid out. */
export interface EdgeBlock {
  readonly serviceId: number
  readonly text: string
  /** Whether `text` has a `hostHole`. */
  readonly hasHole: boolean
  /** What the requests of each line are told apart by. */
  readonly froms: readonly string[]
  /** A signed service without stored keys: the file that has to have them as parameters of the server's profile. */
  readonly keysIn: string | null
}

/** The same before it is laid out. */
interface EdgeLines extends Pick<EdgeBlock, 'keysIn'> {
  readonly template: string
  readonly rows: readonly RemapRow[]
}

/** A service's lines on an edge, with `hostHole` for the name of the edge (config-files.md §4.1, §4.4). */
export function edgeBlock(making: Making, serviceId: number, edge: EdgeClass): EdgeBlock | null {
  const lines = edgeLines(making, serviceId, edge)
  if (!lines) return null
  const { template, rows, keysIn } = lines
  const text = making.render(template, { rows })
  return { serviceId, text, hasHole: text.includes(hostHole), froms: rows.map(({ from }) => from), keysIn }
}

/** Those of a service's lines that `isFree` lets through, laid out. */
export function edgeLinesWhere(
  making: Making,
  serviceId: number,
  edge: EdgeClass,
  isFree: (from: string) => boolean,
): string {
  const lines = edgeLines(making, serviceId, edge)
  return lines ? making.render(lines.template, { rows: lines.rows.filter(({ from }) => isFree(from)) }) : ''
}

function edgeLines(making: Making, serviceId: number, edge: EdgeClass): EdgeLines | null {
  const { data, render } = making
  const service = data.get('deliveryServices', serviceId)
  if (!service) return null
  const type = typeName(data, service.typeId)
  if (type === 'ANY_MAP') return rawLines(making, service)
  const treatment = edgeTreatment(making, service, edge)
  if (!treatment) return null
  const { hosts, items, origin, keysIn } = treatment
  const modern = edge.version >= modernVersion
  const betweenCaches = modern && usesMids(type) && !edge.topTier
  const to = `${betweenCaches ? `http://${originAuthority(origin)}` : originUrl(origin)}/`
  const plugins = render('remap.config.plugins', { items })
  const rows: RemapRow[] = []
  for (const { name, literal } of hosts) {
    const ported = !isDns(type) && (modern || !literal)
    for (const scheme of schemes(service.protocol)) {
      const from = `${scheme}://${name}${ported ? portSuffix(scheme, edge) : ''}/`
      rows.push({ from, to, plugins, xmlId: service.xmlId })
    }
  }
  return { template: modern ? 'remap.config.map' : 'remap.config.edge.7', rows, keysIn }
}

/** The files that an edge's lines of a service name, below the config directory. */
export function edgeFiles(making: Pick<CompileContext, 'data' | 'warn'>, serviceId: number, edge: EdgeClass) {
  const service = making.data.get('deliveryServices', serviceId)
  const treatment = service && edgeTreatment(making, service, edge)
  const files = treatment?.items.flatMap(({ file }) => file ?? []) ?? []
  return { files, keysIn: treatment?.keysIn ?? null }
}

/** What an edge does with the requests for a service; `null` when it cannot serve it. */
function edgeTreatment(making: Pick<CompileContext, 'data' | 'warn'>, service: DeliveryService, edge: EdgeClass) {
  const { data, warn } = making
  const type = typeName(data, service.typeId)
  if (!hasOrigin(type)) return null
  const origin = originOf(service, making)
  const hosts = requestHosts(data, service, type, making)
  if (!origin || hosts.length === 0 || !named(making, service)) return null
  const unkeyed = isUnkeyed(data, service)
  if (unkeyed && service.signingAlgorithm !== 'url_sig') {
    warn('key-missing', serviceRef(service), `${service.xmlId} is to be signed but has no keys; it is left out`)
    return null
  }
  if (service.qstringIgnore === 2 && origin.port !== null && !edge.ownDropQstring) {
    const text = `the default rule of drop_qstring.config loses port ${origin.port} of the origin of ${service.xmlId}`
    warn('drop-qstring-port', serviceRef(service), text)
  }
  const items = edgeItems({ data, warn, service, type, version: edge.version }, edge)
  return { hosts, items, origin, keysIn: unkeyed ? serviceFiles(service.xmlId).urlSig : null }
}

/** Without its keys a signed service's line would name a file that does not exist, and nothing would be served. */
function isUnkeyed(data: Reader, { id, signingAlgorithm }: DeliveryService): boolean {
  if (signingAlgorithm === 'url_sig') return data.get('urlSigKeys', id) === undefined
  return signingAlgorithm === 'uri_signing' && data.get('uriSigningKeys', id) === undefined
}

/** A service that is nothing but its raw text: once, whatever regexes it has, as a repeated rule is refused. */
function rawLines({ warn }: Making, service: DeliveryService): EdgeLines | null {
  const plugins = rawText(service, { warn })
  if (plugins === '') return null
  const from = /^map\s+(\S+)/.exec(plugins)?.[1] ?? plugins
  return { template: 'remap.config.raw', rows: [{ from, to: '', plugins, xmlId: service.xmlId }], keysIn: null }
}

function named({ warn }: Pick<CompileContext, 'warn'>, service: DeliveryService): boolean {
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
  readonly serviceId: number
  /** The URL edges ask for. */
  readonly from: string
  /** What is done with it, as text; empty when nothing is. */
  readonly plugins: string
  /** The line laid out, or `null` when forwarding does the same. */
  readonly text: string | null
}

/** What a mid does for a service's origin (§4.2); no block for services that do not pass through mids. */
export function midBlock(making: Making, serviceId: number, mid: MidClass): MidBlock | null {
  const { render } = making
  const treatment = midTreatment(making, serviceId, mid)
  if (!treatment) return null
  const { service, origin, items } = treatment
  const modern = mid.version >= modernVersion
  const between = `http://${originAuthority(origin)}`
  const from = modern ? between : originUrl(origin)
  const to = modern && !mid.topTier ? between : originUrl(origin)
  const plugins = render('remap.config.plugins', { items })
  const template = modern ? 'remap.config.map' : 'remap.config.mid.7'
  const text =
    plugins === '' && from === to ? null : render(template, { rows: [{ from, to, plugins, xmlId: service.xmlId }] })
  return { serviceId, from, plugins, text }
}

/** The files that a mid's line of a service may name. */
export function midFiles(making: Pick<CompileContext, 'data' | 'warn'>, serviceId: number, mid: MidClass): string[] {
  return midTreatment(making, serviceId, mid)?.items.flatMap(({ file }) => file ?? []) ?? []
}

function midTreatment(making: Pick<CompileContext, 'data' | 'warn'>, serviceId: number, mid: MidClass) {
  const { data, warn } = making
  const service = data.get('deliveryServices', serviceId)
  const type = service ? typeName(data, service.typeId) : ''
  if (!service || !hasOrigin(type) || !usesMids(type)) return null
  const origin = originOf(service, making)
  if (!origin || !named(making, service)) return null
  return { service, origin, items: midItems({ data, warn, service, type, version: mid.version }) }
}

/** The facts about an edge that its lines depend on. */
export function edgeClass(data: Reader, server: Server): EdgeClass {
  const has = (configFile: string, name: string) =>
    data
      .by('parameters', 'profileFile', `${server.profileId}/${configFile}`)
      .some((parameter) => parameter.name === name)
  return {
    version: cacheServerVersion(data, server.profileId),
    tcpPort: server.tcpPort ?? 0,
    httpsPort: server.httpsPort ?? 0,
    topTier: isTopTier(data, server.cachegroupId),
    dscpRemap: has('package', 'dscp_remap'),
    globalCacheurl: has('cacheurl.config', 'location'),
    ownDropQstring: has('drop_qstring.config', 'content'),
  }
}

export function midClass(data: Reader, server: Server): MidClass {
  return { version: cacheServerVersion(data, server.profileId), topTier: isTopTier(data, server.cachegroupId) }
}
