import { cdnRoutes } from './cdnRoutes.js'
import { list, read } from './crud/readRoutes.js'
import { defineResource } from './crud/resource.js'
import { create, remove, update } from './crud/routes.js'
import { queueCdn } from './servers/queueUpdateRoutes.js'

const byName = { by: 'name', param: 'name' } as const

export default defineResource('cdns', {
  routes: [
    list('/cdns', { role: 'any', filters: { domainName: 'domainName', dnssecEnabled: 'dnssecEnabled' } }),
    read('/cdns/:id', { role: 'any' }),
    read('/cdns/name/:name', { role: 'any', ...byName }),
    create('/cdns', { role: 'oper' }),
    update('/cdns/:id', { role: 'oper' }),
    remove('/cdns/:id', { role: 'oper' }),
    remove('/cdns/name/:name', { role: 'oper', ...byName }),
    queueCdn,
    ...cdnRoutes,
  ],
})
