import { create, list, read, remove, update } from '../../routes/crud/routes.js'
import { optional, text } from '../../schema/fields.js'
import { defineResource } from '../defineKind.js'

export const fields = {
  name: text({ unique: true, pattern: '^[A-Za-z0-9._-]+$' }),
  description: optional(text({ max: 1024 })),
}

export default defineResource({
  kind: 'statuses',
  label: 'status',
  key: 'name',
  fields,
  routes: [
    list('/statuses', { role: 'any', filters: { description: 'description' } }),
    read('/statuses/:id', { role: 'any' }),
    create('/statuses', { role: 'oper' }),
    update('/statuses/:id', { role: 'oper' }),
    remove('/statuses/:id', { role: 'oper' }),
  ],
})
