import { requestHost } from '../../../compiler/cdn/hosts.js'
import type { Data } from '../../schema/data.js'
import type { Caller } from '../../schema/privileges.js'
import { reachesTenant, system } from '../../schema/privileges.js'
import type { Records } from '../../schema/records.js'
import { typeId } from '../rules.js'
import { urlsOf } from './exampleUrls.js'
import type { HostPattern } from './hostPatterns.js'
import { hostPattern, hostsNamed, sameText } from './hostPatterns.js'

type Service = Pick<Records['deliveryServices'], 'id' | 'cdnId' | 'routingName'>
type Regex = Records['deliveryServiceRegexes']

/** A pattern of a delivery service and the names it is written for. */
interface Claim {
  /** As `sameText` has it. */
  readonly text: string
  /** `null`: it cannot be tested. */
  readonly pattern: HostPattern | null
  readonly hosts: readonly string[]
}

/** The type of the regexes by which routers know whose host it is that they are asked for. */
const hostType = (data: Data): number | undefined => typeId(data, 'HOST_REGEXP')

export const isHostRegex = (regex: Pick<Regex, 'typeId'>, data: Data): boolean => regex.typeId === hostType(data)

/** The host regexes of a delivery service. */
export const hostRegexes = (serviceId: number, data: Data, type = hostType(data)): readonly Regex[] =>
  data.by('deliveryServiceRegexes', 'deliveryServiceId', serviceId).filter(({ typeId }) => typeId === type)

/**
 * Why a delivery service may not have these host regexes, `null` when nothing is against it: routers of its CDN would
 * send it the users of a service whose tenant the caller does not reach, or send its users there. Services of tenants
 * within reach may overlap: a snapshot is refused as long as they do.
 */
export function othersHosts(service: Service, regexes: readonly Regex[], asking: Asking): string | null {
  if (isFree(asking.user) || regexes.length === 0) return null
  const domainName = domainOf(service, asking)
  const others = othersClaims(service, domainName, asking)
  if (others.length === 0) return null
  const own = regexes.map((regex) => claimOf(regex, service.routingName, domainName))
  const questions = others.reduce((count, { hosts }) => count + hosts.length, 0)
  for (const { pattern } of own) {
    if (!pattern) return 'it has constructs that cannot be tested against the hosts of other tenants'
    if (pattern.size > 1 && pattern.size * questions > mostSteps)
      return 'it is too large to be tested against the hosts of other tenants'
  }
  return own.some((claim) => others.some((other) => meet(claim, other, domainName))) ? notApart : null
}

/** The same for another routing name, which only adds to the hosts the patterns were written for. */
export function othersHostsRenamed(before: Service, after: Service, asking: Asking): string | null {
  if (isFree(asking.user)) return null
  const domainName = domainOf(after, asking)
  const hostsOf = ({ routingName }: Service) =>
    hostRegexes(after.id, asking.data).flatMap((regex) => claimOf(regex, routingName, domainName).hosts)
  const had = new Set(hostsOf(before))
  const added = hostsOf(after).filter((host) => !had.has(host))
  return othersClaims(after, domainName, asking).some((other) => holdsOneOf(other, added, domainName)) ? notApart : null
}

interface Asking {
  readonly data: Data
  readonly user: Caller
}

const isFree = (user: Caller): boolean => user === system || user.ofRoot

const domainOf = ({ cdnId }: Service, { data }: Asking): string => data.get('cdns', cdnId)?.domainName ?? ''

const notApart = 'its hosts and those of a delivery service of another tenant on this CDN are not kept apart'

/** Bounds the work of one write: some tens of milliseconds. */
const mostSteps = 1_000_000

function othersClaims({ id, cdnId }: Service, domainName: string, { data, user }: Asking): Claim[] {
  const reached = new Map<number | null, boolean>()
  const isReached = (tenantId: number | null) => {
    const known = reached.get(tenantId) ?? reachesTenant(data, user, tenantId)
    reached.set(tenantId, known)
    return known
  }
  const type = hostType(data)
  return data
    .by('deliveryServices', 'cdnId', cdnId)
    .filter((service) => service.id !== id && !isReached(service.tenantId))
    .flatMap((service) =>
      hostRegexes(service.id, data, type).map((regex) => claimOf(regex, service.routingName, domainName)),
    )
}

/** Records are never edited: what was made of one holds as long as it is there. */
const claims = new WeakMap<Regex, Claim & { readonly routingName: string; readonly domainName: string }>()

function claimOf(regex: Regex, routingName: string, domainName: string): Claim {
  const known = claims.get(regex)
  if (known?.routingName === routingName && known.domainName === domainName) return known
  const { text, pattern } = known ?? { text: sameText(regex.pattern), pattern: hostPattern(regex.pattern) }
  const named = pattern ? hostsNamed(regex.pattern, pattern, { routingName, domainName }) : []
  // The usual ones are to everybody what they match.
  const isUsual = pattern !== null && pattern.below !== null
  const hosts = isUsual ? named : [...new Set([...named, ...hostsServed(regex, { routingName, domainName })])]
  const claim = { text, pattern, hosts, routingName, domainName }
  claims.set(regex, claim)
  return claim
}

/**
 * The names for which caches and certificates take the pattern, whatever it matches: they leave out of it what is none of
 * the letters of a name, so that `new\s` is `news` to them. Either type of service, for that may change.
 */
function hostsServed(regex: Regex, { routingName, domainName }: { routingName: string; domainName: string }): string[] {
  const entries = urlsOf({ routingName, protocol: 0 }, [regex], domainName).map((url) => url.slice('http://'.length))
  const asked = [routingName, 'cache'].flatMap((first) => requestHost(regex.pattern, first, domainName)?.name ?? [])
  return [...entries, ...asked].map((host) => host.toLowerCase()).filter((host) => /^[\w-]+(?:\.[\w-]+)+$/.test(host))
}

function meet(own: Claim, other: Claim, domainName: string): boolean {
  if (own.text === other.text) return true
  if (own.pattern && other.hosts.some(own.pattern.matches)) return true
  if (own.hosts.some((host) => other.hosts.includes(host))) return true
  return holdsOneOf(other, own.hosts, domainName)
}

/** A pattern for every host, as that of a default service may be, keeps nobody from having some. */
const holdsOneOf = ({ pattern }: Claim, hosts: readonly string[], domainName: string): boolean =>
  pattern !== null && hosts.some(pattern.matches) && !pattern.matches(`nobodys-host.nobodys-service.${domainName}`)
