import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'chai'
import { createAskInflux } from '../../api/operations/series/influx.js'
import { createFailover } from '../../api/operations/series/influxServers.js'
import { Ring } from '../../api/operations/series/ring.js'
import { createSampler } from '../../api/operations/series/sampler.js'
import { summarize } from '../../api/operations/series/summarize.js'
import type { Upstream } from '../../api/operations/upstream/fetchJson.js'
import { createFetchJson, UpstreamFault } from '../../api/operations/upstream/fetchJson.js'
import type { TestServer } from '../build.js'
import { buildServer } from '../build.js'
import type { Network } from '../resources/smallNetwork.js'
import { smallNetwork } from '../resources/smallNetwork.js'
import { sampleServer } from '../sampleServer.js'
import type { InfluxServer } from './influxServer.js'
import { startInfluxServer } from './influxServer.js'
import type { Played } from './upstreams.js'
import { documents, hangUp, play, text } from './upstreams.js'

const minute = 60_000
const iso = (at: number) => `${new Date(at).toISOString().slice(0, 19)}Z`

/** A whole CDN `net` whose monitors and stores of time series are asked on this machine. */
async function network(
  app: TestServer,
): Promise<Network & { addOnline(type: string, more: object): Promise<unknown> }> {
  const net = await smallNetwork(app)
  await net.addServer({ hostName: 'edge-a' })
  await net.addServer({ hostName: 'mid-a', typeId: await net.typeId('MID'), cachegroupId: net.ids.midGroup })
  const statusId = await net.statusId('ONLINE')
  const addOnline = async (type: string, more: object) =>
    net.addServer({ statusId, typeId: await net.typeId(type), ...more })
  return Object.assign(net, { addOnline })
}

const reader =
  (app: TestServer) =>
  async (path: string, version = '1.2') =>
    (await app.ok('GET', `/api/${version}${path}`)).body

