import { Type } from '@sinclair/typebox'
import { noSuch } from '../config/errors.js'
import type { ReadEndpoint, RequestInput } from '../operations/endpoint.js'
import type { Data } from '../schema/data.js'
import { findOne } from '../schema/data.js'
import type { Records } from '../schema/records.js'
import { findRow, list, read } from './crud/readRoutes.js'
import type { Resource } from './crud/resource.js'
import { defineResource } from './crud/resource.js'
import { create, remove, update } from './crud/routes.js'

const byName = { by: 'name', param: 'name' } as const

export default defineResource('regions', {
  routes: [
    list('/regions', { role: 'any', filters: { division: 'division' } }),
    read('/regions/:id', { role: 'any' }),
    named,
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
    remove('/regions/name/:name', { role: 'oper', ...byName, text: () => 'Region deleted.' }),
  ],
})

function inDivision({ params }: RequestInput, data: Data) {
  const division = findOne(data, 'divisions', 'name', params.divisionName ?? '')
  if (!division) throw noSuch('division', params.divisionName ?? '')
  return division.id
}

/** By its name a region has its division within (beyond.md §2.2). */
function named(resource: Resource): ReadEndpoint {
  return {
    ...read('/regions/name/:name', { role: 'any', ...byName })(resource),
    response: Type.Array(
      Type.Object({
        id: Type.Integer(),
        name: Type.String(),
        division: Type.Object({ id: Type.Integer(), name: Type.String() }),
      }),
    ),
    read: (input, data) => {
      const shownId = (id: number) => (input.version === '1.3' ? id : String(id))
      const { id, name, division } = findRow(resource, input, data, byName) as Records['regions']
      const within = { id: shownId(division), name: data.get('divisions', division)!.name }
      return { response: [{ id: shownId(id), name, division: within }] }
    },
  }
}
