import type { Finder, Line } from './finder.js'
import { known } from './finder.js'

/** What could not go before everything else was done. */
export function removals(finder: Finder): readonly Line[] {
  const { client, id } = finder
  const { group } = known(finder)
  const cdn = () => id('/cdns', 'name=written')
  return [
    [
      'DELETE /divisions/name/:name',
      async () => {
        await client.ok('POST', '/api/1.3/divisions', { name: 'gone' })
        return ['/divisions/name/gone']
      },
    ],
    [
      'DELETE /regions/name/:name',
      async () => {
        await client.ok('POST', '/api/1.3/divisions/written2/regions', { name: 'gone' })
        return ['/regions/name/gone']
      },
    ],
    [
      'DELETE /cdns/name/:name',
      async () => {
        await client.ok('POST', '/api/1.3/cdns', { name: 'gone', domainName: 'gone.example', dnssecEnabled: false })
        return ['/cdns/name/gone']
      },
    ],
    [
      'DELETE /divisions/:id',
      async () => [`/divisions/${(await client.ok('POST', '/api/1.3/divisions', { name: 'gone' })).body.response.id}`],
    ],
    ['DELETE /regions/:id', async () => [`/regions/${await id('/regions', 'name=other2')}`]],
    ['DELETE /phys_locations/:id', async () => [`/phys_locations/${await id('/phys_locations', 'name=store')}`]],
    ['DELETE /cachegroups/:id', async () => [`/cachegroups/${await group()}`]],
    ['DELETE /cdns/:id', async () => [`/cdns/${await cdn()}`]],
  ]
}
