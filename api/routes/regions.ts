import { Type } from '@sinclair/typebox'
import { noSuch } from '../config/errors.js'
import type { RequestInput } from '../operations/endpoint.js'
import type { Data } from '../schema/data.js'
import { findOne } from '../schema/data.js'
import { list, read } from './crud/readRoutes.js'
import { defineResource } from './crud/resource.js'
import { create, remove, update } from './crud/routes.js'

export default defineResource('regions', {
  routes: [
    list('/regions', { role: 'any', filters: { division: 'division' } }),
    read('/regions/:id', { role: 'any' }),
    read('/regions/name/:name', { role: 'any', by: 'name', param: 'name' }),
    create('/regions', { role: 'oper', text: () => 'Region create was successful.' }),
    create('/divisions/:divisionName/regions', {
      role: 'oper',
      text: () => 'Region create was successful.',
      given: { division: inDivision },
      replied: Type.Object({
        name: Type.String(),
        id: Type.Integer(),
        divisionName: Type.String(),
        divisionId: Type.Integer(),
      }),
      reply: (row, _asked, { data }) => ({
        name: row.name,
        id: row.id,
        divisionName: data.get('divisions', row.division as number)?.name,
        divisionId: row.division,
      }),
    }),
    update('/regions/:id', { role: 'oper', text: () => 'Region update was successful.' }),
    remove('/regions/:id', { role: 'oper', text: () => 'Region deleted.' }),
    remove('/regions/name/:name', { role: 'oper', by: 'name', param: 'name', text: () => 'Region deleted.' }),
  ],
})

function inDivision({ params }: RequestInput, data: Data) {
  const division = findOne(data, 'divisions', 'name', params.divisionName ?? '')
  if (!division) throw noSuch('division', params.divisionName ?? '')
  return division.id
}
