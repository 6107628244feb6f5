import type { Line } from '../line.js'
import { notId, notInteger, notName } from '../line.js'
import { maybe } from '../shape.js'

/** What every version shows; `num` is a string of digits before 1.3. */
const common = {
  active: 'bool',
  cacheurl: 'text?',
  ccrDnsTtl: 'num?',
  cdnId: 'id',
  cdnName: 'text',
  checkPath: 'text?',
  displayName: 'text',
  dnsBypassCname: 'text?',
  dnsBypassIp: 'text?',
  dnsBypassIp6: 'text?',
  dnsBypassTtl: 'num?',
  dscp: 'num',
  edgeHeaderRewrite: 'text?',
  midHeaderRewrite: 'text?',
  exampleURLs: maybe('text'),
  geoLimit: 'num',
  geoLimitCountries: 'text?',
  geoLimitRedirectUrl: 'text?',
  geoProvider: 'num',
  globalMaxMbps: 'num?',
  globalMaxTps: 'num?',
  httpBypassFqdn: 'text?',
  id: 'id',
  infoUrl: 'text?',
  initialDispersion: 'num?',
  ipv6RoutingEnabled: 'bool',
  lastUpdated: 'time',
  logsEnabled: 'bool',
  longDesc: 'text?',
  longDesc1: 'text?',
  longDesc2: 'text?',
  matchList: maybe({ type: 'text', setNumber: 'id', pattern: 'text' }),
  maxDnsAnswers: 'num?',
  missLat: 'num?',
  missLong: 'num?',
  multiSiteOrigin: 'bool',
  multiSiteOriginAlgorithm: 'num?',
  orgServerFqdn: 'text?',
  originShield: 'text?',
  profileDescription: 'text?',
  profileId: 'id?',
  profileName: 'text?',
  protocol: 'num?',
  qstringIgnore: 'num?',
  rangeRequestHandling: 'num?',
  regexRemap: 'text?',
  regionalGeoBlocking: 'bool',
  remapText: 'text?',
  signed: 'bool',
  sslKeyVersion: 'num?',
  trRequestHeaders: 'text?',
  trResponseHeaders: 'text?',
  type: 'text',
  typeId: 'id',
  xmlId: 'text',
} as const

const newer = { deepCachingType: 'text', routingName: 'text', tenant: 'text', tenantId: 'int' } as const
const service11 = {
  ...common,
  signingAlgorithm: 'text?',
  deepCachingType: 'absent',
  routingName: 'absent',
  tenant: 'absent',
  tenantId: 'absent',
} as const
export const service12 = { ...common } as const

export const services = {
  'v1.1': [service11],
  'v1.2': [{ ...common, ...newer, signingAlgorithm: 'absent' }],
  'v1.3': [{ ...common, ...newer, signingAlgorithm: 'text?' }],
} as const

export const health = {
  totalOnline: 'int',
  totalOffline: 'int',
  cachegroups: maybe({ online: 'int', offline: 'int', name: 'text' }),
} as const
export const capacity = {
  availablePercent: 'number',
  unavailablePercent: 'number',
  utilizedPercent: 'number',
  maintenancePercent: 'number',
} as const
export const routing = {
  staticRoute: 'number',
  miss: 'number',
  geo: 'number',
  err: 'number',
  cz: 'number',
  dsr: 'number',
} as const

const read = { 'v1.1': { id: 'id', type: 'id', typeName: 'text', pattern: 'text', setNumber: 'id' } } as const
const regex = [read['v1.1']] as const
const regexBody = { pattern: [...notName, '(', 'with space'], type: notId, setNumber: [null, ...notInteger] } as const

const ofVod = async ({ id }: { id(list: string, filter: string): Promise<number> }) => ({
  params: [await id('deliveryservices', 'xmlId=vod')],
})

export const deliveryServices: readonly Line[] = [
  { row: 'GET /deliveryservices', role: 'any', shape: services },
  { row: 'GET /deliveryservices/:id', role: 'any', fill: ofVod, shape: services },
  {
    row: 'GET /deliveryservices/:id/state',
    role: 'any',
    fill: ofVod,
    shape: {
      enabled: 'bool',
      failover: { locations: maybe('text'), destination: 'any', configured: 'bool', enabled: 'bool' },
    },
  },
  { row: 'GET /deliveryservices/:id/health', role: 'any', fill: ofVod, shape: health },
  { row: 'GET /deliveryservices/:id/capacity', role: 'any', fill: ofVod, shape: capacity },
  { row: 'GET /deliveryservices/:id/routing', role: 'any', fill: ofVod, shape: routing },
  {
    row: 'GET /deliveryservices_regexes',
    role: 'oper',
    shape: [{ dsName: 'text', regexes: maybe({ type: 'text', pattern: 'text', setNumber: 'id' }) }],
  },
  { row: 'GET /deliveryservices/:dsId/regexes', role: 'any', fill: ofVod, shape: regex },
  {
    row: 'GET /deliveryservices/:dsId/regexes/:id',
    role: 'any',
    fill: async (world) => ({ params: [...(await ofVod(world)).params, (await world.make('regex')).id] }),
    shape: regex,
  },
  {
    row: 'POST /deliveryservices/:dsId/regexes',
    role: 'oper',
    fill: async (world) => ({
      ...(await ofVod(world)),
      body: {
        pattern: `.*\\.new-${world.next()}\\..*`,
        type: await world.id('types', 'name=HOST_REGEXP'),
        setNumber: 9,
      },
    }),
    shape: { id: 'int', type: 'int', typeName: 'text', pattern: 'text', setNumber: 'int' },
    invalid: regexBody,
  },
  {
    row: 'PUT /deliveryservices/:dsId/regexes/:id',
    role: 'oper',
    fill: async (world) => {
      const { id, type } = await world.make('regex')
      return {
        params: [...(await ofVod(world)).params, id],
        body: { pattern: `.*\\.changed-${world.next()}\\..*`, type, setNumber: 9 },
      }
    },
    shape: { id: 'int', type: 'int', typeName: 'text', pattern: 'text', setNumber: 'int' },
    invalid: regexBody,
  },
  {
    row: 'DELETE /deliveryservices/:dsId/regexes/:id',
    role: 'oper',
    fill: async (world) => ({ params: [...(await ofVod(world)).params, (await world.make('regex')).id] }),
  },
  {
    row: 'POST /cachegroups/:id/deliveryservices',
    role: 'oper',
    fill: async (world) => ({
      params: [await world.id('cachegroups', 'name=edge-chi')],
      body: { deliveryServices: [await world.id('deliveryservices', 'xmlId=vod')] },
    }),
    shape: { id: 'int', serverNames: ['text'], deliveryServices: ['int'] },
    invalid: { deliveryServices: [null, 5, 'x', {}, ['x'], [1.5], [9_999_999]] },
  },
]
