import { defineKind } from '../defineKind.js'
import { text, word } from '../fields.js'

export const fields = {
  name: text({ unique: true, pattern: '^[A-Za-z0-9._-]+$', form: 'letters, digits, dots, hyphens and underscores' }),
  description: text({ max: 1024 }),
  useInTable: word({ description: 'The table whose records have the type; the field has words of its own here.' }),
}

export default defineKind({
  kind: 'types',
  description: 'What kind of server, delivery service, cache group or other record something is.',
  label: 'type',
  key: 'name',
  fields,
})
