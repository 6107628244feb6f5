import type { RequestListener } from 'node:http'
import { expect } from 'chai'
import type { TestServer } from '../build.js'
import { buildServer } from '../build.js'
import type { Network } from '../resources/smallNetwork.js'
import { smallNetwork } from '../resources/smallNetwork.js'
import type { Played } from './upstreams.js'
import { documents, endless, hangUp, play, silent, text } from './upstreams.js'

const series = (value: string) => [{ value, time: 1795258270010, span: 1 }]
const load = (kbps: string) => ({ kbps: series(kbps), maxKbps: series('10000') })
const monitor = documents({
  '/publish/CrStates': {
    caches: { 'edge-a': { isAvailable: true }, 'edge-b': { isAvailable: false } },
    deliveryServices: { news: { isAvailable: false, disabledLocations: ['edge-group'] } },
  },
  '/publish/CacheStats': { caches: { 'edge-a': load('2000'), 'edge-b': load('1000') } },
  '/publish/DsStats': { deliveryService: { news: { 'total.tps_total': series('12.5') } } },
})
const router = documents({
  '/crs/stats': {
    stats: {
      dnsMap: {},
      httpMap: { 'cdn.news.net.example': { czCount: 75, geoCount: 25 }, 'cdn.other.net.example': { missCount: 100 } },
    },
  },
})
const zeros = { availablePercent: 0, unavailablePercent: 0, utilizedPercent: 0, maintenancePercent: 0 }

