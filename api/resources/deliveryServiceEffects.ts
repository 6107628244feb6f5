import { one } from '../data.js'
import type { Plan } from '../plan.js'
import type { DeliveryService } from './deliveryServiceRules.js'
import { originFields } from './primaryOrigin.js'
import { removeLocations } from './serviceLocations.js'

/** What always goes with a delivery service, whoever writes it: its primary origin follows, its files go with it. */
export function effects(
  plan: Plan,
  { before, after }: { before: DeliveryService | null; after: DeliveryService | null },
): void {
  if (before && !after) removeLocations(plan, before)
  if (!before || !after || before.orgServerFqdn === after.orgServerFqdn || after.orgServerFqdn === null) return
  const primary = one(plan.data, 'origins', 'primaryOf', after.id)
  if (primary) plan.update('origins', primary.id, originFields(after.orgServerFqdn))
}
