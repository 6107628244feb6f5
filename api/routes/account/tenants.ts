import { deepest } from '../../records/kinds/tenants.js'
import type { Data } from '../../schema/data.js'
import { list, read } from '../crud/readRoutes.js'
import { defineResource } from '../crud/resource.js'
import { create, remove, update } from '../crud/routes.js'

export default defineResource('tenants', {
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
