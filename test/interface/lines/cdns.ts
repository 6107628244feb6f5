import type { Line } from '../line.js'
import { notFlag, notName } from '../line.js'
import { maybe } from '../shape.js'
import { capacity, health, routing } from './deliveryServices.js'

const cdn = { id: 'id', name: 'text', domainName: 'text', dnssecEnabled: 'bool', lastUpdated: 'time' } as const
const written = { id: 'int', name: 'text', domainName: 'text', dnssecEnabled: 'bool' } as const
const body = {
  name: [...notName, 'with space', 'a/b'],
  domainName: [...notName, 'with space', 'a..b', '-x.example'],
  dnssecEnabled: notFlag,
} as const

const ofStream = () => ({ params: ['stream'] })

/** The keys of a zone: objects with times as text before 1.3, the field's lists with numbers from then on. */
const key = (time: string) => ({
  ttl: 'any',
  inceptionDate: time,
  expirationDate: time,
  private: 'text',
  public: 'text',
  name: 'text',
})

const withKeys = async (world: Parameters<NonNullable<Line['fill']>>[0]) => {
  const made = await world.make('cdn')
  await world.send('POST', 'cdns/dnsseckeys/generate', keysFor(made))
  // On a machine that has much to do they are still being made.
  const progress = () => world.send('GET', `cdns/name/${made.name}/dnsseckeys/progress`) as Promise<{ state: string }>
  while ((await progress()).state === 'making') await new Promise(setImmediate)
  return { params: [made.name as string] }
}

const keysFor = ({ name, domainName }: { readonly [key: string]: unknown }) => ({
  key: name,
  name: domainName,
  ttl: '60',
  kskExpirationDays: '365',
  zskExpirationDays: '30',
})

