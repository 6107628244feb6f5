import { same } from '../../compiler/data/kindTable.js'
import type { Fault } from '../config/errors.js'
import type { Data, Kind } from '../schema/data.js'
import type { Row } from '../schema/defineKind.js'
import type { Caller } from '../schema/privileges.js'
import { system } from '../schema/privileges.js'
import type { RecordKinds } from './kinds.js'
import type { RecordKind } from './recordKind.js'
import type { Changed } from './tenancy.js'
import { isOthers } from './tenancy.js'

/**
 * Records that belong to nobody are everybody's to run: operators of any tenant change machines, profiles and
 * parameters, as the interface has it. But by some fields of some of them (`defines`) a record of a tenant is what it is:
 * which hosts a delivery service answers, what its patterns are for. Whoever changes one of these must reach all tenants
 * whose records stand on it, or they would take by it what they may not write.
 */
export function foundationFaults(
  resource: RecordKind,
  { before, after }: Changed,
  { data, catalogue, user }: { data: Data; catalogue: RecordKinds; user: Caller },
): Fault[] {
  if (!before || !after || user === system || user.ofRoot) return []
  const changed = (resource.defines ?? []).filter((field) => !same(before[field], after[field]))
  if (changed.length === 0) return []
  const referrer = catalogue.referrers(resource.kind).find(
    ({ resource: other, field }) =>
      // An id that is another's, too, is of a kind that has its own wall.
      field !== 'id' &&
      data.by(other.kind as Kind, field, before.id).some((row) => isOthers(other, row as Row, { data, user })),
  )
  if (!referrer) return []
  const of = `${referrer.resource.kind} of other tenants`
  return changed.map((path) => ({
    path,
    text: `${path}: the ${resource.label} is used by ${of}`,
    status: 403 as const,
  }))
}
