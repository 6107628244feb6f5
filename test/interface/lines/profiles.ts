import type { Line } from '../line.js'
import { notFlag, notName } from '../line.js'

const profile = {
  id: 'id',
  name: 'text',
  description: 'text',
  cdn: 'int?',
  cdnName: 'text?',
  type: 'text',
  routingDisabled: 'bool',
  lastUpdated: 'time',
} as const

const written = {
  id: 'int',
  name: 'text',
  description: 'text',
  cdn: 'int',
  type: 'text',
  routingDisabled: 'bool',
} as const

const body = {
  name: [...notName, 'with space', 'a/b'],
  description: notName,
  type: [...notName, 'NO_SUCH_PROFILE', 'ats_profile'],
  cdn: ['no-such-cdn', -5, 9_999_999, true, {}],
  routingDisabled: notFlag,
} as const

const copy = { id: 'int', name: 'text', profileCopyFrom: 'text', idCopyFrom: 'int', description: 'text' } as const

export const profiles: readonly Line[] = [
  { row: 'GET /profiles', role: 'any', shape: [profile] },
  { row: 'GET /profiles/trimmed', role: 'any', shape: [{ name: 'text' }] },
  {
    row: 'GET /profiles/:id',
    role: 'any',
    fill: async ({ id }) => ({ params: [await id('profiles', 'name=EDGE_ATS9')] }),
    shape: [profile],
  },
  {
    row: 'POST /profiles',
    role: 'oper',
    fill: async ({ id, next }) => {
      const n = next()
      const cdn = await id('cdns', 'name=stream')
      return { body: { name: `NEW-${n}`, description: `New ${n}`, type: 'ATS_PROFILE', cdn, routingDisabled: false } }
    },
    shape: [written],
    invalid: body,
  },
  {
    row: 'POST /profiles/name/:profile_name/copy/:profile_copy_from',
    role: 'oper',
    fill: ({ next }) => ({ params: [`COPY-${next()}`, 'EDGE_ATS9'] }),
    shape: { 'v1.1': [copy], 'v1.3': copy },
    free: [0],
  },
  {
    row: 'PUT /profiles/:id',
    role: 'oper',
    fill: async ({ make, next }) => ({
      params: [(await make('profile')).id],
      body: { name: `CHANGED-${next()}`, description: `Changed ${next()}`, type: 'ATS_PROFILE' },
    }),
    shape: { 'v1.1': written, 'v1.3': profile },
    invalid: body,
  },
  { row: 'DELETE /profiles/:id', role: 'oper', fill: async ({ make }) => ({ params: [(await make('profile')).id] }) },
]
