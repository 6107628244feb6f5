import { defineKind } from '../defineKind.js'
import { text } from '../fields.js'

export const fields = { name: text({ unique: true }) }

export default defineKind({
  kind: 'divisions',
  label: 'division',
  key: 'name',
  fields,
})