describe('live state over HTTP', () => {
  let app: TestServer
  let net: Network
  let proxy: Played
  let behind: Record<string, RequestListener>
  let news: number

  /** A service with a network of its own: what upstreams said is kept for some seconds. */
  async function begin({ monitors = ['mon-1', 'mon-2'], routers = ['router-1'] } = {}) {
    behind = { 'mon-1.net.example': monitor, 'mon-2.net.example': monitor, 'router-1.net.example': router }
    // Stands for every monitor and router; the names need not resolve.
    proxy = await play((request, response) => {
      const { hostname } = new URL(request.url ?? '')
      return (behind[hostname] ?? hangUp)(request, response)
    })
    app = await buildServer()
    net = await smallNetwork(app)
    const global = await app.ok('GET', '/api/1.3/profiles?name=GLOBAL')
    await app.ok('POST', `/api/1.3/profiles/${global.body.response[0].id}/parameters`, [
      { name: 'tm.traffic_mon_fwd_proxy', configFile: 'global', value: `http://127.0.0.1:${proxy.port}` },
      { name: 'tm.traffic_rtr_fwd_proxy', configFile: 'global', value: `http://127.0.0.1:${proxy.port}` },
    ])
    const [online, rascal, ccr] = [await net.statusId('ONLINE'), await net.typeId('RASCAL'), await net.typeId('CCR')]
    for (const hostName of monitors) await net.addServer({ hostName, typeId: rascal, statusId: online })
    for (const hostName of routers) await net.addServer({ hostName, typeId: ccr, statusId: online })
    const edges = [await net.addServer({ hostName: 'edge-a' }), await net.addServer({ hostName: 'edge-b' })]
    news = (await net.addService('news', { globalMaxMbps: 50, httpBypassFqdn: 'spare.example.net' })).id
    await app.ok('POST', '/api/1.3/deliveryserviceserver', { dsId: news, servers: [edges[0]!.id] })
  }
  const end = async () => {
    await app.close()
    await proxy.close()
  }

  const get = async (path: string, version = '1.2') => (await app.ok('GET', `/api/${version}${path}`)).body
  const warnings = ({ alerts = [] }: { alerts?: { level: string; text: string }[] }) => {
    for (const { level } of alerts) expect(level).to.equal('warning')
    return alerts.map(({ text }) => text)
  }

  describe('of a CDN with monitors and routers', () => {
    afterEach(end)

    it('is what monitors and routers say, for CDNs and for services', async () => {
      await begin()
      const health = { totalOnline: 1, totalOffline: 1, cachegroups: [{ name: 'edge-group', online: 1, offline: 1 }] }
      expect(await get('/cdns/health')).to.deep.equal({ response: health })
      expect((await get('/cdns/net/health.json')).response).to.deep.equal(health)
      const capacity = { availablePercent: 85, utilizedPercent: 10, unavailablePercent: 5, maintenancePercent: 0 }
      expect((await get('/cdns/capacity')).response).to.deep.equal(capacity)
      expect((await get('/cdns/usage/overview')).response).to.deep.equal({ currentGbps: 0.003, tps: 12, maxGbps: 0 })
      const routing = { staticRoute: 0, miss: 50, geo: 12.5, err: 0, cz: 37.5, dsr: 0 }
      expect((await get('/cdns/routing')).response).to.deep.equal(routing)
      const rows = (await get('/caches/stats')).response
      expect(rows.map(({ hostname, kbps }: Record<string, unknown>) => [hostname, kbps])).to.deep.equal([
        ['ALL', 3000],
        ['ALL', 3000],
        ['edge-a', 2000],
        ['edge-b', 1000],
      ])
      const ofNews = (what: string, version = '1.1') => get(`/deliveryservices/${news}/${what}.json`, version)
      expect((await ofNews('health')).response).to.include({ totalOnline: 1, totalOffline: 0 })
      expect((await ofNews('capacity')).response).to.include({ availablePercent: 80, utilizedPercent: 20 })
      expect((await ofNews('routing')).response).to.deep.equal({ ...routing, miss: 0, geo: 25, cz: 75 })
      expect((await ofNews('routing', '1.2')).response).to.include({ fed: 0, regionalDenied: 0 })
      expect((await ofNews('routing', '1.3')).response).to.include({ deepCz: 0 })
      expect((await ofNews('state')).response).to.deep.equal({
        enabled: true,
        failover: {
          enabled: true,
          configured: true,
          locations: ['edge-group'],
          destination: { type: 'HTTP', location: 'http://spare.example.net' },
          limits: [{ metric: 'total_kbps', limit: 50_000 }],
        },
      })
      // Each document of each upstream was fetched once, however often it was needed.
      expect(proxy.asked.length).to.equal(new Set(proxy.asked).size)
    })

    it('is asked of the next monitor when one fails, and says so', async () => {
      await begin()
      behind['mon-1.net.example'] = text('<html>not JSON</html>')
      const answer = await get('/cdns/net/health')
      expect(answer.response.totalOnline).to.equal(1)
      expect(warnings(answer)).to.deep.equal([
        'Traffic monitor mon-1.net.example of CDN net sent something that is not JSON.',
      ])
    })

    it('neither waits for a silent upstream for long nor swallows an endless one', async function () {
      this.timeout(30_000)
      await begin({ monitors: ['mon-1', 'mon-2'] })
      behind['mon-1.net.example'] = endless
      behind['mon-2.net.example'] = silent
      const [answer, quick] = await Promise.all([get('/cdns/net/health'), get('/cdns/net/configs')])
      expect(quick.response).to.be.an('array')
      expect(answer.response.totalOnline).to.equal(0)
      expect(warnings(answer)).to.have.length(3)
    })

    it('tells how old the oldest part is, and is kept by nobody', async () => {
      await begin()
      const { headers } = await app.ok('GET', '/api/1.2/cdns/health')
      expect(headers.get('age')).to.equal('0')
      expect(headers.has('etag')).to.equal(false)
      const metrics = (await app.get('/metrics')).text
      expect(metrics).to.match(
        /edgewright_upstream_age_seconds\{document="CrStates",upstream="mon-1\.net\.example"\} [\d.e-]+/,
      )
      expect(metrics).to.contain('edgewright_upstream_failed{document="CrStates",upstream="mon-1.net.example"} 0')
    })
  })

  describe('of a CDN without any', () => {
    before(() => begin({ monitors: [], routers: [] }))
    after(end)

    it('is zero with a warning where there is nobody to ask', async () => {
      const answer = await get('/cdns/net/health')
      expect(answer.response).to.deep.equal({ totalOnline: 0, totalOffline: 0, cachegroups: [] })
      expect(warnings(answer)).to.deep.equal(['CDN net has no traffic monitor that is ONLINE; nothing is known.'])
      expect((await get('/cdns/capacity')).response).to.deep.equal(zeros)
      expect(warnings(await get('/cdns/routing'))[0]).to.contain('no traffic router')
      for (const path of ['health', 'capacity', 'routing', 'usage/overview', 'ALL/health']) {
        const texts = warnings(await get(`/cdns/${path}`))
        expect([path, texts.filter((text) => / ALL /.test(text))]).to.deep.equal([path, []])
      }
      expect((await get(`/deliveryservices/${news}/state`)).response.failover.destination).to.equal(null)
    })

    it('is not there for what does not exist or is out of reach', async () => {
      const status = async (path: string) => (await app.get(`/api/1.2${path}`)).status
      expect(await status('/cdns/nowhere/health')).to.equal(404)
      expect(await status('/deliveryservices/987654/health')).to.equal(404)
      expect(await status('/deliveryservices/news/state')).to.equal(404)
      await app.ok('POST', '/api/1.3/tenants', { name: 'guests', active: true, parentId: 1 })
      const guest = await app.as('read-only', { tenant: 'guests' })
      expect((await guest.get(`/api/1.2/deliveryservices/${news}/state`)).status).to.equal(403)
      expect((await app.anonymous.get('/api/1.2/cdns/health')).status).to.equal(401)
    })

    it('has no metrics over time', async () => {
      const answer = await app.get('/api/1.2/cdns/metric_types/ooff/start_date/1/end_date/now')
      expect([answer.status, answer.body.alerts[0].level]).to.deep.equal([501, 'error'])
    })
  })
})
