import type { Line } from '../line.js'
import { notFlag, notName } from '../line.js'

const ofOwn = async ({ id }: { id(list: string, filter: string): Promise<number> }) => ({
  params: [await id('parameters', 'name=of-the-table')],
})
const ofProfile = async ({ id }: { id(list: string, filter: string): Promise<number> }) => ({
  params: [await id('profiles', 'name=EDGE_ATS9')],
})

const scoped = {
  'v1.1': [{ last_updated: 'time', secure: 'bool', value: 'text', name: 'text', config_file: 'text' }],
  'v1.3': [{ lastUpdated: 'time', secure: 'bool', value: 'text', name: 'text', configFile: 'text' }],
} as const

const listed = {
  id: 'int',
  name: 'text',
  configFile: 'text',
  value: 'text',
  secure: 'bool',
  lastUpdated: 'time',
  profiles: ['text'],
} as const
const written = {
  'v1.1': { id: 'int', name: 'text', configFile: 'text', value: 'text', secure: 'int' },
  'v1.3': { id: 'int', name: 'text', configFile: 'text', value: 'text', secure: 'bool' },
} as const

const notFile = [...notName, 'a/b', '..\\x'] as const
const notValue = [null, 'nul\u0000', 'x'.repeat(70_000), true, {}] as const
const body = { name: notName, configFile: notFile, value: notValue, secure: notFlag } as const

export const parameters: readonly Line[] = [
  {
    row: 'GET /parameters',
    role: 'any',
    shape: [{ ...listed, profiles: { maybeEmpty: ['text'] } }],
  },
  {
    row: 'GET /parameters/:id',
    role: 'any',
    fill: ofOwn,
    shape: {
      'v1.1': [{ id: 'int', name: 'text', config_file: 'text', value: 'text', secure: 'bool', last_updated: 'time' }],
      'v1.3': [listed],
    },
  },
  {
    row: 'GET /parameters/:id/profiles',
    role: 'any',
    fill: ofOwn,
    shape: [{ lastUpdated: 'time', name: 'text', id: 'id', description: 'text', type: 'text' }],
  },
  {
    row: 'GET /parameters/:id/unassigned_profiles',
    role: 'any',
    fill: ofOwn,
    shape: [{ lastUpdated: 'time', name: 'text', id: 'id', description: 'text' }],
  },
  { row: 'GET /profiles/:id/parameters', role: 'any', fill: ofProfile, shape: scoped },
  { row: 'GET /profiles/:id/unassigned_parameters', role: 'any', fill: ofProfile, shape: scoped },
  { row: 'GET /profiles/name/:name/parameters', role: 'any', fill: () => ({ params: ['EDGE_ATS9'] }), shape: scoped },
  {
    row: 'POST /parameters',
    role: 'oper',
    fill: ({ next }) => ({ body: { name: `new-${next()}`, configFile: 'table.config', value: 'v', secure: 0 } }),
    shape: { 'v1.1': [written['v1.1']], 'v1.3': [written['v1.3']] },
    invalid: body,
  },
  {
    row: 'PUT /parameters/:id',
    role: 'oper',
    fill: async ({ make, next }) => ({
      params: [(await make('parameter')).id],
      body: { name: `changed-${next()}`, configFile: 'table.config', value: 'w', secure: 0 },
    }),
    shape: written,
    invalid: body,
  },
  {
    row: 'DELETE /parameters/:id',
    role: 'oper',
    fill: async ({ make }) => ({ params: [(await make('parameter')).id] }),
  },
  {
    row: 'POST /parameters/validate',
    role: 'any',
    fill: () => ({ body: { name: 'of-the-table', configFile: 'table.config', value: 'v' } }),
    shape: written,
    invalid: { name: [null, 5, true, {}], configFile: [null, 5, true, {}], value: [null, 5, true, {}] },
  },
]
