import { drained } from '../flow/slices.js'
import type { Transaction } from '../journal/transaction.js'
import type { Data } from '../schema/data.js'
import type { Records } from '../schema/records.js'

/**
 * A queued update is a revision, not a flag. Queueing sets `desired` to the revision of the entry that queues;
 * an acknowledgement raises `applied` to what the cache had fetched, so it can never clear an update that was
 * queued after that. Pending is what was desired and not applied.
 */
type Updates = Records['serverUpdates']
export type Wanted = 'config' | 'revalidation'

const none: Omit<Updates, 'id' | 'lastUpdated'> = {
  desired: 0,
  applied: 0,
  revalDesired: 0,
  revalApplied: 0,
  lastResult: null,
  lastMessage: null,
  lastAt: null,
}

export const updatesOf = (data: Data, serverId: number) => data.get('serverUpdates', serverId) ?? none

/** Whether the server has configuration to fetch. */
export function isPending(data: Data, serverId: number): boolean {
  const { desired, applied } = updatesOf(data, serverId)
  return desired > applied
}

/** Whether the server has invalidation rules to fetch. */
export function isRevalPending(data: Data, serverId: number): boolean {
  const { revalDesired, revalApplied } = updatesOf(data, serverId)
  return revalDesired > revalApplied
}

export const queue = (...given: Parameters<typeof queueInSteps>): void => drained(queueInSteps(...given))

/** The same, a server a step. */
export function* queueInSteps(
  transaction: Transaction,
  serverIds: readonly number[],
  wanted: Wanted = 'config',
): Generator<void, void> {
  const field = wanted === 'config' ? 'desired' : 'revalDesired'
  for (const id of serverIds) {
    change(transaction, id, { [field]: transaction.revision })
    yield
  }
}

/** Takes a queued update back. */
export const dequeue = (...given: Parameters<typeof dequeueInSteps>): void => drained(dequeueInSteps(...given))

/** The same, a server a step. */
export function* dequeueInSteps(
  transaction: Transaction,
  serverIds: readonly number[],
  wanted: Wanted = 'config',
): Generator<void, void> {
  for (const id of serverIds) {
    yield
    const { desired, applied, revalDesired, revalApplied } = updatesOf(transaction.data, id)
    if (wanted === 'config' && desired > applied) change(transaction, id, { desired: applied })
    if (wanted === 'revalidation' && revalDesired > revalApplied)
      change(transaction, id, { revalDesired: revalApplied })
  }
}

/**
 * A cache says what it applied.
 * @param revision what it had fetched, or a revision that is not newer (updateReads.ts)
 */
export function acknowledge(
  transaction: Transaction,
  serverId: number,
  { applied, revision }: { applied: readonly Wanted[]; revision: number },
): void {
  const before = updatesOf(transaction.data, serverId)
  // Nobody can have fetched what is not yet written.
  const fetched = Math.min(revision, transaction.revision - 1)
  change(transaction, serverId, {
    ...(applied.includes('config') ? { applied: Math.max(before.applied, fetched) } : {}),
    ...(applied.includes('revalidation') ? { revalApplied: Math.max(before.revalApplied, fetched) } : {}),
    lastResult: 'applied',
    lastMessage: null,
    lastAt: transaction.time,
  })
}

/** A cache could not apply what it fetched: the update stays pending. */
export function reportFailure(transaction: Transaction, serverId: number, message: string): void {
  change(transaction, serverId, { lastResult: 'failed', lastMessage: message, lastAt: transaction.time })
}

function change(transaction: Transaction, id: number, values: Partial<typeof none>): void {
  if (transaction.data.get('serverUpdates', id)) transaction.update('serverUpdates', id, values)
  else transaction.create('serverUpdates', { ...none, ...values }, id)
}
