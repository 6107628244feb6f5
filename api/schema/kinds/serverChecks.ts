import { defineKind } from '../defineKind.js'
import { integer, ref } from '../fields.js'

export const fields = {
  serverId: ref('servers', { nameAliases: ['server'], onDelete: 'cascade' }),
  extensionId: ref('extensions', { nameAliases: ['check'], onDelete: 'cascade' }),
  value: integer({
    min: Number.MIN_SAFE_INTEGER,
    description: '0 or 1 for checks that pass or fail, a number for the others.',
  }),
}

export default defineKind({
  kind: 'serverChecks',
  description: 'The last result of a check of a server.',
  label: 'server check',
  key: null,
  fields,
  unique: [['serverId', 'extensionId']],
  transient: true,
})
