import { hasOrigin } from '../../../compiler/cdn/services.js'
import type { Transaction } from '../../journal/transaction.js'
import type { Data, Kind } from '../../schema/data.js'
import { findOne } from '../../schema/data.js'
import type { DeliveryService } from './deliveryServiceRules.js'
import { originFields } from './primaryOrigin.js'
import { lacksLocations, neededLocations, removeLocations, syncLocations } from './serviceLocations.js'

/** What goes with a delivery service: a pattern for its host names, a primary origin, the places of its files. */
export function effects(
  transaction: Transaction,
  { before, after }: { before: DeliveryService | null; after: DeliveryService | null },
): void {
  if (!after) {
    if (before) removeLocations(transaction, before)
    return
  }
  if (!before) addPattern(transaction, after)
  if (before?.orgServerFqdn !== after.orgServerFqdn) followOrigin(transaction, after)
  if (before && before.tenantId !== after.tenantId) takeOriginsAlong(transaction, before, after)
  // Another CDN has other mids.
  if (before && before.cdnId !== after.cdnId) removeLocations(transaction, before)
  syncLocations(transaction, after)
}

/** Origins of the tenant that had the service go with it; those that were given to another stay there. */
function takeOriginsAlong(transaction: Transaction, before: DeliveryService, { id, tenantId }: DeliveryService): void {
  for (const origin of [...transaction.data.by('origins', 'deliveryServiceId', id)]) {
    if (origin.tenantId === before.tenantId) transaction.update('origins', origin.id, { tenantId })
  }
}

/** Written by hand, an import document may leave to the service what the service can add. */
export const incomplete = (service: DeliveryService, data: Data): boolean =>
  !data.has('deliveryServiceRegexes', 'deliveryServiceId', service.id) ||
  (service.orgServerFqdn !== null && !data.has('origins', 'primaryOf', service.id)) ||
  lacksLocations(service, data)

/** What a document that is the whole of it may leave to the service all the same. */
export function* implied(service: DeliveryService, data: Data): Iterable<readonly [kind: Kind, id: number]> {
  const [pattern, another] = data.by('deliveryServiceRegexes', 'deliveryServiceId', service.id)
  if (pattern && !another && pattern.pattern === patternOf(service)) yield ['deliveryServiceRegexes', pattern.id]
  if (service.orgServerFqdn !== null) {
    for (const id of data.ids('origins', 'primaryOf', service.id)) yield ['origins', id]
  }
  for (const id of neededLocations(service, data)) yield ['parameters', id]
}

/** What a new one answers. */
export const patternOf = ({ xmlId }: Pick<DeliveryService, 'xmlId'>): string => `.*\\.${xmlId}\\..*`

function addPattern(transaction: Transaction, { id, xmlId }: DeliveryService): void {
  const { data } = transaction
  const hostRegexp = findOne(data, 'types', 'name', 'HOST_REGEXP')
  if (!hostRegexp || data.has('deliveryServiceRegexes', 'deliveryServiceId', id)) return
  const pattern = patternOf({ xmlId })
  transaction.create('deliveryServiceRegexes', { deliveryServiceId: id, typeId: hostRegexp.id, pattern, setNumber: 0 })
}

/** The primary origin says the same as the delivery service, in parts. */
function followOrigin(transaction: Transaction, { id, xmlId, orgServerFqdn, tenantId, typeId }: DeliveryService): void {
  const { data } = transaction
  const primary = findOne(data, 'origins', 'primaryOf', id)
  if (orgServerFqdn === null) {
    const type = data.get('types', typeId)?.name ?? ''
    if (primary && !hasOrigin(type)) transaction.remove('origins', primary.id)
    return
  }
  if (primary) {
    transaction.update('origins', primary.id, originFields(orgServerFqdn))
    return
  }
  transaction.create('origins', {
    name: data.has('origins', 'name', xmlId) ? `${xmlId}-${id}` : xmlId,
    deliveryServiceId: id,
    tenantId,
    isPrimary: true,
    ipAddress: null,
    ip6Address: null,
    cachegroupId: null,
    coordinateId: null,
    profileId: null,
    ...originFields(orgServerFqdn),
  })
}
