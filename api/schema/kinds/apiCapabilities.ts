import { defineKind } from '../defineKind.js'
import { oneOf, ref, text } from '../fields.js'

export const fields = {
  httpMethod: oneOf(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']),
  httpRoute: text({
    pattern: '^\\S+$',
    form: 'one word, without spaces',
    description: 'Without the version; `*` stands for ids.',
  }),
  capability: ref('capabilities', { nameAliases: ['capabilityName'], onDelete: 'restrict' }),
}

export default defineKind({
  kind: 'apiCapabilities',
  description: 'A route of the interface and the capability it stands for.',
  label: 'API-Capability mapping',
  key: null,
  fields,
  indexes: { methodRoute: ({ httpMethod, httpRoute }) => JSON.stringify([httpMethod, httpRoute]) },
})
