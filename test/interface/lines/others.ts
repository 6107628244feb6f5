import type { Line } from '../line.js'
import { notFlag, notId, notName } from '../line.js'

const mapping = { id: 'int', httpMethod: 'text', httpRoute: 'text', capability: 'text', lastUpdated: 'time' } as const
const mappingBody = {
  httpMethod: [...notName, 'get', 'HEAD'],
  httpRoute: [...notName, 'with space'],
  capability: ['', null, 'no-such-capability', true, {}],
} as const
const capability = { name: 'text', description: 'text', lastUpdated: 'time' } as const

const origin = {
  cachegroup: 'text?',
  cachegroupId: 'int?',
  coordinate: 'text?',
  coordinateId: 'int?',
  deliveryService: 'text',
  deliveryServiceId: 'int',
  fqdn: 'text',
  id: 'int',
  ip6Address: 'text?',
  ipAddress: 'text?',
  isPrimary: 'bool',
  lastUpdated: 'zoned',
  name: 'text',
  port: 'int?',
  profile: 'text?',
  profileId: 'int?',
  protocol: 'text',
  tenant: 'text',
  tenantId: 'int',
} as const
const wrongId = ['no-such-name', -5, 9_999_999, true, {}]
const originBody = {
  deliveryServiceId: notId,
  fqdn: [...notName, 'with space', 'a..b'],
  name: [...notName, 'with space'],
  protocol: [...notName, 'ftp'],
  cachegroupId: wrongId,
  coordinateId: wrongId,
  profileId: wrongId,
  tenantId: wrongId,
  ip6Address: ['x', '192.0.2.1', '2001:db8::1/129', true, {}],
  ipAddress: ['x', '192.0.2.256', '2001:db8::1', true, {}],
  port: ['x', -1, 65_536, 1.5, true, {}],
} as const

const extension = {
  id: 'id',
  name: 'text',
  version: 'text',
  info_url: 'text',
  script_file: 'text',
  additional_config_json: 'text?',
  description: 'text?',
  servercheck_short_name: 'text?',
  type: 'text',
} as const

const extensionBody = (n: number) => ({
  name: `EXTENSION_${n}`,
  version: '1.0',
  info_url: '-',
  script_file: 'check.pl',
  isactive: '1',
  additional_config_json: '{}',
  description: 'Of the table',
  servercheck_short_name: `T${n}`,
  type: 'CHECK_EXTENSION_NUM',
})

const entry = { id: 'id', ticketNum: 'any', level: 'text', lastUpdated: 'time', user: 'text', message: 'text' } as const

const federation = ({ id }: { id(list: string, filter: string): Promise<number> }) =>
  id('cdns/stream/federations', 'limit=1')

