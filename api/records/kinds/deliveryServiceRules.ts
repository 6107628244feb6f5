import { serviceFiles } from '../../../compiler/cdn/serviceFiles.js'
import { hasOrigin } from '../../../compiler/cdn/services.js'
import { catalogue } from '../../../compiler/listing/configFiles.js'
import type { Fault } from '../../config/errors.js'
import type { Data } from '../../schema/data.js'
import type { RecordOf } from '../../schema/fields.js'
import type { fields } from '../../schema/kinds/deliveryServices.js'
import type { Caller } from '../../schema/privileges.js'
import { needed, typeOf } from '../rules.js'
import { hostRegexes, othersHosts, othersHostsRenamed } from './hostClaims.js'
import { isOriginUrl } from './primaryOrigin.js'
import { unfitHost } from './serviceHosts.js'

export type DeliveryService = RecordOf<typeof fields>

const withOrigin = [
  'protocol',
  'missLat',
  'missLong',
  'orgServerFqdn',
  'qstringIgnore',
  'rangeRequestHandling',
] as const

/** What a delivery service of a type must say beside what all of them must (beyond.md §3.2). */
export function requiredFor(type: string): readonly (keyof typeof fields)[] {
  if (type.startsWith('HTTP')) return [...withOrigin, 'initialDispersion']
  if (hasOrigin(type)) return withOrigin
  return type.endsWith('STEERING') ? ['protocol'] : []
}

interface Change {
  readonly before: DeliveryService | null
  readonly after: DeliveryService
  readonly data: Data
  readonly user: Caller
}

export const rules: readonly ((change: Change) => Iterable<Fault>)[] = [
  ({ after, data }) => typeOf('deliveryservice', after, data),
  ({ after }) => needed(after, 'tenantId'),
  ({ after, data }) => needed(after, ...requiredFor(data.get('types', after.typeId)?.name ?? '')),
  ({ after }) => originParts(after),
  ({ before, after, data }) => (before ? [] : distinctFiles(after, data)),
  function* name({ before, after }) {
    if (before && before.xmlId !== after.xmlId) {
      yield { path: 'xmlId', text: 'A deliveryservice xmlId is immutable.' }
    }
  },
  function* typeChanged({ before, after, data }) {
    if (!before || before.typeId === after.typeId) return
    if (!data.has('steeringTargets', 'deliveryServiceId', after.id)) return
    const type = data.get('types', after.typeId)?.name ?? ''
    if (!type.endsWith('STEERING')) yield { path: 'typeId', text: `typeId: ${before.xmlId} has targets to steer to` }
  },
  function* cdnChanged({ before, after, data }) {
    if (!before || before.cdnId === after.cdnId) return
    if (data.has('deliveryServiceServers', 'deliveryServices', after.id)) {
      yield { path: 'cdnId', text: 'cdnId: servers of the present CDN carry the delivery service' }
    }
  },
  ({ before, after, data }) => (before ? nameable(before, after, data) : []),
  ({ before, after, data, user }) => (before ? foreignHosts(before, after, { data, user }) : []),
]

/** Whoever writes: the primary origin has its parts. */
function* originParts({ orgServerFqdn: url }: DeliveryService): Iterable<Fault> {
  if (url !== null && !isOriginUrl(url)) {
    yield { path: 'orgServerFqdn', text: 'orgServerFqdn must be a scheme, a host and perhaps a port' }
  }
  const port = /:(\d+)$/.exec(url ?? '')?.[1]
  if (port !== undefined && (Number(port) < 1 || Number(port) > 65_535)) {
    yield { path: 'orgServerFqdn', text: 'orgServerFqdn: the port must be between 1 and 65535' }
  }
}

/** Its hosts stay names that clients can ask for; of a new one each pattern is looked at by itself. */
function* nameable(before: DeliveryService, after: DeliveryService, data: Data): Iterable<Fault> {
  const path = (['protocol', 'routingName', 'cdnId'] as const).find((field) => before[field] !== after[field])
  if (path === undefined) return
  const patterns = hostRegexes(after.id, data)
  const fault = unfitHost(after, patterns, data)
  if (fault !== null && unfitHost(before, patterns, data) === null) yield { path, text: `${path}: ${fault}` }
}

/** The pattern of a new one is looked at by itself. */
function* foreignHosts(
  before: DeliveryService,
  after: DeliveryService,
  asking: { data: Data; user: Caller },
): Iterable<Fault> {
  if (before.cdnId !== after.cdnId) {
    const fault = othersHosts(after, hostRegexes(after.id, asking.data), asking)
    if (fault !== null) yield { path: 'cdnId', text: `cdnId: ${fault}`, status: 409 }
  } else if (before.routingName !== after.routingName) {
    const fault = othersHostsRenamed(before, after, asking)
    if (fault !== null) yield { path: 'routingName', text: `routingName: ${fault}`, status: 409 }
  }
}

/**
 * `hdr_rw_mid_x.config` is what mids do for x, and what edges do for a service called mid_x; `cacheurl_qstring.config` is
 * no service's.
 */
function* distinctFiles({ xmlId }: DeliveryService, data: Data): Iterable<Fault> {
  const fixed = Object.values(serviceFiles(xmlId)).find(isNamedExactly)
  if (fixed) yield { path: 'xmlId', text: `xmlId: ${xmlId} would have the file ${fixed}, which is no service's` }
  const alike = [`mid_${xmlId}`, ...(xmlId.startsWith('mid_') ? [xmlId.slice('mid_'.length)] : [])]
  const other = alike.find((name) => data.has('deliveryServices', 'xmlId', name))
  if (other) yield { path: 'xmlId', text: `xmlId: ${xmlId} and ${other} would share names of files`, status: 409 }
}

/** Whether a definition has the very name, rather than a pattern with a delivery service in it. */
const isNamedExactly = (file: string): boolean => catalogue.resolve(file)?.definition.name === file
