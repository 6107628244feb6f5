import type { CompileContext } from '../core/defineFile.js'
import type { Reader } from '../core/reader.js'
import { one } from '../core/reader.js'
import type { DeliveryService } from '../data/model.js'
import { isDns, serviceRef } from './services.js'
import { isMarked, isWord, oneLine } from './text.js'

export interface Origin {
  readonly scheme: 'http' | 'https'
  readonly host: string
  /** The port the URL names; `null` when it leaves it to the scheme. */
  readonly port: number | null
}

/** The origin of a delivery service in its parts; `null`, and noted, when there is none that a cache could use. */
export function originOf(service: DeliveryService, { warn }: Pick<CompileContext, 'warn'>): Origin | null {
  if (service.orgServerFqdn === null || service.orgServerFqdn === '') {
    warn('service-without-origin', serviceRef(service), `${service.xmlId} has no origin`)
    return null
  }
  const parts = urlParts.exec(service.orgServerFqdn)
  const port = parts?.[3] === undefined ? null : Number(parts[3])
  if (!parts || isMarked(parts[2]!) || (port !== null && (port < 1 || port > 65535))) {
    warn('value-ignored', serviceRef(service), `the origin of ${service.xmlId} is not scheme://host[:port]`)
    return null
  }
  return { scheme: parts[1] as Origin['scheme'], host: parts[2]!, port }
}

const urlParts = /^(https?):\/\/([A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(?::(\d{1,5}))?\/?$/

export const originPort = ({ scheme, port }: Origin): number => port ?? (scheme === 'https' ? 443 : 80)

export const originAuthority = ({ host, port }: Origin): string => (port === null ? host : `${host}:${port}`)

export const originUrl = (origin: Origin): string => `${origin.scheme}://${originAuthority(origin)}`

/** Whether a host is an address rather than a name. */
export const isAddress = (host: string): boolean => host.startsWith('[') || /^\d+(\.\d+){3}$/.test(host)

/**
 * Stands for the host name of the cache in text that many caches share. No cleaned value holds a NUL,
 * so nothing else can be taken for it.
 */
export const hostHole = '\0'

/** Text with its holes filled by the cache's host name. */
export function fillHost(text: string, hostName: string): string {
  return text.includes(hostHole) ? text.replaceAll(hostHole, safeHostName(hostName)) : text
}

/** A host name reduced to what may stand in a URL. */
export function safeHostName(hostName: string): string {
  const safe = oneLine(hostName).replace(/[^A-Za-z0-9._-]/g, '')
  return safe === '' || !isWord(safe) ? 'unnamed' : safe
}

export interface RequestHost {
  /** The name clients ask for, with `hostHole` where the cache's own name stands. */
  readonly name: string
  /** Whether the pattern was a whole name rather than `.*\.x\..*`. */
  readonly literal: boolean
}

/** The names under which clients ask a cache for a delivery service, one per host regex, in set order (§4.1). */
export function requestHosts(
  data: Reader,
  service: DeliveryService,
  type: string,
  { warn }: Pick<CompileContext, 'warn'>,
): RequestHost[] {
  const hostRegexp = one(data, 'types', 'name', 'HOST_REGEXP')?.id
  const domain = data.get('cdns', service.cdnId)?.domainName ?? ''
  const ofService = data.by('deliveryServiceRegexes', 'deliveryServiceId', service.id)
  const regexes = ofService.filter(({ typeId }) => typeId === hostRegexp)
  if (regexes.length > 1) regexes.sort((a, b) => a.setNumber - b.setNumber || a.id - b.id)
  if (regexes.length === 0) {
    warn('service-without-regex', serviceRef(service), `${service.xmlId} has no host regex`)
  }
  const first = isDns(type) ? service.routingName : hostHole
  const hosts: RequestHost[] = []
  for (const { pattern } of regexes) {
    const host = requestHost(pattern, first, domain)
    if (host) hosts.push(host)
    else {
      const text = `no host name can be made from the host regex ${JSON.stringify(pattern)} of ${service.xmlId}`
      warn('value-ignored', serviceRef(service), text)
    }
  }
  return hosts
}

/** The name that a pattern is taken for, with `first` where its wildcard stands; `null` for what can be none. */
export function requestHost(pattern: string, first: string, domain: string): RequestHost | null {
  const literal = !pattern.endsWith('.*')
  const name = literal ? pattern.replaceAll('\\.', '.') : `${first}${barePattern(pattern)}${domain}`
  return isHostName(name) ? { name, literal } : null
}

/** Without escapes and wildcards; a blank, which no name has, if nothing is left. `.*\.x\..*`, the usual, goes faster. */
function barePattern(pattern: string): string {
  if (usualPattern.test(pattern)) return `.${pattern.slice(4, -4)}.`
  return pattern.replaceAll('\\', '').replaceAll('.*', '') || ' '
}

const usualPattern = /^\.\*\\\.[\w-]+\\\.\.\*$/

/** Letters of host names, at most after a hole. */
function isHostName(name: string): boolean {
  const rest = name.startsWith(hostHole) ? name.slice(hostHole.length) : name
  return /^[A-Za-z0-9._-]+$/.test(rest) && !isMarked(rest)
}
