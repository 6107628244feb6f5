import type { Line } from '../line.js'
import { notFlag, notId, notInteger, notName } from '../line.js'
import type { Shape } from '../shape.js'

const group = {
  id: 'id',
  lastUpdated: 'time',
  latitude: 'num?',
  longitude: 'num?',
  name: 'text',
  shortName: 'text',
  parentCachegroupId: 'id?',
  parentCachegroupName: 'text?',
  secondaryParentCachegroupId: 'id?',
  secondaryParentCachegroupName: 'text?',
  typeId: 'id',
  typeName: 'text',
} as const

const groups = {
  'v1.1': [{ ...group, fallbackToClosest: 'absent' }],
  'v1.2': [{ ...group, fallbackToClosest: 'bool' }],
} as const

const older = {
  id: 'int',
  name: 'text',
  shortName: 'text',
  latitude: 'number?',
  longitude: 'number?',
  parentCachegroup: 'text?',
  parentCachegroupId: 'int?',
  secondaryParentCachegroup: 'text?',
  secondaryParentCachegroupId: 'int?',
  typeName: 'text',
  fallbackToClosest: 'bool',
  lastUpdated: 'time',
} as const
const written = { 'v1.1': { ...older, fallbackToClosest: 'absent' }, 'v1.2': older, 'v1.3': groups['v1.2'][0] } as const

const names = [...notName, 'with space', 'a/b'] as const
const coordinates = { latitude: ['x', 91, -91, true, {}], longitude: ['x', 181, -181, true, {}] } as const
const parents = {
  parentCachegroup: ['no-such-group', true, {}],
  secondaryParentCachegroup: ['no-such-group', true, {}],
} as const
const toldAs = { typeName: /^type/ } as const

const ofGroup = async ({ id }: { id(list: string, filter: string): Promise<number> }) => ({
  params: [await id('cachegroups', 'name=edge-chi')],
})

const scoped = {
  'v1.1': [{ last_updated: 'time', secure: 'bool', value: 'text', name: 'text', config_file: 'text' }],
  'v1.3': [{ lastUpdated: 'time', secure: 'bool', value: 'text', name: 'text', configFile: 'text' }],
} as const

const link = (time: string): Shape => ({
  cachegroupParameters: [{ parameter: 'id', [time]: 'time', cachegroup: 'text' }],
})
const fallback = [
  { cacheGroupId: 'int', cacheGroupName: 'text', fallbackId: 'int', fallbackName: 'text', fallbackOrder: 'int' },
] as const

