import { defineKind } from '../defineKind.js'
import { oneOf, ref, text } from '../fields.js'

export const fields = {
  httpMethod: oneOf(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']),
  /** Without the version; `*` stands for ids. */
  httpRoute: text({ pattern: '^\\S+$' }),
  capability: ref('capabilities', { as: ['capabilityName'], onDelete: 'restrict' }),
}

export default defineKind({
  kind: 'apiCapabilities',
  label: 'API-Capability mapping',
  key: null,
  fields,
  indexes: { methodRoute: ({ httpMethod, httpRoute }) => JSON.stringify([httpMethod, httpRoute]) },
})
