import type { RequestListener } from 'node:http'
import { expect } from 'chai'
import { describeCdn } from '../../api/operations/upstream/describe.js'
import { createFetchBytes } from '../../api/operations/upstream/fetchJson.js'
import { createLive } from '../../api/operations/upstream/liveState.js'
import { presentRouting } from '../../api/operations/upstream/routingSummary.js'
import { liveCdn } from './liveCdn.js'
import type { Played } from './upstreams.js'
import { documents, hangUp, play, status } from './upstreams.js'

const series = (value: string) => [{ value, time: 1795258270010, span: 1 }]
const load = (kbps: string, maxKbps: string, connections = '0') => ({
  kbps: series(kbps),
  maxKbps: series(maxKbps),
  'ats.proxy.process.http.current_client_connections': series(connections),
})

const states = {
  caches: {
    'edge-1': { isAvailable: true },
    'edge-2': { isAvailable: false },
    'edge-3': { isAvailable: true },
    'edge-4': { isAvailable: true },
    'edge-5': { isAvailable: true },
    'mid-1': { isAvailable: true },
    stranger: { isAvailable: true },
  },
  deliveryServices: { news: { isAvailable: false, disabledLocations: ['west'] } },
}
const stats = {
  caches: {
    'edge-1': load('1000', '11000', '5'),
    'edge-2': load('500', '11000', '7'),
    'edge-3': load('3000', '11000'),
    'edge-4': load('500', '11000'),
    'edge-5': load('9000', '11000'),
    'mid-1': load('9000', '11000'),
    stranger: load('9000', '11000'),
  },
}
const serviceStats = {
  deliveryService: { news: { 'total.tps_total': series('12.5') }, vod: { 'total.tps_total': series('30') } },
}
const routerStats = {
  stats: {
    dnsMap: { 'tr.live.example.net': { czCount: 10, missCount: 10 } },
    httpMap: {
      'tr.news.example.net': { czCount: 60, geoCount: 10, deepCzCount: 5, fedCount: 5 },
      'tr.vod.example.net': { czCount: 100 },
    },
  },
}
const monitor = documents({
  '/publish/CrStates': states,
  '/publish/CacheStats': stats,
  '/publish/DsStats': serviceStats,
})
const router = documents({ '/crs/stats': routerStats })
const zeros = { availablePercent: 0, unavailablePercent: 0, utilizedPercent: 0, maintenancePercent: 0 }

