import { noSuch } from '../../config/errors.js'
import type { Asked } from '../../operations/endpoint.js'
import { create, list, read, remove, trimmed, update } from '../../routes/crud/routes.js'
import { type Data, one } from '../../schema/data.js'
import { optional, ref, text } from '../../schema/fields.js'
import { defineResource } from '../defineKind.js'

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
  regionId: ref('regions', { as: ['region', 'regionName'], kept: true }),
}

const createdText = 'Phys location creation was successful.'

export default defineResource({
  kind: 'physLocations',
  label: 'physLocation',
  key: 'name',
  fields,
  written: ({ region, ...place }) => ({ ...place, region, regionName: region }),
  routes: [
    list('/phys_locations', { role: 'any', filters: { region: 'regionId' } }),
    trimmed('/phys_locations/trimmed', { role: 'any' }),
    read('/phys_locations/:id', { role: 'any' }),
    create('/phys_locations', { role: 'oper', text: () => createdText }),
    create('/regions/:region_name/phys_locations', { role: 'oper', text: () => createdText, given: inRegion }),
    update('/phys_locations/:id', {
      role: 'oper',
      array: true,
      text: () => 'Physical location update was successful.',
    }),
    remove('/phys_locations/:id', { role: 'oper', text: () => 'Physical location deleted.' }),
  ],
})

function inRegion({ params }: Asked, data: Data) {
  const region = one(data, 'regions', 'name', params.region_name ?? '')
  if (!region) throw noSuch('region', params.region_name ?? '')
  return { regionId: region.id }
}
