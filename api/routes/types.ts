import { list, read, trimmed } from './crud/readRoutes.js'
import { defineResource } from './crud/resource.js'
import { create, remove, update } from './crud/routes.js'

export default defineResource('types', {
  routes: [
    list('/types', { role: 'any', filters: { useInTable: 'useInTable' } }),
    trimmed('/types/trimmed', { role: 'any' }),
    read('/types/:id', { role: 'any' }),
    create('/types', { role: 'oper' }),
    update('/types/:id', { role: 'oper' }),
    remove('/types/:id', { role: 'oper' }),
  ],
})
