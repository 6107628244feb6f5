import { create, list, read, remove, update } from '../../routes/crud/routes.js'
import type { Data } from '../../schema/data.js'
import { flag, optional, type RecordOf, ref, text } from '../../schema/fields.js'
import { reachesTenant } from '../../schema/privileges.js'
import { type ChangeContext, defineResource } from '../defineKind.js'
import { loops } from '../rules.js'

export const fields = {
  name: text({ unique: true }),
  active: flag({ fallback: false }),
  parentId: optional(ref('tenants', { as: ['parentName'] })),
}

type Tenant = RecordOf<typeof fields>

/** Deep enough for every organisation; keeps walks up the tree short (beyond.md §3.1). */
const deepest = 100

export default defineResource({
  kind: 'tenants',
  label: 'tenant',
  key: 'name',
  fields,
  rules,
  tenant: nearestActive,
  *keeps(tenant) {
    if (tenant.parentId === null) yield { path: '', text: 'The root tenant cannot be deleted.', status: 409 as const }
  },
  legacy: { numbers: ['id', 'parentId'] },
  routes: [
    list('/tenants', {
      role: 'any',
      filters: { active: 'active', parent_id: 'parentId', parentId: 'parentId' },
      sort: inTreeOrder,
    }),
    read('/tenants/:id', { role: 'any' }),
    create('/tenants', { role: 'oper', text: () => 'Tenant create was successful.' }),
    update('/tenants/:id', { role: 'oper', text: () => 'Tenant update was successful.' }),
    remove('/tenants/:id', { role: 'oper', text: () => 'Tenant deleted.' }),
  ],
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

/** Parents before their children, siblings by name. */
function inTreeOrder<R extends { id: number }>(rows: readonly R[], data: Data): R[] {
  const pathOf = (id: number): string => {
    const names: string[] = []
    let at = data.get('tenants', id)
    for (let depth = 0; at && depth <= deepest; depth++) {
      names.unshift(at.name)
      at = at.parentId === null ? undefined : data.get('tenants', at.parentId)
    }
    return names.join('\u0000')
  }
  const keyed = rows.map((row) => ({ row, path: pathOf(row.id) }))
  return keyed.sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0)).map(({ row }) => row)
}
