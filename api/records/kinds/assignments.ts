import { invalid } from '../../config/errors.js'
import type { Transaction } from '../../journal/transaction.js'
import type { Records } from '../../schema/records.js'

/** Which server carries which delivery service, changed from either side. */

export function assign(transaction: Transaction, serverId: number, added: readonly number[]): void {
  const had = transaction.data.get('deliveryServiceServers', serverId)?.deliveryServices ?? []
  const fresh = added.filter((id) => !had.includes(id))
  if (fresh.length > 0) setServices(transaction, serverId, [...had, ...fresh])
}

export function unassign(transaction: Transaction, serverId: number, removed: readonly number[]): void {
  const had = transaction.data.get('deliveryServiceServers', serverId)?.deliveryServices ?? []
  const kept = had.filter((id) => !removed.includes(id))
  if (kept.length < had.length) setServices(transaction, serverId, kept)
}

/** Makes exactly these servers carry a delivery service, a server a step. */
export function* replaceServers(
  transaction: Transaction,
  service: Records['deliveryServices'],
  serverIds: readonly number[],
): Generator<void, void> {
  const wanted = new Set(serverIds)
  for (const id of [...transaction.data.ids('deliveryServiceServers', 'deliveryServices', service.id)]) {
    if (!wanted.has(id)) unassign(transaction, id, [service.id])
    yield
  }
  for (const id of serverIds) {
    assign(transaction, id, [service.id])
    yield
  }
}

function setServices(transaction: Transaction, serverId: number, services: readonly number[]): void {
  const deliveryServices = [...new Set(services)].sort((a, b) => a - b)
  const known = transaction.data.get('deliveryServiceServers', serverId) !== undefined
  if (known && deliveryServices.length === 0) {
    transaction.remove('deliveryServiceServers', serverId)
    return
  }
  const { row, faults } = known
    ? transaction.tryUpdate('deliveryServiceServers', serverId, { deliveryServices })
    : transaction.tryCreate('deliveryServiceServers', { deliveryServices }, serverId)
  if (!row) throw invalid(faults)
}
