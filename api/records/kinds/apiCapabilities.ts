import { Type } from '@sinclair/typebox'
import { create, list, read, remove, update } from '../../routes/crud/routes.js'
import { oneOf, ref, text } from '../../schema/fields.js'
import { defineResource, type JoinedRow } from '../defineKind.js'

export const fields = {
  httpMethod: oneOf(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']),
  /** Without the version; `*` stands for ids. */
  httpRoute: text({ pattern: '^\\S+$' }),
  capability: ref('capabilities', { as: ['capabilityName'], onDelete: 'restrict' }),
}

type Mapping = JoinedRow<typeof fields>

/** The capability is known by its name. */
const shape = ({ capabilityName, ...mapping }: Mapping) => ({ ...mapping, capability: capabilityName })

export default defineResource({
  kind: 'apiCapabilities',
  label: 'API-Capability mapping',
  key: null,
  fields,
  *rules({ after, data }) {
    const key = JSON.stringify([after.httpMethod, after.httpRoute])
    const twin = data.by('apiCapabilities', 'methodRoute', key).find(({ id }) => id !== after.id)
    if (!twin) return
    const name = data.get('capabilities', twin.capability)?.name
    const text = `HTTP method '${after.httpMethod}', route '${after.httpRoute}' are already mapped to capability: ${name}`
    yield { path: 'httpRoute', text, status: 409 as const }
  },
  indexes: { methodRoute: ({ httpMethod, httpRoute }) => JSON.stringify([httpMethod, httpRoute]) },
  shown: { capability: Type.String(), capabilityName: null },
  present: { '1.1': shape, '1.3': shape },
  written: shape,
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