export const others: readonly Line[] = [
  { row: 'GET /api_capabilities', role: 'any', shape: [mapping] },
  {
    row: 'GET /api_capabilities/:id',
    role: 'any',
    fill: async ({ make }) => ({ params: [(await make('mapping')).id] }),
    shape: [mapping],
  },
  {
    row: 'POST /api_capabilities',
    role: 'oper',
    fill: ({ next }) => ({ body: { httpMethod: 'GET', httpRoute: `new/${next()}`, capability: 'cdns-read' } }),
    shape: mapping,
    invalid: mappingBody,
  },
  {
    row: 'PUT /api_capabilities/:id',
    role: 'oper',
    fill: async ({ make, next }) => ({
      params: [(await make('mapping')).id],
      body: { httpMethod: 'POST', httpRoute: `changed/${next()}`, capability: 'cdns-write' },
    }),
    shape: mapping,
    invalid: mappingBody,
  },
  {
    row: 'DELETE /api_capabilities/:id',
    role: 'oper',
    fill: async ({ make }) => ({ params: [(await make('mapping')).id] }),
  },
  { row: 'GET /capabilities', role: 'any', shape: [capability] },
  { row: 'GET /capabilities/:name', role: 'any', fill: () => ({ params: ['cdns-read'] }), shape: [capability] },
  {
    row: 'POST /capabilities',
    role: 'oper',
    fill: ({ next }) => ({ body: { name: `new-${next()}`, description: 'New' } }),
    shape: { name: 'text', description: 'text' },
    invalid: { name: [...notName, 'with space'], description: notName },
  },
  {
    row: 'PUT /capabilities/:name',
    role: 'oper',
    fill: async ({ make, next }) => ({
      params: [(await make('capability')).name as string],
      body: { description: `Changed ${next()}` },
    }),
    shape: { name: 'text', description: 'text' },
    invalid: { description: notName },
  },
  {
    row: 'DELETE /capabilities/:name',
    role: 'oper',
    fill: async ({ make }) => ({ params: [(await make('capability')).name as string] }),
  },
  { row: 'GET /origins', role: 'any', shape: [origin] },
  {
    row: 'POST /origins',
    role: 'oper',
    fill: async ({ id, next }) => ({
      body: {
        name: `new-${next()}`,
        fqdn: 'new.example.org',
        protocol: 'http',
        port: 8080,
        deliveryServiceId: await id('deliveryservices', 'xmlId=vod'),
      },
    }),
    shape: origin,
    invalid: originBody,
  },
  {
    row: 'PUT /origins',
    role: 'oper',
    fill: async ({ make, next }) => {
      const { id, deliveryServiceId } = await make('origin')
      return {
        query: `id=${id}`,
        body: { id, name: `changed-${next()}`, fqdn: 'changed.example.org', protocol: 'http', deliveryServiceId },
      }
    },
    shape: origin,
    invalid: originBody,
  },
  { row: 'DELETE /origin', role: 'oper', fill: async ({ make }) => ({ query: `id=${(await make('origin')).id}` }) },
  {
    row: 'GET /to_extensions',
    role: 'any',
    shape: { 'v1.1': [{ ...extension, isactive: 'id' }], 'v1.3': [{ ...extension, isactive: 'bool' }] },
  },
  {
    row: 'POST /to_extensions',
    role: 'any',
    fill: ({ next }) => ({ body: extensionBody(next()) }),
    // Without a known type nobody knows whether it is a check, which needs a short name.
    atOnce: 8,
    invalid: {
      name: notName,
      version: notName,
      info_url: notName,
      script_file: notName,
      isactive: notFlag,
      additional_config_json: ['nul\u0000', true, {}],
      description: ['nul\u0000', true, {}],
      servercheck_short_name: notName,
      type: [...notName, 'NO_SUCH_EXTENSION'],
    },
  },
  {
    row: 'POST /to_extensions/:id/delete',
    role: 'any',
    fill: async (world) => {
      const body = { ...extensionBody(world.next()), type: 'CONFIG_EXTENSION' }
      await world.send('POST', 'to_extensions', body)
      return { params: [await world.id('to_extensions', `name=${body.name}`)] }
    },
  },
  {
    row: 'GET /federations/:id/users',
    role: 'any',
    fill: async (world) => ({ params: [await federation(world)] }),
    shape: [{ id: 'int', username: 'text', company: 'text?', role: 'text', email: 'text', fullName: 'text' }],
  },
  {
    row: 'POST /federations/:id/users',
    role: 'admin',
    fill: async (world) => ({
      params: [await federation(world)],
      body: { userIds: [(await world.make('user')).id], replace: false },
    }),
    shape: { userIds: ['int'], replace: 'bool' },
    invalid: { userIds: [null, 5, 'x', {}, ['x'], [1.5], [9_999_999]], replace: notFlag },
    toldAs: { userIds: /user/i },
  },
  {
    row: 'DELETE /federations/:id/users/:id',
    role: 'admin',
    fill: async (world) => {
      const [id, user] = [await federation(world), (await world.make('user')).id]
      await world.send('POST', `federations/${id}/users`, { userIds: [user] })
      return { params: [id, user] }
    },
  },
  { row: 'GET /logs', role: 'any', shape: [entry] },
  { row: 'GET /logs/:days/days', role: 'any', fill: () => ({ params: [2] }), shape: [entry], free: [0] },
  {
    row: 'GET /logs/newcount',
    role: 'any',
    shape: { 'v1.1': { newLogcount: 'int' }, 'v1.2': { newLogcount: 'id' }, 'v1.3': { newLogcount: 'int' } },
  },
]
