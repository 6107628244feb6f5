import { defineKind } from '../defineKind.js'
import { flag, optional, ref, text } from '../fields.js'

export const fields = {
  name: text({ unique: true }),
  active: flag({ fallback: false }),
  parentId: optional(ref('tenants', { as: ['parentName'] })),
}

export default defineKind({
  kind: 'tenants',
  description: 'Whose users and delivery services these are; tenants form a tree.',
  label: 'tenant',
  key: 'name',
  fields,
})
