import { Type } from '@sinclair/typebox'
import type { Records } from '../../schema/records.js'
import { list, read } from '../crud/readRoutes.js'
import type { JoinedRow } from '../crud/resource.js'
import { defineResource } from '../crud/resource.js'
import { create, remove, update } from '../crud/routes.js'

type Mapping = JoinedRow<Records['apiCapabilities']>

/** The capability is known by its name. */
const shape = ({ capabilityName, ...mapping }: Mapping) => ({ ...mapping, capability: capabilityName })

export default defineResource('apiCapabilities', {
  shown: { capability: Type.String(), capabilityName: null },
  present: { '1.1': shape, '1.3': shape },
  writeResponse: shape,
  routes: [
    list('/api_capabilities', {
      role: 'any',
      order: 'httpRoute',
      filters: {
        capability: (rows, name, data) => {
          const [id] = data.ids('capabilities', 'name', name)
          return rows.filter((row) => row.capability === id)
        },
        httpMethod: 'httpMethod',
        httpRoute: 'httpRoute',
      },
    }),
    read('/api_capabilities/:id', { role: 'any' }),
    create('/api_capabilities', { role: 'oper' }),
    update('/api_capabilities/:id', { role: 'oper' }),
    remove('/api_capabilities/:id', { role: 'oper', text: () => 'API-capability mapping deleted.' }),
  ],
})