describe('series from what monitors said', () => {
  let app: TestServer
  let monitor: Played
  let get: ReturnType<typeof reader>
  /** In the midst of a minute. */
  let clock = Date.parse('2026-03-01T12:00:30Z')
  const began = clock
  const one = (value: number | string) => [{ value: String(value), time: 1795258270010, span: 1 }]
  const load = (kbps: number) => ({
    kbps: one(kbps),
    maxKbps: one(10_000_000),
    'ats.proxy.process.http.current_client_connections': one(kbps / 100),
  })
  const said = (kbps: number, strangers = 0) =>
    documents({
      '/publish/CrStates': { caches: { 'edge-a': { isAvailable: true }, 'mid-a': { isAvailable: false } } },
      '/publish/CacheStats': { caches: { 'edge-a': load(kbps), 'mid-a': load(1000), stranger: load(9) } },
      '/publish/DsStats': {
        deliveryService: {
          news: {
            'total.kbps': one(kbps),
            'total.tps_total': one('12.5'),
            'total.tps_2xx': one(12),
            'location.edge-group.kbps': one(1),
          },
          ...Object.fromEntries(
            Array.from({ length: strangers }, (_, at) => [
              `strange-${at}`,
              Object.fromEntries(['kbps', 'tps_total', 'tps_2xx', 'tps_3xx'].map((name) => [`total.${name}`, one(at)])),
            ]),
          ),
        },
      },
    })
  const sampled = async (kbps: number, strangers = 0) => {
    monitor.become(said(kbps, strangers))
    await app.service.services.sampler.sample()
  }

  before(async () => {
    monitor = await play(said(3000))
    app = await buildServer({ now: () => new Date(clock) })
    get = reader(app)
    const net = await network(app)
    await net.addOnline('RASCAL', { hostName: '127', domainName: '0.0.1', tcpPort: monitor.port })
    await net.addService('news')
    await net.made('/tenants', { name: 'others', active: true, parentId: 1 })
  })
  after(async () => {
    await app.close()
    await monitor.close()
  })

  const stretch = (from: number, to: number, more = '') =>
    `startDate=${new Date(from).toISOString()}&endDate=${new Date(to).toISOString()}${more}`

  it('begin with the first question, and go on minute by minute', async () => {
    const dates = stretch(began - 10 * minute, began + 10 * minute)
    const [first, beside] = await Promise.all(
      ['bandwidth', 'connections'].map(
        async (metric) => (await get(`/cache_stats?cdnName=net&metricType=${metric}&${dates}`)).response.series.values,
      ),
    )
    const known = (values: [string, number | null][]) => values.filter(([, value]) => value !== null)
    expect([known(first), known(beside)]).to.deep.equal([
      [['2026-03-01T12:00:00Z', 4000]],
      [['2026-03-01T12:00:00Z', 40]],
    ])
    const asked = monitor.asked.length
    await get(`/cache_stats?cdnName=net&metricType=connections&${dates}`)
    expect(monitor.asked.length, 'a sample serves everybody for a minute').to.equal(asked)

    clock += minute
    await sampled(5000)
    // A long document is read in a thread of its own.
    clock += minute
    await sampled(8000, 4000)
    monitor.become(hangUp)
    clock += minute
    await app.service.services.sampler.sample()

    const { response, alerts } = await get(
      `/cache_stats?cdnName=net&metricType=bandwidth&${stretch(began - 1, clock, '&interval=60s')}`,
    )
    expect(alerts).to.equal(undefined)
    expect(response).to.deep.equal({
      series: {
        name: 'bandwidth.cdn.1min',
        tags: { cdn: 'net' },
        columns: ['time', 'sum_count'],
        values: [
          ['2026-03-01T12:00:00Z', 4000],
          ['2026-03-01T12:01:00Z', 6000],
          ['2026-03-01T12:02:00Z', 9000],
          ['2026-03-01T12:03:00Z', null],
        ],
        count: 4,
      },
      summary: {
        average: 19_000 / 3,
        fifthPercentile: 0,
        ninetyFifthPercentile: 9000,
        ninetyEighthPercentile: 9000,
        min: 4000,
        max: 9000,
        count: 3,
      },
      source: 'TrafficStats',
      version: '1.2',
    })
    const ofNews = `/deliveryservice_stats.json?deliveryServiceName=news&${stretch(began, clock, '&interval=2m')}`
    const kbps = (await get(`${ofNews}&metricType=kbps&limit=1&offset=1`)).response
    expect([kbps.series.name, kbps.series.tags, kbps.series.columns, kbps.series.values]).to.deep.equal([
      'kbps.ds.1min',
      { cachegroup: 'total' },
      ['time', 'mean'],
      [['2026-03-01T12:02:00Z', 8000]],
    ])
    expect(kbps.summary).to.include({ count: 3, average: 16_000 / 3, totalTransactions: null })
    expect(kbps.summary.totalBytes).to.be.closeTo(((16_000 * 60) / 8) * 1000, 1)
    const answers = (await get(`${ofNews}&metricType=tps_total&exclude=series`, '1.3')).response
    expect(answers).to.not.have.property('series')
    expect(answers.summary).to.include({ average: 12.5, totalBytes: null, totalTransactions: 12.5 * 60 * 3 })
    expect((await get(`${ofNews}&metricType=tps_5xx`)).response.summary).to.include({ count: 3, max: 0 })
  })

  it('are told of now by the monitors themselves', async () => {
    monitor.become(said(3000))
    const net = { cdn: 'net', bandwidth: 0.004, connections: 40, capacity: 17 }
    const { currentStats } = (await get('/current_stats')).response
    expect(currentStats).to.deep.equal([
      { cdn: 'ALL', bandwidth: null, connections: null, capacity: null },
      net,
      { cdn: 'total', bandwidth: 0.004, connections: 40 },
    ])
    expect((await get('/cdns/usage/overview')).response).to.deep.equal({ currentGbps: 0.004, tps: 12, maxGbps: 20 })
    expect(await get('/traffic_monitor/stats.json', '1.1')).to.deep.equal({
      aaData: [
        ['0', 'ALL', 'ALL', 'ALL', 'true', 'ALL', '30', '3000'],
        [1, 'EDGE_NET', 'edge-a', 'edge-group', '1', 'REPORTED', 30, '3000', '192.0.2.1'],
        ['2', 'ALL', 'ALL', 'edge-group', 'true', 'ALL', '30', '3000'],
      ],
    })
  })

  it('say all that is wrong with a question', async () => {
    const refused: [string, string[]][] = [
      [
        'cache_stats',
        ['metricType is required', 'startDate is required', 'endDate is required', 'cdnName is required'],
      ],
      [
        `cache_stats?cdnName=net&metricType=bandwidth'&startDate=x&endDate=now&interval=60s) ; DROP DATABASE cache_stats&limit=1;&offset=-1&orderby=value&exclude=all`,
        ['metricType', 'startDate', 'interval', 'limit', 'offset', 'exclude', 'orderby'],
      ],
      [`cache_stats?cdnName=net&metricType=bandwidth&${stretch(clock, clock)}`, ['endDate must be later']],
      [
        `cache_stats?cdnName=net&metricType=bandwidth&${stretch(0, clock, '&interval=1s')}`,
        ['interval must be longer'],
      ],
      [`deliveryservice_stats?metricType=kbps&${stretch(began, clock)}`, ['deliveryServiceName is required']],
    ]
    for (const [path, texts] of refused) {
      const { status, body } = await app.get(`/api/1.2/${path}`)
      expect(status, path).to.equal(400)
      const told = body.alerts.map(({ text }: { text: string }, at: number) => text.slice(0, texts[at]?.length))
      expect(told, path).to.deep.equal(texts)
    }
    const ok = stretch(began, clock, '&metricType=kbps')
    expect((await app.get(`/api/1.2/deliveryservice_stats?deliveryService=987654&${ok}`)).status).to.equal(404)
    expect((await app.get(`/api/1.2/cache_stats?cdnName=none&metricType=maxkbps&${ok}`)).status).to.equal(404)
    const stranger = await app.as('operations', { tenant: 'others' })
    expect((await stranger.get(`/api/1.2/deliveryservice_stats?deliveryService=news&${ok}`)).status).to.equal(403)
  })

  it('read times in every way that clients write them', async () => {
    const [from, to] = [began - minute, began + minute + 1000]
    const spellings = [
      [new Date(from).toISOString(), new Date(to).toISOString()],
      ['2026-03-01 11:59:30', '2026-03-01 12:01:31+00'],
      ['2026-03-01T06:59:30.123456789-05:00', '2026-03-01T14:01:31%2B02:00'],
      [`${from / 1000}`, `${to}`],
      [`${from}000`, `${to}000000`],
    ]
    for (const [start, end] of spellings) {
      const asked = `startDate=${start}&endDate=${end}&exclude=summary`
      const { values } = (await get(`/cache_stats?cdnName=net&metricType=maxkbps&${asked}`)).response.series
      expect(values, asked).to.deep.equal([
        ['2026-03-01T11:59:00Z', null],
        ['2026-03-01T12:00:00Z', 20_000_000],
        ['2026-03-01T12:01:00Z', 20_000_000],
      ])
    }
  })

  it('are told from the ring with a warning where no store of time series answers', async () => {
    await addDeadStore()
    const dates = stretch(began, clock, '&metricType=kbps&exclude=series')
    const { response, alerts } = await get(`/deliveryservice_stats?deliveryService=news&${dates}`)
    expect(response.summary.max).to.equal(8000)
    expect(alerts).to.deep.equal([
      { level: 'warning', text: 'InfluxDB server 127.0.0.2 cannot be reached (ECONNREFUSED).' },
    ])
    expect((await get('/current_stats')).response.currentStats.at(-1).bandwidth).to.be.a('number')

    const store = await play(text(''))
    const [dead] = (await get('/servers?type=INFLUXDB', '1.3')).response
    await app.ok('PUT', `/api/1.3/servers/${dead.id}`, { ...dead, domainName: '0.0.1', tcpPort: store.port })
    const noText = '{"toString":1,"valueOf":1}'
    const deep = '['.repeat(50_000) + ']'.repeat(50_000)
    const sent = (series: string) => `{"results":[{},{"series":[${series}]}]}`
    const nonsense = [
      ['null', /sent no results/],
      [`{"error":${noText}}`, /refused a query: $/],
      [`{"error":${deep}}`, /refused a query: $/],
      [sent(`{"name":${noText},"tags":{"cdn":${deep}},"values":[[0,"x"]]}`), /^nothing$/],
      ...[1e300, -1e300, 9e15, 0.5].map((at) => [sent(`{"values":[[${at},1]]}`), /without its time/] as const),
      [sent(`{"values":[${'[0,1],'.repeat(30_000)}[0,1]]}`), /more than \d+ values/],
      [' '.repeat(2 ** 21 + 1), /sent more than \d+ bytes/],
    ] as const
    for (const [body, told] of nonsense) {
      store.become(text(body))
      const answer = await get(`/deliveryservice_stats?deliveryService=news&${dates}`)
      const said = answer.alerts?.[0].text.slice('InfluxDB server 127.0.0.1 '.length, -1) ?? 'nothing'
      expect(said, body.slice(0, 80)).to.match(told)
    }
    await store.close()

    async function addDeadStore(): Promise<void> {
      const [type, status] = ['types?name=INFLUXDB', 'statuses?name=ONLINE'].map((path) => get(`/${path}`, '1.3'))
      const like = (await get('/servers?hostName=edge-a', '1.3')).response[0]
      const [typeId, statusId] = [(await type!).response[0].id, (await status!).response[0].id]
      const { physLocationId, cachegroupId, cdnId, profileId } = like
      await app.ok('POST', '/api/1.3/servers', {
        ...{ physLocationId, cachegroupId, cdnId, profileId, typeId, statusId },
        ...{ hostName: '127', domainName: '0.0.2', tcpPort: 1, ipAddress: '192.0.2.200', ipNetmask: '255.255.255.0' },
        ...{ ipGateway: '192.0.2.254', interfaceName: 'eth0', interfaceMtu: 1500, updPending: false },
      })
    }
  })
})

