import { Type } from '@sinclair/typebox'
import { list } from '../crud/readRoutes.js'
import { defineResource } from '../crud/resource.js'
import { create, remove, update } from '../crud/routes.js'

export default defineResource('roles', {
  legacy: { numbers: ['privLevel'] },
  shown: { capabilities: Type.Array(Type.String()), capabilityNames: null },
  present: {
    '1.3': ({ capabilityNames, ...role }) => ({ ...role, capabilities: capabilityNames }),
  },
  routes: [
    list('/roles', { role: 'any', filters: { privLevel: 'privLevel' } }),
    create('/roles', { role: 'admin', reach: 'root' }),
    update('/roles', { role: 'admin', reach: 'root' }),
    remove('/roles', { role: 'admin', reach: 'root' }),
  ],
})
