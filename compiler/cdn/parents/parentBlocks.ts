import type { CompileContext } from '../../core/defineFile.js'
import type { DeliveryService } from '../../data/model.js'
import type { Origin } from '../hosts.js'
import { isAddress, originOf, originPort } from '../hosts.js'
import { modernVersion } from '../remap/remapPlugins.js'
import { hasOrigin, serviceRef, typeName, usesMids } from '../services.js'
import { isWord } from '../text.js'
import type { Parent, ParentGroups, Parents } from '../topology.js'
import { originServers } from '../topology.js'
import type { ParentSettings } from './parentSettings.js'
import { algorithms, parentSettings } from './parentSettings.js'

/** What a service's line depends on, beside the data, on a cache with caches above it. */
export interface ChildClass {
  readonly version: number
  readonly tier: 'first' | 'inner'
  readonly hasParents: boolean
  readonly hasSecondary: boolean
  /** The server profile's `psel.qstring_handling`, which goes before the service's. */
  readonly qstringHandling: string | null
}

/** The same on a cache that faces the origins. */
export interface TopClass extends ParentGroups {
  readonly version: number
  readonly cdnId: number
  readonly onMid: boolean
  /** The server profile's `algorithm`. */
  readonly algorithm: string | null
}

export interface ParentBlock {
  readonly serviceId: number
  readonly xmlId: string
  /** Host and port, by which the cache server finds the line. */
  readonly origin: string
  readonly text: string
  /** Whether `text` has a `parentHole`. */
  readonly hasHole: boolean
}

type Making = Pick<CompileContext, 'data' | 'render' | 'warn'>

/** Stands in a line for the parent caches, which are the same for all lines of a cache. */
export const parentHole = '\0'

/** A service's line on a cache with caches above it (config-files.md §5.3, §5.5), with `parentHole`. */
export function childBlock(making: Making, serviceId: number, child: ChildClass): ParentBlock | null {
  const { data, render } = making
  const service = data.get('deliveryServices', serviceId)
  if (!service) return null
  const type = typeName(data, service.typeId)
  const found = hasOrigin(type) ? originOf(service, making) : null
  if (!found) return null
  const direct = !usesMids(type)
  if (!direct && !child.hasParents) return null
  if (direct && child.tier === 'inner') return null
  const settings = parentSettings(making, service, direct ? 'last' : child.tier)
  const qstring = childQstring(making, service, child.qstringHandling ?? settings.qstringHandling)
  if (child.version < modernVersion) {
    const view = { host: found.host, port: originPort(found), parents: parentHole, qstring }
    return block(service, found, render(direct ? 'parent.config.direct.7' : 'parent.config.child.7', view))
  }
  // Between caches everything is plain http (§4.4).
  const origin: Origin = direct ? found : { scheme: 'http', host: found.host, port: found.port }
  const view = {
    key: keyOf(origin),
    host: origin.host,
    port: originPort(origin),
    parents: direct ? ownParents(render, origin) : parentHole,
    secondaryMode: !direct && child.hasSecondary ? secondaryMode(settings) : null,
    algorithm: settings.algorithm,
    goDirect: false,
    qstring,
    isProxy: !direct,
    retry: modernRetry(settings, child.version),
  }
  return block(service, origin, render('parent.config.line', view))
}

/** The origin as its own parent, for a service without caches in between. */
function ownParents(render: Making['render'], origin: Origin): string {
  return render('parent.config.parents', { primary: `${origin.host}:${originPort(origin)}|0.999`, secondary: '' })
}

function childQstring({ warn }: Making, service: DeliveryService, wanted: string | null): string {
  if (wanted === 'consider' || wanted === 'ignore') return wanted
  if (wanted !== null) {
    const text = `psel.qstring_handling is neither consider nor ignore; qstringIgnore of ${service.xmlId} decides`
    warn('value-ignored', serviceRef(service), text)
  }
  return (service.qstringIgnore ?? 0) === 0 ? 'consider' : 'ignore'
}

/** A service's line on a cache that faces the origins; none when it simply goes to its origin (§5.4, §5.5). */
export function originBlock(making: Making, serviceId: number, top: TopClass): ParentBlock | null {
  const { data } = making
  const service = data.get('deliveryServices', serviceId)
  if (!service || !(service.originShield || service.multiSiteOrigin)) return null
  const type = typeName(data, service.typeId)
  if (!hasOrigin(type) || (top.onMid && !usesMids(type))) return null
  const origin = originOf(service, making)
  if (!origin) return null
  const text = service.originShield
    ? shieldLine(making, service, origin, top)
    : multiSiteLine(making, service, origin, top)
  return text === null ? null : block(service, origin, text)
}