describe('the ring', () => {
  const sample = (at: number, cdnId: number, services: number, value = 1) => ({
    at,
    cdnId,
    cdn: { bandwidth: value, connections: 0, maxkbps: 0 },
    services: new Map(Array.from({ length: services }, (_, id) => [id, [value, 0, 0, 0, 0, 0]] as const)),
  })
  const always = () => true

  it('keeps a day of every CDN, and no more', () => {
    const ring = new Ring({ keep: 24 * 60 * minute, bytes: 64 * 2 ** 20 })
    for (let at = 0; at <= 2 * 1440; at++) for (const cdn of [1, 2]) ring.add(sample(at * minute, cdn, 10, at))
    expect(ring.size).to.be.within(2 * 1440, 2 * 1441)
    expect(ring.ofCdn(1, 'bandwidth', always).at(0)).to.deep.equal([1440 * minute, 1440])
    expect(ring.ofService(2, 9, 'kbps', always).at(-1)).to.deep.equal([2880 * minute, 2880])
    expect(ring.ofService(2, 10, 'kbps', always)).to.deep.equal([])
  })

  it('takes no more memory than it is given, whatever services come and go', () => {
    const bytes = 2 ** 20
    const ring = new Ring({ keep: 24 * 60 * minute, bytes })
    for (let at = 0; at < 500; at++) {
      ring.add(sample(at * minute, 1, 200 + (at % 7)))
      expect(ring.bytes).to.be.at.most(bytes)
    }
    expect(ring.size).to.be.within(30, 250)
    expect(ring.ofService(1, 0, 'kbps', always)).to.have.length(ring.size)
    ring.add(sample(501 * minute, 1, 100_000))
    expect([ring.size, ring.bytes, ring.newest(1)]).to.deep.equal([0, 0, null])
  })
})

