import { defineKind } from '../defineKind.js'
import { optional, ref, text } from '../fields.js'

export const fields = {
  name: text({ unique: true }),
  shortName: text({ unique: true }),
  address: text(),
  city: text(),
  state: text(),
  zip: text(),
  phone: optional(text()),
  poc: optional(text()),
  email: optional(text()),
  comments: optional(text({ max: 4096, lines: true })),
  regionId: ref('regions', { nameAliases: ['region', 'regionName'], kept: true }),
}

export default defineKind({
  kind: 'physLocations',
  description: 'A building in which servers stand.',
  label: 'physLocation',
  key: 'name',
  fields,
})
