import { list, read } from '../crud/readRoutes.js'
import { defineResource } from '../crud/resource.js'
import { create, remove, update } from '../crud/routes.js'

const byName = { by: 'name', param: 'name' } as const

export default defineResource('capabilities', {
  present: {
    '1.1': ({ name, description, lastUpdated }) => ({ name, description, lastUpdated }),
  },
  writeResponse: ({ name, description, lastUpdated }) => ({ name, description, lastUpdated }),
  routes: [
    list('/capabilities', { role: 'any' }),
    read('/capabilities/:name', { role: 'any', ...byName }),
    create('/capabilities', { role: 'oper', text: () => 'Capability was created.' }),
    update('/capabilities/:name', {
      role: 'oper',
      ...byName,
      // A capability is known by its name; only what is said about it changes.
      prepare: ({ name: _, ...values }) => values,
      *lacking(_values, { stated: { name }, input, before }) {
        const isOther = input.partial && name !== undefined && name !== before?.name
        if (isOther) yield { path: 'name', text: 'name: a capability keeps its name' }
      },
      text: () => 'Capability was updated.',
    }),
    remove('/capabilities/:name', { role: 'oper', ...byName, text: () => 'Capability deleted.' }),
  ],
})
