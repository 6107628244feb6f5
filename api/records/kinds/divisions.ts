import { create, list, read, remove, update } from '../../routes/crud/routes.js'
import { text } from '../../schema/fields.js'
import { defineResource } from '../defineKind.js'

export const fields = { name: text({ unique: true }) }

export default defineResource({
  kind: 'divisions',
  label: 'division',
  key: 'name',
  fields,
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
