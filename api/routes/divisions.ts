import { list, read } from './crud/readRoutes.js'
import { defineResource } from './crud/resource.js'
import { create, remove, update } from './crud/routes.js'

export default defineResource('divisions', {
  routes: [
    list('/divisions', { role: 'any' }),
    read('/divisions/:id', { role: 'any' }),
    read('/divisions/name/:name', { role: 'any', by: 'name', param: 'name' }),
    create('/divisions', { role: 'oper', text: () => 'Division creation was successful.' }),
    update('/divisions/:id', { role: 'oper', text: () => 'Division update was successful.' }),
    remove('/divisions/:id', { role: 'oper', text: () => 'Division deleted.' }),
    remove('/divisions/name/:name', { role: 'oper', by: 'name', param: 'name', text: () => 'Division deleted.' }),
  ],
})
