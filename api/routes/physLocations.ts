import { noSuch } from '../config/errors.js'
import type { RequestInput } from '../operations/endpoint.js'
import type { Data } from '../schema/data.js'
import { findOne } from '../schema/data.js'
import { list, read, trimmed } from './crud/readRoutes.js'
import { defineResource } from './crud/resource.js'
import { create, remove, update } from './crud/routes.js'

const createdText = 'Phys location creation was successful.'

export default defineResource('physLocations', {
  writeResponse: ({ region, ...place }) => ({ ...place, region, regionName: region }),
  routes: [
    list('/phys_locations', { role: 'any', filters: { region: 'regionId' } }),
    trimmed('/phys_locations/trimmed', { role: 'any' }),
    read('/phys_locations/:id', { role: 'any' }),
    create('/phys_locations', { role: 'oper', text: () => createdText }),
    create('/regions/:region_name/phys_locations', {
      role: 'oper',
      text: () => createdText,
      given: { regionId: inRegion },
    }),
    update('/phys_locations/:id', {
      role: 'oper',
      array: true,
      text: () => 'Physical location update was successful.',
    }),
    remove('/phys_locations/:id', { role: 'oper', text: () => 'Physical location deleted.' }),
  ],
})

function inRegion({ params }: RequestInput, data: Data) {
  const region = findOne(data, 'regions', 'name', params.region_name ?? '')
  if (!region) throw noSuch('region', params.region_name ?? '')
  return region.id
}
