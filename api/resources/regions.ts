import { Type } from '@sinclair/typebox'
import type { Data } from '../data.js'
import { one } from '../data.js'
import type { Asked } from '../endpoint.js'
import { noSuch } from '../errors.js'
import { defineResource } from '../resource/define.js'
import { ref, text } from '../resource/fields.js'
import { create, list, read, remove, update } from '../resource/routes.js'

export const fields = {
  name: text({ unique: true }),
  division: ref('divisions', { as: ['divisionName'] }),
}

export default defineResource({
  kind: 'regions',
  label: 'region',
  key: 'name',
  fields,
  routes: [
    list('/regions', { role: 'any', filters: { division: 'division' } }),
    read('/regions/:id', { role: 'any' }),
    read('/regions/name/:name', { role: 'any', by: 'name', param: 'name' }),
    create('/regions', { role: 'oper', text: () => 'Region create was successful.' }),
    create('/divisions/:divisionName/regions', {
      role: 'oper',
      text: () => 'Region create was successful.',
      given: inDivision,
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

function inDivision({ params }: Asked, data: Data) {
  const division = one(data, 'divisions', 'name', params.divisionName ?? '')
  if (!division) throw noSuch('division', params.divisionName ?? '')
  return { division: division.id }
}
