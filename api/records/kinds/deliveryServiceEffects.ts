import { hasOrigin } from '../../../compiler/cdn/services.js'
import type { Plan } from '../../journal/plan.js'
import type { Data } from '../../schema/data.js'
import { one } from '../../schema/data.js'
import type { DeliveryService } from './deliveryServiceRules.js'
import { originFields } from './primaryOrigin.js'
import { lacksLocations, removeLocations, syncLocations } from './serviceLocations.js'

/** What goes with a delivery service: a pattern for its host names, a primary origin, the places of its files. */
export function effects(
  plan: Plan,
  { before, after }: { before: DeliveryService | null; after: DeliveryService | null },
): void {
  if (!after) {
    if (before) removeLocations(plan, before)
    return
  }
  if (!before) addPattern(plan, after)
  if (before?.orgServerFqdn !== after.orgServerFqdn) followOrigin(plan, after)
  if (before && before.tenantId !== after.tenantId) takeOriginsAlong(plan, before, after)
  // Another CDN has other mids.
  if (before && before.cdnId !== after.cdnId) removeLocations(plan, before)
  syncLocations(plan, after)
}

/** Origins of the tenant that had the service go with it; those that were given to another stay there. */
function takeOriginsAlong(plan: Plan, before: DeliveryService, { id, tenantId }: DeliveryService): void {
  for (const origin of [...plan.data.by('origins', 'deliveryServiceId', id)]) {
    if (origin.tenantId === before.tenantId) plan.update('origins', origin.id, { tenantId })
  }
}

/** Written by hand, an import document may leave to the service what the service can add. */
export const incomplete = (service: DeliveryService, data: Data): boolean =>
  !data.has('deliveryServiceRegexes', 'deliveryServiceId', service.id) ||
  (service.orgServerFqdn !== null && !data.has('origins', 'primaryOf', service.id)) ||
  lacksLocations(service, data)

function addPattern(plan: Plan, { id, xmlId }: DeliveryService): void {
  const { data } = plan
  const hostRegexp = one(data, 'types', 'name', 'HOST_REGEXP')
  if (!hostRegexp || data.has('deliveryServiceRegexes', 'deliveryServiceId', id)) return
  const pattern = `.*\\.${xmlId}\\..*`
  plan.create('deliveryServiceRegexes', { deliveryServiceId: id, typeId: hostRegexp.id, pattern, setNumber: 0 })
}

/** The primary origin says the same as the delivery service, in parts. */
function followOrigin(plan: Plan, { id, xmlId, orgServerFqdn, tenantId, typeId }: DeliveryService): void {
  const { data } = plan
  const primary = one(data, 'origins', 'primaryOf', id)
  if (orgServerFqdn === null) {
    const type = data.get('types', typeId)?.name ?? ''
    if (primary && !hasOrigin(type)) plan.remove('origins', primary.id)
    return
  }
  if (primary) {
    plan.update('origins', primary.id, originFields(orgServerFqdn))
    return
  }
  plan.create('origins', {
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
