import type { ChangeContext } from '../../journal/recordKind.js'
import type { Data } from '../../schema/data.js'
import type { RecordOf } from '../../schema/fields.js'
import type { fields } from '../../schema/kinds/tenants.js'
import { reachesTenant } from '../../schema/privileges.js'
import { defineBehaviour } from '../defineBehaviour.js'
import { loops } from '../rules.js'

export type Tenant = RecordOf<typeof fields>

/** Deep enough for every organisation; keeps walks up the tree short (beyond.md §3.1). */
export const deepest = 100

export default defineBehaviour('tenants', {
  rules,
  tenant: nearestActive,
  *deleteGuard(tenant) {
    if (tenant.parentId === null) yield { path: '', text: 'The root tenant cannot be deleted.', status: 409 as const }
  },
})

function* rules({ before, after, data, user }: ChangeContext<Tenant>) {
  if (after.parentId === null) {
    const others = data.all('tenants').some(({ id, parentId }) => parentId === null && id !== after.id)
    if (others) yield { path: 'parentId', text: 'parentId is required' }
    if (!after.active) yield { path: 'active', text: 'active: the root tenant cannot be inactive' }
    return
  }
  if (before && before.parentId === null) yield { path: 'parentId', text: 'parentId: the root tenant has no parent' }
  // Who reaches a tenant could otherwise take it out of the reach of those above.
  if (before && before.parentId !== after.parentId && !reachesTenant(data, user, after.parentId)) {
    yield { path: 'parentId', text: 'parentId: the tenant is not available to the user', status: 403 as const }
  }
  const parentOf = (id: number) => data.get('tenants', id)?.parentId ?? null
  if (loops(after.id, after.parentId, parentOf, deepest)) {
    yield { path: 'parentId', text: `parentId: a tenant cannot be below itself, nor deeper than ${deepest} levels` }
  }
}

/** An inactive tenant is seen and mended by whoever reaches the nearest active one above it. */
function nearestActive(tenant: Tenant, data: Data): number {
  let at: { id: number; active: boolean; parentId: number | null } = tenant
  for (let depth = 0; !at.active && at.parentId !== null && depth <= deepest; depth++) {
    const parent = data.get('tenants', at.parentId)
    if (!parent) break
    at = parent
  }
  return at.id
}
