import { defineKind } from '../defineKind.js'
import { identifier, latitude, longitude } from '../fields.js'

export const fields = {
  name: identifier({ unique: true }),
  latitude: latitude({ default: 0 }),
  longitude: longitude({ default: 0 }),
}

export default defineKind({
  kind: 'coordinates',
  description: 'A place on the globe.',
  label: 'coordinate',
  key: 'name',
  fields,
})
