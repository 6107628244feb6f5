import { defineKind } from '../defineKind.js'
import { ref, text } from '../fields.js'

export const fields = {
  name: text({ unique: true }),
  division: ref('divisions', { nameAliases: ['divisionName'] }),
}

export default defineKind({
  kind: 'regions',
  description: 'Physical locations that belong together.',
  label: 'region',
  key: 'name',
  fields,
})
