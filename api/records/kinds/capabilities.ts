import { create, list, read, remove, update } from '../../routes/crud/routes.js'
import { text } from '../../schema/fields.js'
import { defineResource } from '../defineKind.js'

export const fields = {
  name: text({ unique: true, pattern: '^[A-Za-z0-9._-]+$', kept: true }),
  description: text({ max: 1024 }),
}

const byName = { by: 'name', param: 'name' } as const

export default defineResource({
  kind: 'capabilities',
  label: 'capability',
  key: 'name',
  fields,
  present: {
    '1.1': ({ name, description, lastUpdated }) => ({ name, description, lastUpdated }),
  },
  written: ({ name, description, lastUpdated }) => ({ name, description, lastUpdated }),
  routes: [
    list('/capabilities', { role: 'any' }),
    read('/capabilities/:name', { role: 'any', ...byName }),
    create('/capabilities', { role: 'oper', text: () => 'Capability was created.' }),
    update('/capabilities/:name', {
      role: 'oper',
      ...byName,
      // A capability is known by its name; only what is said about it changes.
      prepare: ({ name: _, ...values }) => values,
      text: () => 'Capability was updated.',
    }),
    remove('/capabilities/:name', { role: 'oper', ...byName, text: () => 'Capability deleted.' }),
  ],
})
