import { defineKind } from '../defineKind.js'
import { integer, refs, text } from '../fields.js'

export const fields = {
  name: text({ unique: true }),
  description: text({ max: 1024 }),
  privLevel: integer({
    max: 100,
    description: '0 cannot log in, 10 reads, 11 cache agent, 15 portal, 20 operations, 30 administrator.',
  }),
  capabilities: refs('capabilities', { nameAliases: ['capabilityNames'], onDelete: 'restrict', since: '1.3' }),
}

export default defineKind({
  kind: 'roles',
  description: 'What users may do, by a privilege level.',
  label: 'role',
  key: 'name',
  fields,
})
