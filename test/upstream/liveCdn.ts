import type { Reader } from '../../compiler/core/reader.js'
import { recorder } from '../../compiler/core/readSet.js'
import type { Cdn, DeliveryService, KindName, Model } from '../../compiler/data/model.js'
import { modelSchema } from '../../compiler/data/model.js'
import { WorkingSet } from '../../compiler/data/workingSet.js'

/** Records as far as live summaries look at them. */
type Sketch = { [K in KindName]?: readonly (Partial<Model[K]> & { profiles?: readonly number[] })[] }

interface Wish {
  /** The port of the proxy that stands for every monitor and router. */
  readonly proxy: number
  readonly monitors?: readonly string[]
  readonly routers?: readonly string[]
  readonly change?: Sketch
}

/**
 * A CDN `demo` with four edges and a mid in two cache groups, and the service `news` on two of the edges; `other`,
 * a CDN without anything; and ALL. Monitors and routers are asked through a proxy, so that their names need not resolve.
 */
export function liveCdn({ proxy, monitors = ['mon-1', 'mon-2'], routers = ['router-1'], change = {} }: Wish) {
  const url = `http://127.0.0.1:${proxy}`
  const sketch: Sketch = {
    cdns: [
      { id: 1, name: 'ALL' },
      { id: 2, name: 'demo' },
      { id: 3, name: 'other' },
    ],
    types: ['EDGE', 'MID', 'RASCAL', 'CCR', 'HTTP', 'DNS', 'HOST_REGEXP', 'PATH_REGEXP'].map(numbered),
    statuses: ['ONLINE', 'REPORTED', 'OFFLINE', 'ADMIN_DOWN'].map(numbered),
    cachegroups: ['east', 'west'].map(numbered),
    profiles: ['EDGE_PROFILE', 'ROUTER_PROFILE', 'GLOBAL'].map(numbered),
    parameters: [
      parameter(1, 1, 'rascal.properties', 'health.threshold.availableBandwidthInKbps', '>1000'),
      parameter(2, 2, 'server.xml', 'api.port', '3334'),
      parameter(3, 3, 'global', 'tm.traffic_mon_fwd_proxy', url),
      parameter(4, 3, 'global', 'tm.traffic_rtr_fwd_proxy', `${url}/`),
    ],
    servers: [
      server(1, 'edge-1', { typeId: 1, statusId: 2, cachegroupId: 1 }),
      server(2, 'edge-2', { typeId: 1, statusId: 2, cachegroupId: 2 }),
      server(3, 'edge-3', { typeId: 1, statusId: 1, cachegroupId: 2 }),
      server(4, 'edge-4', { typeId: 1, statusId: 4, cachegroupId: 2 }),
      server(5, 'edge-5', { typeId: 1, statusId: 3, cachegroupId: 2 }),
      server(6, 'mid-1', { typeId: 2, statusId: 2, cachegroupId: 1 }),
      server(7, 'mon-0', { typeId: 3, statusId: 3 }),
      ...monitors.map((name, at) => server(20 + at, name, { typeId: 3, statusId: 1 })),
      ...routers.map((name, at) => server(40 + at, name, { typeId: 4, statusId: 1, profileId: 2 })),
    ],
    deliveryServices: [
      {
        id: 1,
        xmlId: 'news',
        cdnId: 2,
        typeId: 5,
        active: true,
        globalMaxMbps: 50,
        httpBypassFqdn: 'spare.example.net',
      },
    ],
    deliveryServiceRegexes: [
      { id: 1, deliveryServiceId: 1, typeId: 7, pattern: '.*\\.news\\..*', setNumber: 0 },
      { id: 2, deliveryServiceId: 1, typeId: 8, pattern: '.*', setNumber: 0 },
    ],
    deliveryServiceServers: [1, 3].map((id) => ({ id, deliveryServices: [1] })),
  }
  const data = readerOf({ ...sketch, ...change })
  return { data, cdns: data.all('cdns'), demo: found<Cdn>(data.get('cdns', 2)), news: newsOf(data) }
}

function readerOf(sketch: Sketch): Reader {
  const workingSet = new WorkingSet(modelSchema)
  const records = Object.entries(sketch).flatMap(([kind, records]) =>
    records.map((record) => ({ kind, record: record as { id: number }, revision: 1 })),
  )
  workingSet.load(1, records)
  return recorder(workingSet, { grain: 'seen' }).data
}

const newsOf = (data: Reader) => found<DeliveryService>(data.get('deliveryServices', 1))

function found<T>(record: T | undefined): T {
  if (record === undefined) throw new Error('the CDN of the live tests lacks a record')
  return record
}

const numbered = (name: string, at: number) => ({ id: at + 1, name })

const server = (id: number, hostName: string, changes: Partial<Model['servers']>): Partial<Model['servers']> => ({
  id,
  hostName,
  domainName: 'example.net',
  cdnId: 2,
  cachegroupId: 1,
  profileId: 1,
  tcpPort: 80,
  ipAddress: `192.0.2.${id}`,
  ...changes,
})

const parameter = (id: number, profile: number, configFile: string, name: string, value: string) => ({
  id,
  profiles: [profile],
  configFile,
  name,
  value,
})
