import { defineKind } from '../defineKind.js'
import { text } from '../fields.js'

export const fields = {
  name: text({
    unique: true,
    pattern: '^[A-Za-z0-9._-]+$',
    form: 'letters, digits, dots, hyphens and underscores',
    kept: true,
  }),
  description: text({ max: 1024 }),
}

export default defineKind({
  kind: 'capabilities',
  description: 'Something a role may allow.',
  label: 'capability',
  key: 'name',
  fields,
})
