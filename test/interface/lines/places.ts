import type { Line } from '../line.js'
import { notId, notName, notOptional } from '../line.js'
import { location } from '../world.js'

const place = {
  id: 'id',
  name: 'text',
  shortName: 'text',
  address: 'text',
  city: 'text',
  state: 'text',
  zip: 'text',
  phone: 'text?',
  poc: 'text?',
  email: 'text?',
  comments: 'text?',
  region: 'text',
  regionId: 'id',
  lastUpdated: 'time',
} as const

const placeBody = {
  name: notName,
  shortName: notName,
  address: notName,
  city: notName,
  state: notName,
  zip: notName,
  phone: notOptional,
  poc: notOptional,
  email: notOptional,
  comments: ['nul\u0000', 'x'.repeat(5000), true, {}],
} as const

const region = { id: 'id', name: 'text', division: 'id', divisionName: 'text' } as const
const division = { id: 'id', name: 'text', lastUpdated: 'time' } as const

export const places: readonly Line[] = [
  { row: 'GET /phys_locations', role: 'any', shape: [place] },
  { row: 'GET /phys_locations/trimmed', role: 'any', shape: [{ name: 'text' }] },
  {
    row: 'GET /phys_locations/:id',
    role: 'any',
    fill: async ({ id }) => ({ params: [await id('phys_locations', 'name=Chicago%20colocation')] }),
    shape: [place],
  },
  {
    row: 'PUT /phys_locations/:id',
    role: 'oper',
    fill: async ({ make, next }) => ({
      params: [(await make('location')).id],
      body: { ...location(next()), comments: 'moved\ntwice' },
    }),
    shape: [{ ...place, id: 'int', regionId: 'int' }],
    invalid: { ...placeBody, regionId: ['no-such-region', 0, 9_999_999, true, {}] },
  },
  {
    row: 'POST /regions/:region_name/phys_locations',
    role: 'oper',
    fill: ({ next }) => ({ params: ['US%20East'], body: { ...location(next()), phone: '+1 202 555 0100' } }),
    shape: {
      'v1.1': { ...place, id: 'int', regionId: 'int', regionName: 'text', lastUpdated: 'any' },
      'v1.3': place,
    },
    invalid: placeBody,
  },
  { row: 'GET /regions', role: 'any', shape: [region] },
  {
    row: 'GET /regions/:id',
    role: 'any',
    fill: async ({ id }) => ({ params: [await id('regions', 'name=US%20East')] }),
    shape: [region],
  },
  {
    row: 'PUT /regions/:id',
    role: 'oper',
    fill: async ({ make, id, next }) => ({
      params: [(await make('region')).id],
      body: { name: `changed-${next()}`, division: await id('divisions', 'name=Europe') },
    }),
    shape: { id: 'int', lastUpdated: 'time', name: 'text', division: 'int', divisionName: 'text' },
    invalid: { name: notName, division: notId },
  },
  {
    row: 'POST /divisions/:division_name/regions',
    role: 'oper',
    fill: ({ next }) => ({ params: ['Europe'], body: { name: `new-${next()}` } }),
    shape: { name: 'text', id: 'int', divisionName: 'text', divisionId: 'int' },
    invalid: { name: notName },
  },
  { row: 'GET /divisions', role: 'any', shape: [division] },
  {
    row: 'GET /divisions/:id',
    role: 'any',
    fill: async ({ id }) => ({ params: [await id('divisions', 'name=Europe')] }),
    shape: [division],
  },
  {
    row: 'PUT /divisions/:id',
    role: 'oper',
    fill: async ({ make, next }) => ({ params: [(await make('division')).id], body: { name: `changed-${next()}` } }),
    shape: { ...division, id: 'int' },
    invalid: { name: notName },
  },
  {
    row: 'POST /divisions',
    role: 'oper',
    fill: ({ next }) => ({ body: { name: `new-${next()}` } }),
    shape: { name: 'text', id: 'int' },
    invalid: { name: notName },
  },
]
