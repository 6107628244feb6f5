import { defineKind } from '../defineKind.js'
import { ref, text } from '../fields.js'

export const fields = {
  name: text({ unique: true }),
  division: ref('divisions', { as: ['divisionName'] }),
}

export default defineKind({
  kind: 'regions',
  label: 'region',
  key: 'name',
  fields,
})
