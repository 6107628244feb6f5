import type { Finder, Line } from './finder.js'
import { known } from './finder.js'

/** CDNs, places, cache groups and what hangs off those. */
export function places(finder: Finder): readonly Line[] {
  const { find, id } = finder
  const { group, nyc } = known(finder)
  const cdn = () => id('/cdns', 'name=written')
  const place = (name: string) => {
    const address = { address: '1 Quay', city: 'Port', state: 'ST', zip: '1' }
    return { name, shortName: name.slice(0, 10), ...address }
  }
  return [
    ['POST /cdns', async () => ['/cdns', { name: 'written', domainName: 'written.example', dnssecEnabled: false }]],
    ['PUT /cdns/:id', async () => [`/cdns/${await cdn()}`, { name: 'written', domainName: 'w.example' }]],
    ['POST /divisions', async () => ['/divisions', { name: 'written' }]],
    ['PUT /divisions/:id', async () => [`/divisions/${await id('/divisions', 'name=written')}`, { name: 'written2' }]],
    ['POST /divisions/:divisionName/regions', async () => ['/divisions/written2/regions', { name: 'written' }]],
    ['POST /regions', async () => ['/regions', { name: 'other', division: await id('/divisions', 'name=written2') }]],
    [
      'PUT /regions/:id',
      async () => [
        `/regions/${await id('/regions', 'name=other')}`,
        { name: 'other2', division: await id('/divisions', 'name=written2') },
      ],
    ],
    ['POST /regions/:region_name/phys_locations', async () => ['/regions/written/phys_locations', place('harbour')]],
    [
      'POST /phys_locations',
      async () => ['/phys_locations', { ...place('depot'), regionId: await id('/regions', 'name=written') }],
    ],
    [
      'PUT /phys_locations/:id',
      async () => [
        `/phys_locations/${await id('/phys_locations', 'name=depot')}`,
        { ...place('store'), regionId: await id('/regions', 'name=written') },
      ],
    ],
    ['POST /coordinates', async () => ['/coordinates', { name: 'written', latitude: 1, longitude: 2 }]],
    [
      'PUT /coordinates',
      async () => [
        `/coordinates?id=${await id('/coordinates', 'name=written')}`,
        { name: 'written', latitude: 3, longitude: 2 },
      ],
    ],
    ['DELETE /coordinates', async () => [`/coordinates?id=${await id('/coordinates', 'name=written')}`]],
    [
      'POST /cachegroups',
      async () => [
        '/cachegroups',
        { name: 'written', shortName: 'wr', typeName: 'EDGE_LOC', latitude: 1, longitude: 1 },
      ],
    ],
    [
      'PUT /cachegroups/:id',
      async () => [`/cachegroups/${await group()}`, { name: 'written', shortName: 'wr2', typeName: 'EDGE_LOC' }],
    ],
    [
      'POST /cachegroups/:id/queue_update',
      async () => [`/cachegroups/${await nyc()}/queue_update`, { action: 'queue', cdn: 'stream' }],
    ],
    [
      'POST /cachegroups/:id/deliveryservices',
      async () => [
        `/cachegroups/${await id('/cachegroups', 'name=edge-chi')}/deliveryservices`,
        { deliveryServices: [await id('/deliveryservices', 'xmlId=trailers')] },
      ],
    ],
    ['POST /asns', async () => ['/asns', { asn: 64_999, cachegroupId: await group() }]],
    [
      'PUT /asns/:id',
      async () => [`/asns/${await id('/asns', 'asn=64999')}`, { asn: 64_998, cachegroupId: await group() }],
    ],
    [
      'PUT /asns',
      async () => [`/asns?id=${await id('/asns', 'asn=64998')}`, { asn: 64_997, cachegroupId: await group() }],
    ],
    ['DELETE /asns/:id', async () => [`/asns/${await id('/asns', 'asn=64997')}`]],
    ['DELETE /asns', async () => [`/asns?id=${(await find('/asns')).id}`]],
    [
      'POST /cachegroup_fallbacks',
      async () => [
        '/cachegroup_fallbacks',
        [{ cacheGroupId: await group(), fallbackId: await nyc(), fallbackOrder: 1 }],
      ],
    ],
    [
      'PUT /cachegroup_fallbacks',
      async () => [
        '/cachegroup_fallbacks',
        [{ cacheGroupId: await group(), fallbackId: await nyc(), fallbackOrder: 2 }],
      ],
    ],
    [
      'DELETE /cachegroup_fallbacks',
      async () => [`/cachegroup_fallbacks?cacheGroupId=${await group()}&fallbackId=${await nyc()}`],
    ],
  ]
}
