import { invalid } from '../../config/errors.js'
import type { Plan } from '../../journal/plan.js'
import type { Records } from '../../schema/records.js'

/** Which server carries which delivery service, changed from either side. */

export function assign(plan: Plan, serverId: number, added: readonly number[]): void {
  const had = plan.data.get('deliveryServiceServers', serverId)?.deliveryServices ?? []
  const fresh = added.filter((id) => !had.includes(id))
  if (fresh.length > 0) setServices(plan, serverId, [...had, ...fresh])
}

export function unassign(plan: Plan, serverId: number, removed: readonly number[]): void {
  const had = plan.data.get('deliveryServiceServers', serverId)?.deliveryServices ?? []
  const kept = had.filter((id) => !removed.includes(id))
  if (kept.length < had.length) setServices(plan, serverId, kept)
}

/** Makes exactly these servers carry a delivery service, a server a step. */
export function* replaceServers(
  plan: Plan,
  service: Records['deliveryServices'],
  serverIds: readonly number[],
): Generator<void, void> {
  const wanted = new Set(serverIds)
  for (const id of [...plan.data.ids('deliveryServiceServers', 'deliveryServices', service.id)]) {
    if (!wanted.has(id)) unassign(plan, id, [service.id])
    yield
  }
  for (const id of serverIds) {
    assign(plan, id, [service.id])
    yield
  }
}

function setServices(plan: Plan, serverId: number, services: readonly number[]): void {
  const deliveryServices = [...new Set(services)].sort((a, b) => a - b)
  const known = plan.data.get('deliveryServiceServers', serverId) !== undefined
  if (known && deliveryServices.length === 0) {
    plan.remove('deliveryServiceServers', serverId)
    return
  }
  const { row, faults } = known
    ? plan.amend('deliveryServiceServers', serverId, { deliveryServices })
    : plan.attempt('deliveryServiceServers', { deliveryServices }, serverId)
  if (!row) throw invalid(faults)
}
