import { list, read } from './crud/readRoutes.js'
import { defineResource } from './crud/resource.js'
import { create, remove, update } from './crud/routes.js'

export default defineResource('statuses', {
  routes: [
    list('/statuses', { role: 'any', filters: { description: 'description' } }),
    read('/statuses/:id', { role: 'any' }),
    create('/statuses', { role: 'oper' }),
    update('/statuses/:id', { role: 'oper' }),
    remove('/statuses/:id', { role: 'oper' }),
  ],
})
