import { Type } from '@sinclair/typebox'
import { zonedTime } from '../../config/times.js'
import { isPending, isRevalPending, updatesOf } from '../../operations/updates.js'
import type { Data } from '../../schema/data.js'
import type { Records } from '../../schema/records.js'
import { usesRevalPending } from '../jobRoutes.js'

type Server = Records['servers']

/**
 * What is pending on a server and, where caches wait for those above them, on its parents (beyond.md §1.8). Booleans
 * are real ones: agents compare them with a number. Revisions and the last result are for operators.
 */
export function updateStatus(server: Server, data: Data, withParents: boolean) {
  const { desired, applied, revalDesired, revalApplied, lastResult, lastMessage, lastAt } = updatesOf(data, server.id)
  const parents = withParents ? parentsOf(server, data) : []
  return {
    host_name: server.hostName,
    host_id: server.id,
    status: data.get('statuses', server.statusId)!.name,
    upd_pending: isPending(data, server.id),
    reval_pending: isRevalPending(data, server.id),
    use_reval_pending: usesRevalPending(data),
    parent_pending: parents.some(({ id }) => isPending(data, id)),
    parent_reval_pending: parents.some(({ id }) => isRevalPending(data, id)),
    desired_revision: desired,
    applied_revision: applied,
    reval_desired_revision: revalDesired,
    reval_applied_revision: revalApplied,
    last_result: lastResult,
    last_message: lastMessage,
    last_time: lastAt === null ? null : zonedTime(lastAt),
  }
}

const orNull = <T extends ReturnType<typeof Type.String>>(type: T) => Type.Union([type, Type.Null()])

/** The shape of it, for OpenAPI. */
export const updateStatusSchema = Type.Object({
  host_name: Type.String(),
  host_id: Type.Integer(),
  status: Type.String(),
  upd_pending: Type.Boolean(),
  reval_pending: Type.Boolean(),
  use_reval_pending: Type.Boolean(),
  parent_pending: Type.Boolean(),
  parent_reval_pending: Type.Boolean(),
  desired_revision: Type.Integer(),
  applied_revision: Type.Integer(),
  reval_desired_revision: Type.Integer(),
  reval_applied_revision: Type.Integer(),
  last_result: orNull(Type.String()),
  last_message: orNull(Type.String()),
  last_time: orNull(Type.String()),
})

/** Of an edge: the servers of its CDN in its primary parent cache group that are not out of service. */
function parentsOf({ typeId, cachegroupId, cdnId }: Server, data: Data): readonly Server[] {
  if (!data.get('types', typeId)?.name.startsWith('EDGE')) return []
  const group = data.get('cachegroups', cachegroupId)?.parentCachegroupId ?? null
  if (group === null) return []
  const [offline] = data.ids('statuses', 'name', 'OFFLINE')
  return data
    .by('servers', 'cachegroupId', group)
    .filter((parent) => parent.cdnId === cdnId && parent.statusId !== offline)
}