describe('live summaries', () => {
  let proxy: Played
  let behind: Record<string, RequestListener>
  let clock = 0
  const live = () => createLive({ fetch: createFetchBytes({ timeout: 500, bytes: 1_000_000 }), now: () => clock })

  beforeEach(async () => {
    behind = { 'mon-1.example.net:80': monitor, 'router-1.example.net:3334': router }
    // Every monitor and router is asked through this one, by its name.
    proxy = await play((request, response) => {
      const { host, port } = new URL(request.url ?? '')
      const behindIt = behind[port === '' ? `${host}:80` : host]
      return (behindIt ?? hangUp)(request, response)
    })
  })
  afterEach(() => proxy.close())
  const world = (wish: Omit<Parameters<typeof liveCdn>[0], 'proxy'> = {}) => liveCdn({ proxy: proxy.port, ...wish })

  it('health counts REPORTED edges that the monitor knows, most trouble first', async () => {
    const { data, demo } = world()
    expect(await live().health(data, [demo])).to.deep.equal({
      response: {
        totalOnline: 1,
        totalOffline: 1,
        cachegroups: [
          { name: 'west', online: 0, offline: 1 },
          { name: 'east', online: 1, offline: 0 },
        ],
      },
      warnings: [],
      age: 0,
    })
  })

  it('health over all CDNs passes over those without servers', async () => {
    const { data, cdns } = world()
    const { response, warnings } = await live().health(data, cdns)
    expect(response).to.include({ totalOnline: 1, totalOffline: 1 })
    expect(warnings).to.deep.equal([])
  })

  it('health of a service counts its own caches', async () => {
    const { data, news } = world()
    expect((await live().serviceHealth(data, news)).response).to.deep.equal({
      totalOnline: 1,
      totalOffline: 0,
      cachegroups: [{ name: 'east', online: 1, offline: 0 }],
    })
  })

  it('capacity shares out what edges can serve without what is reserved', async () => {
    // Four edges of 11000 - 1000 kbps; the fifth is OFFLINE.
    const { data, cdns, news } = world()
    expect((await live().capacity(data, cdns)).response).to.deep.equal({
      availablePercent: 87.5,
      unavailablePercent: 1.25,
      utilizedPercent: 10,
      maintenancePercent: 1.25,
    })
    expect((await live().serviceCapacity(data, news)).response).to.deep.equal({
      availablePercent: 80,
      unavailablePercent: 0,
      utilizedPercent: 20,
      maintenancePercent: 0,
    })
  })

  it('capacity is zero where nothing is left of it', async () => {
    const { data, demo } = world({ change: { parameters: world().data.all('parameters').map(reserveAll) } })
    expect((await live().capacity(data, [demo])).response).to.deep.equal(zeros)
  })

  it('routing shares out the answers of all routers by kind', async () => {
    const { data, demo } = world()
    const { response, warnings } = await live().routing(data, [demo])
    expect(warnings).to.deep.equal([])
    expect(response).to.deep.equal({
      ...{ cz: 85, geo: 5, miss: 5, deepCz: 2.5, fed: 2.5 },
      ...{ staticRoute: 0, err: 0, dsr: 0, regionalDenied: 0, regionalAlternate: 0 },
    })
    expect(presentRouting.cdns['1.1'](response)).to.have.all.keys('staticRoute', 'miss', 'geo', 'err', 'cz', 'dsr')
  })

  it('routing of a service counts its own hosts in the map of its type', async () => {
    const { data, news } = world()
    expect((await live().serviceRouting(data, news)).response).to.include({ cz: 75, geo: 12.5, deepCz: 6.25, miss: 0 })
    expect((await live().serviceRouting(data, { ...news, typeId: 6 })).response).to.include({ cz: 0, miss: 0 })
  })

  it('routing bears a pattern nobody can read, and one made to be slow', async () => {
    const deliveryServiceRegexes = [
      { id: 1, deliveryServiceId: 1, typeId: 7, pattern: '(', setNumber: 0 },
      { id: 2, deliveryServiceId: 1, typeId: 7, pattern: '(a+)+$', setNumber: 0 },
      { id: 3, deliveryServiceId: 1, typeId: 7, pattern: '\\.news\\.', setNumber: 0 },
    ]
    const { data, news } = world({ change: { deliveryServiceRegexes } })
    behind['router-1.example.net:3334'] = documents({
      '/crs/stats': { stats: { httpMap: { [`${'a'.repeat(5000)}!`]: { errCount: 1 }, 'x.news.y': { czCount: 1 } } } },
    })
    const { response, warnings } = await live().serviceRouting(data, news)
    expect(response.cz).to.equal(100)
    expect(warnings).to.deep.equal(['The host pattern ( cannot be read; answers for it are not counted.'])
  })

  it('state tells where clients of an unavailable service go', async () => {
    const { data, news } = world()
    expect((await live().serviceState(data, news)).response).to.deep.equal({
      enabled: true,
      failover: {
        enabled: true,
        configured: true,
        locations: ['west'],
        destination: { type: 'HTTP', location: 'http://spare.example.net' },
        limits: [{ metric: 'total_kbps', limit: 50_000 }],
      },
    })
    const dns = { ...news, typeId: 6, dnsBypassIp: '192.0.2.99', globalMaxMbps: null, globalMaxTps: 0 }
    expect((await live().serviceState(data, dns)).response.failover).to.deep.equal({
      enabled: true,
      configured: false,
      locations: ['west'],
      destination: { type: 'DNS', location: '192.0.2.99' },
    })
  })

  it('usage sums up what all caches serve and could, and the requests', async () => {
    behind['mon-1.example.net:80'] = documents({
      '/publish/CacheStats': {
        caches: {
          'edge-1': load('1500000', '20000000'),
          'mid-1': load('400000', '10400000'),
          'edge-3': load('100000', '10000000'),
          stranger: load('100000', '10000000'),
        },
      },
      '/publish/DsStats': serviceStats,
    })
    const { data, cdns } = world()
    expect((await live().usage(data, cdns)).response).to.deep.equal({ currentGbps: 2, tps: 42, maxGbps: 40 })
  })

  it('caches/stats lists everything together, then groups, then caches', async () => {
    const { data, demo } = world()
    const { response } = await live().cachesStats(data, [demo])
    expect(response.map(({ cachegroup, hostname }) => `${cachegroup}/${hostname}`)).to.deep.equal([
      ...['ALL/ALL', 'east/ALL', 'west/ALL'],
      ...['east/edge-1', 'east/mid-1', 'west/edge-2', 'west/edge-3', 'west/edge-4'],
    ])
    expect(response[0]).to.include({ profile: 'ALL', status: 'ALL', ip: null, connections: 12, kbps: 14_000 })
    expect(response[5]).to.deep.equal({
      profile: 'EDGE_PROFILE',
      hostname: 'edge-2',
      cachegroup: 'west',
      healthy: false,
      status: 'REPORTED',
      connections: 7,
      kbps: 500,
      ip: '192.0.2.2',
    })
  })

  describe('without anyone to ask', () => {
    it('are zero, with a warning', async () => {
      const { data, demo, news } = world({ monitors: [], routers: [] })
      const warnings = ['CDN demo has no traffic monitor that is ONLINE; nothing is known.']
      const none = { totalOnline: 0, totalOffline: 0, cachegroups: [] }
      expect(await live().health(data, [demo])).to.deep.equal({ response: none, warnings, age: 0 })
      expect(await live().serviceCapacity(data, news)).to.deep.equal({ response: zeros, warnings, age: 0 })
      expect((await live().usage(data, [demo])).response).to.deep.equal({ currentGbps: 0, tps: 0, maxGbps: 0 })
      expect((await live().serviceState(data, news)).response).to.deep.equal({
        enabled: false,
        failover: { enabled: false, configured: false, locations: [], destination: null },
      })
      const routed = await live().routing(data, [demo])
      expect(Object.values(routed.response).every((share) => share === 0)).to.equal(true)
      expect(routed.warnings).to.deep.equal(['CDN demo has no traffic router that is ONLINE; nothing is known.'])
      expect(proxy.asked).to.deep.equal([])
    })

    it('know nothing of a CDN without servers', async () => {
      const { data, cdns } = world()
      const { response, warnings } = await live().health(data, [cdns[2]!])
      expect(response.totalOnline).to.equal(0)
      expect(warnings).to.have.length(1)
    })
  })

  it('turn to the next monitor, and then to what was said before', async () => {
    const { data, demo } = world()
    const summaries = live()
    behind['mon-1.example.net:80'] = status(503)
    behind['mon-2.example.net:80'] = monitor
    const second = await summaries.health(data, [demo])
    expect(second.response.totalOnline).to.equal(1)
    expect(second.warnings).to.deep.equal(['Traffic monitor mon-1.example.net of CDN demo answered with status 503.'])

    behind['mon-2.example.net:80'] = status(503)
    clock += 42_400
    const later = await summaries.health(data, [demo])
    expect(later.response).to.deep.equal(second.response)
    expect(later.age).to.equal(42)
    expect(later.warnings.at(-1)).to.equal('What is told of CDN demo was said 42 s ago.')
    expect(summaries.ages()).to.deep.include({
      document: 'CrStates',
      name: 'mon-2.example.net',
      age: 42_400,
      fault: 'answered with status 503',
    })
  })

  it('say how much could not be read', async () => {
    behind['mon-1.example.net:80'] = documents({
      '/publish/CrStates': { caches: { ...states.caches, 'edge-2': { isAvailable: 'no' }, __proto__x: 5 } },
    })
    const { data, demo } = world()
    const { response, warnings } = await live().health(data, [demo])
    expect(response).to.include({ totalOnline: 1, totalOffline: 0 })
    expect(warnings).to.deep.equal(['Of what was said of CDN demo, 2 entries could not be read.'])
  })

  it('ask a thousand times what they are asked a thousand times only once', async () => {
    const { data, demo } = world()
    const summaries = live()
    await Promise.all(Array.from({ length: 1000 }, () => summaries.capacity(data, [demo])))
    expect(proxy.asked).to.have.length(2)
  })

  describe('take from the records', () => {
    it('whom to ask: ONLINE monitors and routers, at their ports', () => {
      const { data, demo } = world()
      const { monitors, routers } = describeCdn(data, demo)
      const through = { host: '127.0.0.1', port: proxy.port }
      expect(monitors.map(({ host, port }) => `${host}:${port}`)).to.deep.equal([
        'mon-1.example.net:80',
        'mon-2.example.net:80',
      ])
      expect(routers).to.deep.equal([
        { name: 'router-1.example.net', host: 'router-1.example.net', port: 3334, proxy: through },
      ])
    })

    it('no proxy from a parameter that is no URL of one', () => {
      for (const value of ['https://proxy.example.net', 'proxy:80', 'none', 'file:///etc/passwd']) {
        const parameters = world()
          .data.all('parameters')
          .map((parameter) => ({ ...parameter, profiles: [3], value }))
        const { data, demo } = world({ change: { parameters } })
        const { monitors, warnings } = describeCdn(data, demo)
        expect(monitors[0]!.proxy, value).to.equal(null)
        expect(warnings[0]).to.equal('Parameter tm.traffic_mon_fwd_proxy is not an http:// URL; no proxy is used.')
      }
    })

    it('the usual port where a router names none', () => {
      const parameters = world()
        .data.all('parameters')
        .map((parameter) => ({ ...parameter, profiles: [2], value: '70000' }))
      const { data, demo } = world({ change: { parameters } })
      expect(describeCdn(data, demo).routers[0]!.port).to.equal(3333)
    })
  })

  it('ask a monitor directly when there is no proxy', async () => {
    const direct = await play(monitor)
    const { data, demo } = world({ monitors: ['127'], change: { parameters: [] } })
    const servers = data
      .all('servers')
      .map((server) => (server.hostName === '127' ? { ...server, domainName: '0.0.1', tcpPort: direct.port } : server))
    const local = world({ change: { parameters: [], servers } })
    expect((await live().health(local.data, [demo])).response.totalOnline).to.equal(1)
    await direct.close()
  })
})

const reserveAll = (parameter: { readonly name: string }) => ({ ...parameter, profiles: [1], value: '>11000' })