const accessTo = ({ user, password, port }: Pick<InfluxServer, 'user' | 'password' | 'port'>) => ({
  INFLUXDB_USER: user,
  INFLUXDB_PASSWORD: password,
  INFLUXDB_HOSTS: `influx.example.net, 127.0.0.1:${port}`,
})

describe('monitors that never answer', () => {
  it('hold up the samples of other CDNs once, for a moment', async () => {
    const app = await sampleServer()
    const { data } = app.service.services
    const asked: string[] = []
    const fetch = async ({ name }: Upstream): Promise<Buffer> => {
      asked.push(name)
      if (name === asked[0]) await new Promise(() => undefined)
      throw new UpstreamFault('is away')
    }
    const ring = new Ring({ keep: minute, bytes: 1e6 })
    const sampler = createSampler({ data, ring, fetch, now: Date.now })
    await sampler.sample()
    const [silent, ...others] = new Set(asked)
    expect(others).to.not.deep.equal([])
    asked.splice(1)
    await sampler.sample()
    expect([...new Set(asked)]).to.deep.equal([silent, ...others])
    expect(asked.filter((name) => name === silent).length, 'it is still being asked').to.equal(1)
    await app.close()
  })
})

describe('stores of time series that do not answer', () => {
  it('are not all waited for', async () => {
    let clock = 0
    let asked = 0
    const ask = createFailover(() => clock)
    const servers = Array.from({ length: 100 }, (_, at) => ({
      name: `away-${at}`,
      host: `away-${at}`,
      port: 1,
      proxy: null,
    }))
    for (const most of [2, 4]) {
      const { value, warnings } = await ask(servers, async () => {
        asked += 1
        clock += 5000
        throw new UpstreamFault('did not answer within 5 s')
      })
      expect([value, asked]).to.deep.equal([null, most])
      expect(warnings.at(-1)).to.match(/^Further InfluxDB servers were not asked/)
    }
  })
})