function shieldLine({ render, warn }: Making, service: DeliveryService, origin: Origin, top: TopClass): string | null {
  const shield = (service.originShield ?? '').trim().replace(/^"(.*)"$/, '$1')
  if (!/^[A-Za-z0-9.:_|;,[\]-]+$/.test(shield) || !isWord(shield)) {
    warn('value-ignored', serviceRef(service), `the origin shield of ${service.xmlId} is not a list of host:port`)
    return null
  }
  const algorithm = top.algorithm && !algorithms.includes(top.algorithm) ? 'consistent_hash' : top.algorithm
  if (top.version < modernVersion) {
    return render('parent.config.shield.7', { host: origin.host, port: originPort(origin), shield, algorithm })
  }
  return render('parent.config.line', {
    key: keyOf(origin),
    host: origin.host,
    port: originPort(origin),
    parents: render('parent.config.parents', { primary: shield, secondary: '' }),
    secondaryMode: null,
    algorithm: algorithm ?? 'consistent_hash',
    goDirect: true,
    qstring: (service.qstringIgnore ?? 0) === 0 ? 'consider' : 'ignore',
    isProxy: true,
    retry: null,
  })
}

function multiSiteLine(making: Making, service: DeliveryService, origin: Origin, top: TopClass): string | null {
  const { render, warn } = making
  const parents = originServers(making, top.cdnId, service.id, top)
  if (parents.primary.length === 0) {
    const text = `${service.xmlId} has several origins, but none of its origin servers is in use`
    warn('no-parents', serviceRef(service), text)
    return null
  }
  const settings = parentSettings(making, service, 'last')
  const { algorithm } = settings
  const twoLists = algorithm === 'consistent_hash' && top.version >= 6
  const primary = twoLists ? parents.primary : everyParent(parents)
  const secondary = twoLists ? [...parents.secondary, ...parents.other] : []
  const hashes = algorithm === 'consistent_hash' && (service.qstringIgnore ?? 0) === 0
  const wanted = settings.qstringHandling
  if (top.version < modernVersion) {
    return render('parent.config.origins.7', {
      host: origin.host,
      port: originPort(origin),
      primary: primary.map(weighted),
      secondary: secondary.map(weighted),
      algorithm,
      qstring: hashes && wanted === null ? 'consider' : 'ignore',
      retry: top.version >= 6 ? legacyRetry(settings) : null,
    })
  }
  return render('parent.config.line', {
    key: keyOf(origin),
    host: origin.host,
    port: originPort(origin),
    parents: render('parent.config.parents', { primary: joined(primary), secondary: joined(secondary) }),
    secondaryMode: secondary.length > 0 ? secondaryMode(settings) : null,
    algorithm,
    goDirect: false,
    qstring: wanted === 'consider' || wanted === 'ignore' ? wanted : hashes ? 'consider' : 'ignore',
    isProxy: false,
    retry: modernRetry(settings, top.version),
  })
}

const everyParent = ({ primary, secondary, other }: Parents) => [...primary, ...secondary, ...other]

function block(service: DeliveryService, origin: Origin, text: string): ParentBlock {
  const key = `${origin.host}:${originPort(origin)}`
  return { serviceId: service.id, xmlId: service.xmlId, origin: key, text, hasHole: text.includes(parentHole) }
}

/** How a line's `host` is to be taken. */
const keyOf = ({ host }: Origin) => (isAddress(host) ? 'dest_ip' : 'dest_domain')

/** 1 takes primary and secondary parents in turns, 2 tries every primary first. */
const secondaryMode = ({ exhaustPrimaries }: ParentSettings) => (exhaustPrimaries ? 2 : 1)

/** The weight as its parameter has it (§5.1). */
export const weighted = ({ authority, weight }: Parent): string => `${authority}|${weight}`

/** As newer versions of the field write it: the weight as the shortest number (§5.5). */
export const joined = (parents: readonly Parent[]): string =>
  parents.map(({ authority, weight }) => `${authority}|${Number(weight)}`).join(';')

/** Version 9 warns of a list that the kind of retry has no use for, and twice of a missing one; so both are named. */
function modernRetry({ retry }: ParentSettings, version: number) {
  if (!retry) return null
  const unquoted = (codes: string | null, fallback: string) => codes?.replaceAll('"', '') || fallback
  return {
    ...retry,
    simple: version >= 9 ? unquoted(retry.simple, '404') : null,
    unavailable: unquoted(retry.unavailable, '503'),
  }
}

/** The field's older text takes the answers only with their quotes and if there are at least two (§5.4). */
function legacyRetry({ retry }: ParentSettings) {
  if (!retry) return null
  const { unavailable } = retry
  return { ...retry, unavailable: unavailable && /^"\d{3}(,\d{3})+"$/.test(unavailable) ? unavailable : null }
}
