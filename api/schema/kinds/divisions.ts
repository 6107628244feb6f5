import { defineKind } from '../defineKind.js'
import { text } from '../fields.js'

export const fields = { name: text({ unique: true }) }

export default defineKind({
  kind: 'divisions',
  description: 'Regions that belong together.',
  label: 'division',
  key: 'name',
  fields,
})
