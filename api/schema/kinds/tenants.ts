import { defineKind } from '../defineKind.js'
import { flag, optional, ref, text } from '../fields.js'

export const fields = {
  name: text({ unique: true }),
  active: flag({ default: false }),
  parentId: optional(ref('tenants', { nameAliases: ['parentName'] })),
}

export default defineKind({
  kind: 'tenants',
  description: 'Whose users and delivery services these are; tenants form a tree.',
  label: 'tenant',
  key: 'name',
  fields,
})
