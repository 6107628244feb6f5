import { create, list, remove, update } from '../../routes/crud/routes.js'
import { identifier, latitude, longitude } from '../../schema/fields.js'
import { defineResource } from '../defineKind.js'

export const fields = {
  name: identifier({ unique: true }),
  latitude: latitude({ fallback: 0 }),
  longitude: longitude({ fallback: 0 }),
}

export default defineResource({
  kind: 'coordinates',
  label: 'coordinate',
  key: 'name',
  fields,
  legacy: { numbers: ['id', 'latitude', 'longitude'] },
  routes: [
    list('/coordinates', { role: 'any' }),
    create('/coordinates', { role: 'oper' }),
    update('/coordinates', { role: 'oper' }),
    remove('/coordinates', { role: 'oper' }),
  ],
})
