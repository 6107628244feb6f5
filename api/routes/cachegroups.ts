import { list, read, trimmed } from './crud/readRoutes.js'
import { defineResource } from './crud/resource.js'
import { create, remove, update } from './crud/routes.js'
import { parameterRoutes } from './parameters/cachegroupParameterRoutes.js'
import { queueCachegroup } from './servers/queueUpdateRoutes.js'

export default defineResource('cachegroups', {
  writeResponse: (row) => ({
    ...row,
    parentCachegroup: row.parentCachegroupName,
    secondaryParentCachegroup: row.secondaryParentCachegroupName,
  }),
  routes: [
    list('/cachegroups', { role: 'any', filters: { type: 'typeId', typeId: 'typeId', shortName: 'shortName' } }),
    trimmed('/cachegroups/trimmed', { role: 'any' }),
    read('/cachegroups/:id', { role: 'any' }),
    create('/cachegroups', { role: 'oper', text: ({ name }) => `Cachegroup successfully created: ${name}` }),
    update('/cachegroups/:id', { role: 'oper', text: ({ name }) => `Cachegroup was updated: ${name}` }),
    remove('/cachegroups/:id', { role: 'oper', text: ({ name }) => `Cachegroup was deleted: ${name}` }),
    ...parameterRoutes,
    queueCachegroup,
  ],
})
