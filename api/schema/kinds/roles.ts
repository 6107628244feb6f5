import { defineKind } from '../defineKind.js'
import { integer, refs, text } from '../fields.js'

export const fields = {
  name: text({ unique: true }),
  description: text({ max: 1024 }),
  /** 0 cannot log in, 10 reads, 11 cache agent, 15 portal, 20 operations, 30 administrator. */
  privLevel: integer({ max: 100 }),
  capabilities: refs('capabilities', { as: ['capabilityNames'], onDelete: 'restrict', since: '1.3' }),
}

export default defineKind({
  kind: 'roles',
  label: 'role',
  key: 'name',
  fields,
})