export const cachegroups: readonly Line[] = [
  { row: 'GET /cachegroups', role: 'any', shape: groups },
  { row: 'GET /cachegroups/trimmed', role: 'any', shape: [{ name: 'text' }] },
  { row: 'GET /cachegroups/:id', role: 'any', fill: ofGroup, shape: groups },
  {
    row: 'GET /cachegroups/:id/parameters',
    role: 'any',
    fill: async ({ id }) => ({ params: [(await id('cachegroups', 'name=edge-nyc')) as number] }),
    shape: [{ id: 'int', name: 'text', value: 'text', configFile: 'text', secure: 'bool', lastUpdated: 'time' }],
  },
  { row: 'GET /cachegroups/:id/unassigned_parameters', role: 'any', fill: ofGroup, shape: scoped },
  {
    row: 'GET /cachegroup/:parameter_id/parameter',
    role: 'any',
    fill: async ({ id }) => ({ params: [await id('parameters', 'name=of-the-table')] }),
    shape: { cachegroups: [{ name: 'text', id: 'id' }] },
  },
  {
    row: 'GET /cachegroupparameters',
    role: 'any',
    shape: { 'v1.1': link('last_updated'), 'v1.2': link('lastUpdated') },
  },
  {
    row: 'GET /cachegroups/:parameter_id/parameter/available',
    role: 'any',
    fill: async ({ id }) => ({ params: [await id('parameters', 'name=of-the-table')] }),
    shape: [{ name: 'text', id: 'id' }],
  },
  {
    row: 'POST /cachegroups',
    role: 'oper',
    fill: async ({ id, next }) => {
      const n = next()
      return {
        body: {
          name: `group-${n}`,
          shortName: `g-${n}`,
          typeId: await id('types', 'name=EDGE_LOC'),
          latitude: 41.85,
          longitude: -87.62,
          parentCachegroup: 'mid-us-east',
        },
      }
    },
    shape: written,
    toldAs,
    invalid: {
      name: names,
      shortName: names,
      typeId: notId,
      ...coordinates,
      ...parents,
      fallbackToClosest: notFlag,
    },
  },
  {
    row: 'PUT /cachegroups/:id',
    role: 'oper',
    fill: async ({ make, next }) => ({
      params: [(await make('cachegroup')).id],
      body: { name: `changed-${next()}`, shortName: `c-${next()}`, typeName: 'EDGE_LOC', fallbackToClosest: false },
    }),
    shape: written,
    toldAs,
    invalid: {
      name: names,
      shortName: names,
      typeName: ['', null, 'NO_SUCH_LOC', 'EDGE', true, {}],
      ...coordinates,
      ...parents,
      fallbackToClosest: notFlag,
    },
  },
  {
    row: 'DELETE /cachegroups/:id',
    role: 'oper',
    fill: async ({ make }) => ({ params: [(await make('cachegroup')).id] }),
  },
  {
    row: 'POST /cachegroups/:id/queue_update',
    role: 'oper',
    fill: async (world) => ({ ...(await ofGroup(world)), body: { action: 'queue', cdn: 'stream' } }),
    shape: { action: 'text', cachegroupId: 'int', cachegroupName: 'text', cdn: 'text', serverNames: ['text'] },
    invalid: { action: ['', null, 'que', 1, {}], cdn: ['', 'no-such-cdn', {}, 5.5] },
  },
  {
    row: 'GET /cachegroup_fallbacks',
    role: 'any',
    fill: async ({ id }) => ({ query: `cacheGroupId=${await id('cachegroups', 'name=edge-nyc')}` }),
    shape: fallback,
  },
  {
    row: 'POST /cachegroup_fallbacks',
    role: 'oper',
    fill: async ({ make }) => ({
      body: [
        { cacheGroupId: (await make('cachegroup')).id, fallbackId: (await make('cachegroup')).id, fallbackOrder: 1 },
      ],
    }),
    wrap: (body) => [
      { ...(body as object[])[0], ...Object.fromEntries(Object.entries(body).filter(([key]) => key !== '0')) },
    ],
    shape: fallback,
    invalid: { cacheGroupId: notId, fallbackId: notId, fallbackOrder: [null, ...notInteger] },
  },
  {
    row: 'PUT /cachegroup_fallbacks',
    role: 'oper',
    fill: async ({ id }) => ({
      body: [
        {
          cacheGroupId: await id('cachegroups', 'name=edge-nyc'),
          fallbackId: await id('cachegroups', 'name=edge-chi'),
          fallbackOrder: 40,
        },
      ],
    }),
    wrap: (body) => [
      { ...(body as object[])[0], ...Object.fromEntries(Object.entries(body).filter(([key]) => key !== '0')) },
    ],
    shape: fallback,
    invalid: { cacheGroupId: notId, fallbackId: notId, fallbackOrder: [null, ...notInteger] },
  },
  {
    row: 'DELETE /cachegroup_fallbacks',
    role: 'oper',
    fill: async (world) => {
      const [from, to] = [await world.make('cachegroup'), await world.make('cachegroup')]
      await world.send('POST', 'cachegroup_fallbacks', [{ cacheGroupId: from.id, fallbackId: to.id, fallbackOrder: 1 }])
      return { query: `cacheGroupId=${from.id}&fallbackId=${to.id}` }
    },
  },
]
