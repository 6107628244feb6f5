import { defineKind } from '../defineKind.js'
import { ref } from '../fields.js'

export const fields = {
  cacheGroupId: ref('cachegroups', { nameAliases: ['cachegroup'], onDelete: 'cascade' }),
  parameterId: ref('parameters', { onDelete: 'cascade' }),
}

export default defineKind({
  kind: 'cachegroupParameters',
  description: 'A parameter that a cache group has.',
  label: 'cache group parameter',
  key: null,
  fields,
  unique: [['cacheGroupId', 'parameterId']],
})
