import { list } from './crud/readRoutes.js'
import { defineResource } from './crud/resource.js'
import { create, remove, update } from './crud/routes.js'

export default defineResource('coordinates', {
  legacy: { numbers: ['id', 'latitude', 'longitude'] },
  routes: [
    list('/coordinates', { role: 'any' }),
    create('/coordinates', { role: 'oper' }),
    update('/coordinates', { role: 'oper' }),
    remove('/coordinates', { role: 'oper' }),
  ],
})