describe('a store of time series that operators added', () => {
  it('is asked, and not shown the password, which is for those that the settings name', async () => {
    const shown = new Map<number, Set<string | undefined>>()
    const listen = async () => {
      const store = createServer(({ headers, socket }, answer) => {
        shown.set(socket.localPort!, (shown.get(socket.localPort!) ?? new Set()).add(headers.authorization))
        answer.writeHead(503).end()
      })
      await new Promise<void>((resolve) => store.listen(0, '127.0.0.1', resolve))
      return { store, port: (store.address() as AddressInfo).port }
    }
    const [named, added] = [await listen(), await listen()]
    const app = await buildServer({ env: accessTo({ user: 'reader', password: 'only these', port: named.port }) })
    const net = await network(app)
    for (const { port } of [named, added])
      await net.addOnline('INFLUXDB', { hostName: '127', domainName: '0.0.1', tcpPort: port })
    await reader(app)('/current_stats')
    const authorization = `Basic ${Buffer.from('reader:only these').toString('base64')}`
    expect([...shown.get(named.port)!]).to.deep.equal([authorization])
    expect([...shown.get(added.port)!]).to.deep.equal([undefined])
    await app.close()
    for (const { store } of [named, added]) store.close()
  })
})

describe('series from InfluxDB', () => {
  let influx: InfluxServer
  let app: TestServer
  let get: ReturnType<typeof reader>
  const now = Date.now()
  const start = Math.floor(now / minute) * minute - 30 * minute
  /** Ten values, one a minute, in no order. */
  const values = [7, 1, 9, 4, 10, 3, 8, 2, 6, 5].map((value) => value * 1000.5)
  const points = values.map((value, at) => [start + at * minute, value] as const)

  before(async function () {
    this.timeout(30_000)
    const started = await startInfluxServer()
    if (!started) return this.skip()
    influx = started
    app = await buildServer({ env: accessTo(influx) })
    get = reader(app)
    const net = await network(app)
    await net.addOnline('INFLUXDB', { hostName: '127', domainName: '0.0.1', tcpPort: influx.port })
    await net.addService('news')
    await fill()
  })
  after(async () => {
    await app?.close()
    await influx?.remove()
  })

  /** As the daemon writes what monitors said each 10 s, and as continuous queries sum it up each minute. */
  async function fill(): Promise<void> {
    const cdn = (metric: string, cdnName: string, [at, value]: readonly [number, number]) =>
      `${metric}.cdn.1min,cdn=${cdnName} value=${value} ${at}`
    const service = (metric: string, xmlId: string, [at, value]: readonly [number, number]) =>
      `${metric}.ds.1min,cachegroup=total,cdn=net,deliveryservice=${xmlId} value=${value} ${at}`
    const lately = Math.floor(now / minute) * minute
    await influx.write('cache_stats', 'monthly', [
      ...points.map((point) => cdn('bandwidth', 'net', point)),
      ...points.map((point) => cdn('bandwidth', 'other', point)),
      cdn('bandwidth', 'net', [lately - minute, 4_000_000]),
      cdn('bandwidth', 'net', [lately, 5_000_000]),
      cdn('connections', 'net', [lately, 120]),
      cdn('maxkbps', 'net', [lately, 40_000_000]),
      cdn('bandwidth', 'gone', [lately - 20 * minute, 9e9]),
    ])
    const measured = (name: string, host: string, type: string, value: number) =>
      [1, 11, 21].map(
        (second) => `${name},cachegroup=g,cdn=net,hostname=${host},type=${type} value=${value} ${now - second * 1000}`,
      )
    await influx.write('cache_stats', 'daily', [
      ...measured('bandwidth', 'edge-a', 'EDGE', 3_000_000),
      ...measured('bandwidth', 'mid-a', 'MID', 2_000_000),
      ...measured('maxKbps', 'edge-a', 'EDGE', 20_000_000),
      ...measured('maxKbps', 'mid-a', 'MID', 20_000_000),
    ])
    await influx.write('deliveryservice_stats', 'monthly', [
      ...points.map((point) => service('kbps', 'news', point)),
      ...points.map((point) => service('kbps', 'other', point)),
      ...points.map((point) => service('tps_2xx', 'news', point)),
      `kbps.ds.1min,cachegroup=edge-group,cdn=net,deliveryservice=news value=1 ${start}`,
      service('tps_total', 'news', [lately, 40.25]),
      service('tps_total', 'other', [lately, 2.5]),
    ])
  }

  const day = `startDate=${iso(start)}&endDate=${iso(start + 9 * minute)}`

  it('are what was written, summed up as it sums up', async () => {
    const ofNews = (more: string) => get(`/deliveryservice_stats?deliveryServiceName=news&${day}&${more}`)
    const { response, alerts } = await ofNews('metricType=kbps&serverType=edge&interval=60s')
    expect(alerts).to.equal(undefined)
    expect(response.series).to.deep.equal({
      name: 'kbps.ds.1min',
      tags: { cachegroup: 'total' },
      columns: ['time', 'mean'],
      values: points.map(([at, value]) => [iso(at), value]),
      count: 10,
    })
    const own = summarize(points)
    expect(response.summary).to.deep.equal({
      ...own,
      totalBytes: (own.average * 10 * 60 * 1000) / 8,
      totalTransactions: null,
    })
    expect((await ofNews('metricType=tps_2xx')).response.summary).to.include({
      totalBytes: null,
      totalTransactions: own.average * 10 * 60,
    })
    const none = (await ofNews('metricType=tps_5xx')).response
    expect(none).to.not.have.property('series')
    expect(none.summary).to.deep.equal({ ...summarize([]), totalBytes: null, totalTransactions: 0 })
  })

  it('are cut in pieces and pages', async () => {
    const asked = `/cache_stats?cdnName=net&metricType=bandwidth&startDate=${iso(start - 1000)}&endDate=${iso(start + 10 * minute)}`
    const all = (await get(`${asked}&interval=1m`)).response.series
    expect([all.name, all.tags, all.columns]).to.deep.equal([
      'bandwidth.cdn.1min',
      { cdn: 'net' },
      ['time', 'sum_count'],
    ])
    expect(all.values.filter(([, value]: [string, number]) => value !== null)).to.deep.equal(
      points.map(([at, value]) => [iso(at), value]),
    )
    const page = (await get(`${asked}&interval=60s&limit=3&offset=2&exclude=summary`)).response
    expect(page.series.values).to.deep.equal(all.values.slice(2, 5))
    expect(page).to.not.have.property('summary')
  })

  it('tell what is served now: the sums of whole minutes, and of what was measured within the last', async () => {
    expect((await get('/current_stats')).response.currentStats).to.deep.equal([
      { cdn: 'ALL', bandwidth: null, connections: null, capacity: null },
      { cdn: 'net', bandwidth: 5, connections: 120, capacity: 34 },
      { cdn: 'total', bandwidth: 5, connections: 120 },
    ])
    expect((await get('/cdns/usage/overview')).response).to.deep.equal({ currentGbps: 5, tps: 42, maxGbps: 40 })
  })

  it('are asked with values, never with what clients wrote', async () => {
    const ask = createAskInflux(createFetchJson({ timeout: 5000, bytes: 100_000 }))
    const authorization = `Basic ${Buffer.from(`${influx.user}:${influx.password}`).toString('base64')}`
    const server = { name: 'i', host: '127.0.0.1', port: influx.port, proxy: null, authorization }
    const statement = 'SELECT count(value) FROM "monthly"."bandwidth.cdn.1min" WHERE cdn = $cdn'
    const counted = async (cdn: string) =>
      (await ask(server, { database: 'cache_stats', statements: [statement], values: { cdn } }))[0]![0]?.rows[0]?.[1]
    expect(await counted('other')).to.equal(10)
    for (const hostile of [
      "x' OR cdn = 'other",
      "other' OR 'a' = 'a",
      '$cdn',
      "'; DROP DATABASE cache_stats; --",
      '\\',
      '"',
    ])
      expect(await counted(hostile), hostile).to.equal(undefined)
    expect(await counted('other')).to.equal(10)
    const refused = await ask(
      { ...server, authorization: 'Basic eDp5' },
      { database: 'x', statements: ['SHOW DATABASES'] },
    ).catch((error: Error) => error.message)
    expect(refused).to.equal('answered with status 401')
  })

  it('are told from the next server when one fails, and of the monitors when the last did', async function () {
    this.timeout(10_000)
    const asked = `/api/1.2/deliveryservice_stats?deliveryServiceName=news&${day}&metricType=kbps`
    const [first] = (await get('/servers?type=INFLUXDB', '1.3')).response
    const warned = /^InfluxDB server 127\.0\.0\.1 cannot be reached/
    await app.ok('PUT', `/api/1.3/servers/${first.id}`, { ...first, tcpPort: 1 })
    const next = { ...first, ipAddress: '192.0.2.201', xmppId: 'next' }
    const second = (await app.ok('POST', '/api/1.3/servers', next)).body.response
    const fromNext = (await app.ok('GET', asked)).body
    expect(fromNext.response.summary.count).to.equal(10)
    expect(fromNext.alerts[0].text).to.match(warned)
    expect((await app.ok('GET', asked)).body, 'one that failed is asked last').to.not.have.property('alerts')
    await app.ok('DELETE', `/api/1.3/servers/${[second].flat()[0].id}`)
    const { response, alerts } = (await app.ok('GET', asked)).body
    expect(response.summary.count).to.equal(0)
    expect(alerts[0].text).to.match(warned)
    await app.ok('PUT', `/api/1.3/servers/${first.id}`, first)
    expect((await app.ok('GET', asked)).body.response.summary.count).to.equal(10)
    expect((await get('/current_stats')).response.currentStats[1].bandwidth).to.equal(5)
  })

  it('tell of the last there was, with a warning, where neither the store nor a monitor has anything newer', async () => {
    const later = await buildServer({
      now: () => new Date(now + 3_600_000),
      env: accessTo(influx),
    })
    const net = await network(later)
    await net.addOnline('INFLUXDB', { hostName: '127', domainName: '0.0.1', tcpPort: influx.port })
    await influx.query('DROP MEASUREMENT bandwidth', 'cache_stats')
    await influx.query('DROP MEASUREMENT maxKbps', 'cache_stats')
    const { response, alerts } = await reader(later)('/current_stats')
    expect(response.currentStats[1]).to.deep.equal({ cdn: 'net', bandwidth: 5, connections: 120, capacity: 34 })
    expect(alerts.at(-1).text).to.match(/^What is told of CDN net was measured at \d{4}-/)
    expect((await reader(later)('/cdns/usage/overview')).response).to.deep.equal({
      currentGbps: 0,
      tps: 0,
      maxGbps: 0,
    })
    await later.close()
  })
})