export const cdns: readonly Line[] = [
  { row: 'GET /cdns', role: 'any', shape: [cdn] },
  {
    row: 'GET /cdns/:id',
    role: 'any',
    fill: async ({ id }) => ({ params: [await id('cdns', 'name=stream')] }),
    shape: [cdn],
  },
  { row: 'GET /cdns/name/:name', role: 'any', fill: ofStream, shape: [cdn] },
  {
    row: 'POST /cdns',
    role: 'oper',
    fill: ({ next }) => {
      const n = next()
      return { body: { name: `new-${n}`, domainName: `new-${n}.example.net`, dnssecEnabled: true } }
    },
    shape: written,
    invalid: body,
  },
  {
    row: 'PUT /cdns/:id',
    role: 'oper',
    fill: async ({ make, next }) => {
      const n = next()
      return {
        params: [(await make('cdn')).id],
        body: { name: `changed-${n}`, domainName: `changed-${n}.example.net`, dnssecEnabled: false },
      }
    },
    shape: written,
    invalid: body,
  },
  { row: 'DELETE /cdns/:id', role: 'oper', fill: async ({ make }) => ({ params: [(await make('cdn')).id] }) },
  {
    row: 'POST /cdns/:id/queue_update',
    role: 'oper',
    fill: async ({ id }) => ({ params: [await id('cdns', 'name=stream')], body: { action: 'queue' } }),
    shape: { action: 'text', cdnId: 'int' },
    invalid: { action: ['', null, 'que', 1, {}] },
  },
  { row: 'GET /cdns/health', role: 'any', shape: health },
  { row: 'GET /cdns/:name/health', role: 'any', fill: ofStream, shape: health },
  { row: 'GET /cdns/usage/overview', role: 'any', shape: { currentGbps: 'number', tps: 'int', maxGbps: 'int' } },
  { row: 'GET /cdns/capacity', role: 'any', shape: capacity },
  { row: 'GET /cdns/routing', role: 'any', shape: routing },
  {
    row: 'GET /cdns/metric_types/:metric/start_date/:start/end_date/:end',
    role: 'any',
    fill: () => ({ params: ['ooff', 1_700_000_000, 'now'] }),
    status: 501,
    free: [0, 1, 2],
  },
  {
    row: 'GET /cdns/domains',
    role: 'any',
    shape: [
      { profileId: 'id', parameterId: 'any', profileName: 'text', profileDescription: 'text', domainName: 'text' },
    ],
  },
  {
    row: 'GET /cdns/:cdn_name/configs',
    role: 'any',
    fill: ofStream,
    shape: [{ id: 'id', value: 'text', name: 'text', config_file: 'text' }],
  },
  {
    row: 'GET /cdns/:name/configs/monitoring',
    role: 'any',
    fill: ofStream,
    shape: {
      trafficServers: [
        {
          profile: 'text',
          ip: 'text',
          status: 'text',
          cacheGroup: 'text',
          ip6: 'text',
          port: 'int',
          hostName: 'text',
          fqdn: 'text',
          interfaceName: 'text',
          type: 'text',
          hashId: 'text',
        },
      ],
      cacheGroups: [{ name: 'text', coordinates: { longitude: 'number', latitude: 'number' } }],
      config: { '*': 'any' },
      trafficMonitors: [
        {
          profile: 'text',
          location: 'text',
          ip: 'text',
          status: 'text',
          ip6: 'text',
          port: 'int',
          hostName: 'text',
          fqdn: 'text',
        },
      ],
      deliveryServices: [{ xmlId: 'text', totalTpsThreshold: 'int', status: 'text', totalKbpsThreshold: 'int' }],
      profiles: [{ name: 'text', type: 'text', parameters: 'any' }],
    },
  },
  {
    row: 'GET /cdns/:name/configs/routing',
    role: 'any',
    fill: ofStream,
    shape: {
      trafficServers: [
        { hostName: 'text', port: 'int', deliveryServices: maybe({ xmlId: 'text', remaps: maybe('text') }) },
      ],
      stats: { cdnName: 'text', date: 'int' },
      cacheGroups: [{ name: 'text' }],
      config: { '*': 'any' },
      trafficMonitors: [{ hostName: 'text', port: 'int' }],
      deliveryServices: [
        {
          xmlId: 'text',
          ttl: 'int?',
          coverageZoneOnly: 'bool',
          matchSets: [{ protocol: 'text', matchList: [{ regex: 'text', matchType: 'text' }] }],
        },
      ],
      trafficRouters: [{ hostName: 'text', port: 'int', apiPort: 'int', location: 'text' }],
    },
  },
  {
    row: 'GET /cdns/name/:name/dnsseckeys',
    role: 'admin',
    fill: withKeys,
    shape: {
      'v1.1': {
        '*': {
          zsk: key('id'),
          ksk: { ...key('id'), dsRecord: { algorithm: 'text', digestType: 'text', digest: 'text' } },
        },
      },
      'v1.3': { '*': { zsk: [key('int')], ksk: [key('int')] } },
    },
  },
  { row: 'GET /cdns/name/:name/dnsseckeys/delete', role: 'admin', fill: withKeys, shape: 'text' },
  {
    row: 'POST /deliveryservices/dnsseckeys/generate',
    role: 'admin',
    fill: async ({ make }) => ({ body: keysFor(await make('cdn')) }),
    shape: 'text',
    // What is missing is said in one line, as the field's clients know it.
    atOnce: 1,
    invalid: {
      key: ['', null, 5, {}],
      name: ['', null, 5, {}, 'no-such-domain.example'],
      ttl: ['', null, 'x', '0', '-1', {}],
      kskExpirationDays: ['', null, 'x', '0', '-1', {}],
      zskExpirationDays: ['', null, 'x', '0', '-1', {}],
    },
  },
  {
    row: 'GET /cdns/name/:name/sslkeys',
    role: 'admin',
    fill: ofStream,
    shape: [{ deliveryservice: 'text', certificate: { key: 'text', crt: 'text' } }],
  },
]
