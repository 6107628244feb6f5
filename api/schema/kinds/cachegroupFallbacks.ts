import { defineKind } from '../defineKind.js'
import { integer, ref } from '../fields.js'

export const fields = {
  cacheGroupId: ref('cachegroups', { nameAliases: ['cacheGroupName'], onDelete: 'cascade' }),
  fallbackId: ref('cachegroups', { nameAliases: ['fallbackName'], onDelete: 'cascade' }),
  fallbackOrder: integer({ description: 'Position in the list of backups, ascending.' }),
}

export default defineKind({
  kind: 'cachegroupFallbacks',
  description: 'A cache group that takes the clients of another when that one is not available.',
  label: 'cache group fallback',
  key: null,
  fields,
  unique: [
    ['cacheGroupId', 'fallbackId'],
    ['cacheGroupId', 'fallbackOrder'],
  ],
})
