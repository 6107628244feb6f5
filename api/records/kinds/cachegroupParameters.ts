import { ref } from '../../schema/fields.js'
import { defineResource } from '../defineKind.js'

export const fields = {
  cacheGroupId: ref('cachegroups', { as: ['cachegroup'], onDelete: 'cascade' }),
  parameterId: ref('parameters', { onDelete: 'cascade' }),
}

/** Which parameters a cache group has. Routes are in cachegroupParameterRoutes.ts. */
export default defineResource({
  kind: 'cachegroupParameters',
  label: 'cache group parameter',
  key: null,
  fields,
  unique: [['cacheGroupId', 'parameterId']],
  routes: [],
})
