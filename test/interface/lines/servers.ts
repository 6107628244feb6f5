import type { Line } from '../line.js'
import { notName } from '../line.js'
import { maybe } from '../shape.js'
import { service12, services } from './deliveryServices.js'

const shown = {
  cachegroup: 'text',
  domainName: 'text',
  hostName: 'text',
  httpsPort: 'num?',
  id: 'id',
  iloIpAddress: 'text?',
  iloIpGateway: 'text?',
  iloIpNetmask: 'text?',
  iloPassword: 'text?',
  iloUsername: 'text?',
  interfaceMtu: 'num',
  interfaceName: 'text',
  ip6Address: 'text?',
  ip6Gateway: 'text?',
  ipAddress: 'text',
  ipGateway: 'text',
  ipNetmask: 'text',
  lastUpdated: 'time',
  mgmtIpAddress: 'text?',
  mgmtIpGateway: 'text?',
  mgmtIpNetmask: 'text?',
  physLocation: 'text',
  profile: 'text',
  rack: 'text?',
  routerHostName: 'text?',
  routerPortName: 'text?',
  status: 'text',
  tcpPort: 'num?',
  type: 'text',
} as const

const server = {
  ...shown,
  cachegroupId: 'id',
  cdnId: 'id',
  cdnName: 'text',
  guid: 'text?',
  offlineReason: 'text?',
  physLocationId: 'id',
  profileDesc: 'text',
  profileId: 'id',
  statusId: 'id',
  typeId: 'id',
  updPending: 'bool',
} as const

const gone = Object.fromEntries(
  [
    'cachegroupId',
    'cdnId',
    'cdnName',
    'guid',
    'offlineReason',
    'physLocationId',
    'profileDesc',
    'profileId',
    'statusId',
    'typeId',
    'updPending',
  ].map((name) => [name, 'absent']),
)

const ofEdge = async ({ id }: { id(list: string, filter: string): Promise<number> }) => ({
  params: [await id('servers', 'hostName=edge-chi-01')],
})

export const servers: readonly Line[] = [
  { row: 'GET /servers', role: 'any', shape: [server] },
  { row: 'GET /servers/:id', role: 'any', fill: ofEdge, shape: [server] },
  { row: 'GET /servers/summary', role: 'any', shape: [{ count: 'int', type: 'text' }] },
  { row: 'GET /servers/totals', role: 'any', shape: [{ count: 'int', type: 'text' }] },
  { row: 'GET /servers/status', role: 'any', shape: { ONLINE: 'int', REPORTED: 'int', OFFLINE: 'int', '*': 'int' } },
  {
    row: 'GET /servers/hostname/:name/details',
    role: 'any',
    fill: () => ({ params: ['edge-chi-01'] }),
    shape: {
      ...shown,
      ...gone,
      deliveryservices: maybe('id'),
      hardwareInfo: { '*': 'text' },
      xmppId: 'text?',
      xmppPasswd: 'text?',
    },
  },
  {
    row: 'GET /servers/:id/deliveryservices',
    role: 'any',
    fill: ofEdge,
    shape: { 'v1.1': [service12], 'v1.2': services['v1.2'], 'v1.3': services['v1.3'] },
  },
  {
    row: 'POST /servercheck',
    role: 'any',
    fill: async ({ id }) => ({
      body: {
        id: await id('servers', 'hostName=edge-chi-01'),
        host_name: 'edge-chi-01',
        servercheck_short_name: 'ILO',
        value: 1,
      },
    }),
    toldAs: { servercheck_short_name: /servercheck_short_name|Server Check Extension/ },
    invalid: {
      servercheck_short_name: [...notName.filter((value) => value !== 'two\nlines'), 'NO_SUCH_CHECK'],
      value: [null, 'x', 1.5, {}, [1]],
    },
  },
]
