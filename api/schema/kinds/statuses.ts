import { defineKind } from '../defineKind.js'
import { optional, text } from '../fields.js'

export const fields = {
  name: text({ unique: true, pattern: '^[A-Za-z0-9._-]+$', form: 'letters, digits, dots, hyphens and underscores' }),
  description: optional(text({ max: 1024 })),
}

export default defineKind({
  kind: 'statuses',
  description: 'Whether a server takes part: ONLINE, REPORTED, ADMIN_DOWN, OFFLINE and others.',
  label: 'status',
  key: 'name',
  fields,
})
