import { noSuch } from '../../config/errors.js'
import type { Plan } from '../../journal/plan.js'
import { atOnce, isDryRun, rehearsed } from '../../operations/dryRun.js'
import type { Answer, Asked, Calling } from '../../operations/endpoint.js'
import type { Data } from '../../schema/data.js'
import { one } from '../../schema/data.js'
import { mustReachTenant } from '../../schema/privileges.js'
import type { Records } from '../../schema/records.js'

/** The delivery service whose keys are asked for, by its xml id; within the caller's tenants. */
export function serviceNamed(data: Data, { user }: Asked, xmlId: string | undefined): Records['deliveryServices'] {
  const service = one(data, 'deliveryServices', 'xmlId', xmlId ?? '')
  if (!service) throw noSuch('deliveryservice', xmlId ?? '')
  mustReachTenant(data, user, service.tenantId)
  return service
}

/** Nobody on the way keeps an answer that holds keys, nor does this service. */
export const unkept = { 'cache-control': 'no-store' } as const

/** Commits what was prepared outside of the decision, as a handler that only writes would. */
export async function commit(
  asked: Asked,
  { committer }: Pick<Calling, 'committer'>,
  decide: (plan: Plan) => Answer,
): Promise<Answer> {
  if (isDryRun(asked)) return rehearsed(committer, asked, atOnce(decide))
  const { value, revision } = await committer.write(asked, decide)
  return { ...value, headers: { ...value.headers, ...wroteAt(revision) } }
}

export const wroteAt = (revision: number) => ({ 'x-edgewright-revision': String(revision) })
