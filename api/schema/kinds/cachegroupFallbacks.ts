import { defineKind } from '../defineKind.js'
import { integer, ref } from '../fields.js'

export const fields = {
  cacheGroupId: ref('cachegroups', { as: ['cacheGroupName'], onDelete: 'cascade' }),
  fallbackId: ref('cachegroups', { as: ['fallbackName'], onDelete: 'cascade' }),
  /** Position in the list of backups, ascending. */
  fallbackOrder: integer(),
}

export default defineKind({
  kind: 'cachegroupFallbacks',
  label: 'cache group fallback',
  key: null,
  fields,
  unique: [
    ['cacheGroupId', 'fallbackId'],
    ['cacheGroupId', 'fallbackOrder'],
  ],
})
