import { noSuch } from '../../config/errors.js'
import type { Transaction } from '../../journal/transaction.js'
import { atOnce, isDryRun, rehearsed } from '../../operations/dryRun.js'
import type { Calling, RequestInput, Result } from '../../operations/endpoint.js'
import type { Data } from '../../schema/data.js'
import { findOne } from '../../schema/data.js'
import { mustReachTenant } from '../../schema/privileges.js'
import type { Records } from '../../schema/records.js'

/** The delivery service whose keys are asked for, by its xml id; within the caller's tenants. */
export function serviceNamed(
  data: Data,
  { user }: RequestInput,
  xmlId: string | undefined,
): Records['deliveryServices'] {
  const service = findOne(data, 'deliveryServices', 'xmlId', xmlId ?? '')
  if (!service) throw noSuch('deliveryservice', xmlId ?? '')
  mustReachTenant(data, user, service.tenantId)
  return service
}

/** Nobody on the way keeps an answer that holds keys, nor does this service. */
export const unkept = { 'cache-control': 'no-store' } as const

/** Commits what was prepared outside of the decision, as a handler that only writes would. */
export async function commit(
  input: RequestInput,
  { committer }: Pick<Calling, 'committer'>,
  decide: (transaction: Transaction) => Result,
): Promise<Result> {
  if (isDryRun(input)) return rehearsed(committer, input, atOnce(decide))
  const { value, revision } = await committer.write(input, decide)
  return { ...value, headers: { ...value.headers, ...wroteAt(revision) } }
}

export const wroteAt = (revision: number) => ({ 'x-edgewright-revision': String(revision) })
