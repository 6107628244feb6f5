import { randomUUID } from 'node:crypto'
import { Ajv } from 'ajv'
import { expect } from 'chai'
import { system } from '../api/schema/privileges.js'
import type { TestServer } from './build.js'
import { fleetServer } from './snapshotServer.js'
import { crConfigTypes } from './snapshotTypes.js'

const bare = '/CRConfig-Snapshots/fleet/CRConfig.json'
const current = '/api/1.2/cdns/fleet/snapshot'
const versions = '/api/1.3/cdns/fleet/snapshots'
const freezing = '/api/1.2/snapshot/fleet'

interface Shown {
  readonly version: number
  readonly active: boolean
  readonly date: number
  readonly [field: string]: unknown
}

describe('snapshot versions', function () {
  this.timeout(60_000)
  const start = Date.now()
  let clock = 0
  let server: TestServer

  before(async () => {
    server = await fleetServer({ now: () => new Date(start + clock) })
  })
  after(() => server.close())
  /** Each test begins with nothing frozen. */
  beforeEach(async () => {
    clock = 0
    await server.service.services.committer.write({ user: system, requestId: randomUUID() }, ({ data, remove }) => {
      for (const { id } of data.all('snapshots')) remove('snapshots', id)
    })
  })

  const list = async (): Promise<Shown[]> => (await server.ok('GET', versions)).body.response
  const document = async () => (await server.ok('GET', current)).body.response
  const bareOf = ({ stats: _, ...rest }: { stats: object }) => rest
  const without = ({ stats, ...rest }: { stats: object }) => ({ ...rest, had: Object.keys(stats) })
  const change = async (hostName: string, fields: object) => {
    const { response } = (await server.ok('GET', `/api/1.3/servers?hostName=${hostName}`)).body
    await server.ok('PUT', `/api/1.3/servers/${response[0].id}`, { ...response[0], ...fields })
  }
  /** One parameter that monitors cannot do without made useless; the returned function mends it. */
  const breakMonitors = async () => {
    const all = (await server.ok('GET', '/api/1.3/parameters?name=health.polling.interval')).body.response
    // Not that of the profile that a store begins with, to be copied.
    const one = all.find(({ profiles }: { profiles: string[] }) => !profiles.includes('RASCAL_STARTER'))
    await server.ok('PUT', `/api/1.3/parameters/${one.id}`, { ...one, value: 'often' })
    return () => server.ok('PUT', `/api/1.3/parameters/${one.id}`, one)
  }

  it('freeze what is live, and stay while the data changes', async () => {
    expect((await server.ok('GET', current)).body).eql({ response: {} })
    expect((await server.get(bare)).status).equal(404)
    const fresh = (await server.ok('GET', '/api/1.2/cdns/fleet/snapshot/new')).body.response
    const { body } = await server.ok('PUT', freezing)
    expect(body.response).equal('SUCCESS')
    const frozen = await document()
    expect(without(frozen)).eql(without(fresh))
    expect(frozen.stats).to.include({ CDN_name: 'fleet', tm_user: 'admin', tm_path: '/tools/write_crconfig/fleet' })
    const ajv = new Ajv({ allErrors: true, allowUnionTypes: true })
    expect(ajv.validate(crConfigTypes, bareOf(frozen)), ajv.errorsText()).equal(true)

    const polled = await server.ok('GET', bare)
    expect(polled.body).eql(frozen)
    await change('edge-0000', { tcpPort: 8081 })
    const again = await server.get(bare, { 'if-none-match': polled.headers.get('etag')! })
    expect(again.status).equal(304)
    await server.ok('PUT', '/api/1.2/snapshot/fleet')
    expect((await document()).contentServers['edge-0000'].port).equal(8081)
    const [second, first] = await list()
    expect(first).to.deep.include({ version: 1, active: false, frozenBy: 'admin', forced: false })
    expect(second).to.deep.include({
      version: 2,
      active: true,
      changes: {
        CRConfig: { contentServers: { added: 0, removed: 0, changed: 1 } },
        monitoring: { trafficServers: { added: 0, removed: 0, changed: 1 } },
      },
    })
  })

  it('are frozen by id, too', async () => {
    const [{ id }] = (await server.ok('GET', '/api/1.3/cdns?name=fleet')).body.response
    await server.ok('PUT', `/api/1.2/cdns/${id}/snapshot`)
    expect(await list()).to.have.length(1)
  })

  it('are gzipped, and kept whole through it', async () => {
    await server.ok('PUT', freezing)
    const plain = await server.get(bare, { 'accept-encoding': 'identity' })
    const zipped = await server.get(bare, { 'accept-encoding': 'gzip' })
    expect(zipped.headers.get('content-encoding')).equal('gzip')
    expect(plain.headers.get('content-encoding')).equal(null)
    expect(zipped.text).equal(plain.text)
  })

  it('have dates that only rise, whatever the clock does', async () => {
    const dates: number[] = []
    for (const at of [0, 0, -3_600_000, 10_000, -7_200_000]) {
      clock = at
      await server.ok('PUT', freezing)
      dates.push((await document()).stats.date)
    }
    clock = -100_000
    await server.ok('POST', `${versions}/1/activate`)
    dates.push((await document()).stats.date)
    expect(dates).eql([...new Set(dates)].sort((a, b) => a - b))
  })

  it('can be given out again, equal but for the date', async () => {
    await server.ok('PUT', freezing)
    const first = await document()
    await change('edge-0001', { tcpPort: 8082 })
    await server.ok('PUT', freezing)
    const second = await document()
    const operator = await server.as('operations')
    const { body } = await operator.ok('POST', `${versions}/1/activate`)
    expect(body.response).to.include({ version: 1, active: true })
    const rolledBack = await document()
    const { date } = rolledBack.stats
    expect(date).greaterThan(second.stats.date)
    expect(rolledBack).eql({ ...first, stats: { ...first.stats, date } })
    expect((await server.ok('GET', bare)).body).eql(rolledBack)
    expect((await list()).map(({ active }) => active)).eql([false, true])
    expect((await server.ok('GET', `${versions}/2`)).body.response).eql(second)
    await server.ok('PUT', freezing)
    expect((await list()).map(({ version }) => version)).eql([3, 2, 1])
  })

  it('are refused with every fault, and forced by administrators only', async () => {
    const mend = await breakMonitors()
    const operator = await server.as('operations')
    const refused = await operator.request('PUT', freezing)
    expect(refused.status).equal(400)
    expect(refused.body.alerts.map(({ text }: { text: string }) => text.split(':')[0])).eql(['missing-interval'])
    expect((await operator.request('PUT', `${freezing}?force=true`)).status).equal(403)
    expect(await list()).eql([])
    const { body } = await server.ok('PUT', `${freezing}?force=true`)
    expect(body.alerts[0].level).equal('success')
    expect(body.alerts[1]).to.deep.equal({ level: 'warning', text: refused.body.alerts[0].text })
    expect((await list())[0]).to.include({ forced: true, faults: 1 })
    const { response } = (await server.ok('GET', '/api/1.3/logs?limit=1')).body
    expect(response[0].message).to.include('Snapshot version 1 of cdn fleet').and.to.include('forced past 1 faults')
    await mend()
    await operator.ok('PUT', freezing)
  })

  it('are not made by those who may only read', async () => {
    const reader = await server.as('read-only')
    for (const [method, path] of [
      ['PUT', freezing],
      ['POST', `${versions}/1/activate`],
      ['DELETE', `${versions}/1`],
    ] as const) {
      expect((await reader.request(method, path)).status, path).equal(403)
    }
    expect((await reader.ok('GET', current)).body).eql({ response: {} })
  })

  it('name every lack of a CDN that is not set up', async () => {
    const { body, status } = await server.request('PUT', '/api/1.2/snapshot/ALL')
    expect(status).equal(400)
    expect(body.alerts).to.have.length(3)
    expect((await server.ok('GET', '/api/1.3/cdns/ALL/snapshots')).body.response).eql([])
  })

  it('are only tried out by a dry run', async () => {
    const { body } = await server.ok('PUT', `${freezing}?dryRun=true`)
    expect(body.response.faults).eql([])
    expect(body.response.changes.CRConfig.contentServers).eql({ added: 34, removed: 0, changed: 0 })
    expect(await list()).eql([])
    await server.ok('PUT', freezing)
    await server.ok('PUT', freezing)
    await server.ok('POST', `${versions}/1/activate?dryRun=true`)
    await server.ok('DELETE', `${versions}/1?dryRun=true`)
    expect((await list()).map(({ active }) => active)).eql([true, false])
  })

  it('are all whole when several operators freeze at once', async () => {
    const writers = [0, 1, 2, 3].map(async (at) => {
      await change(`edge-000${at}`, { tcpPort: 9000 + at })
      return server.request('PUT', freezing)
    })
    expect((await Promise.all(writers)).map(({ status }) => status)).eql([200, 200, 200, 200])
    const shown = await list()
    expect(shown.map(({ version }) => version)).eql([4, 3, 2, 1])
    expect(shown.map(({ date }) => date)).eql([...shown.map(({ date }) => date)].sort((a, b) => b - a))
    expect(shown.map(({ revision }) => revision)).eql(
      [...shown.map(({ revision }) => revision as number)].sort((a, b) => b - a),
    )
    const ports = [0, 1, 2, 3].map((at) => `edge-000${at}`)
    const { contentServers } = await document()
    expect(ports.map((host) => contentServers[host].port)).eql([9000, 9001, 9002, 9003])
  })

  it('differ as the diff tells, page by page', async () => {
    await server.ok('PUT', freezing)
    await change('edge-0007', { tcpPort: 8083 })
    await change('edge-0008', { tcpPort: 8083 })
    const diff = async (query: string) => (await server.ok('GET', `${versions}/diff${query}`)).body.response
    const live = await diff('')
    expect(live).to.deep.include({ total: 2, sections: { contentServers: { added: 0, removed: 0, changed: 2 } } })
    expect(live.changes[0]).to.deep.include({
      name: 'edge-0007',
      fields: [{ path: ['port'], before: 80, after: 8083 }],
    })
    await server.ok('PUT', freezing)
    expect(await diff('')).to.include({ total: 0 })
    const page = await diff('?from=1&to=active&offset=1&limit=1')
    expect(page.changes.map(({ name }: { name: string }) => name)).eql(['edge-0008'])
    expect(page).to.deep.include({ from: { version: 1, live: false, revision: page.from.revision }, total: 2 })
    expect(await diff('?from=1&to=2&section=config')).to.deep.include({ total: 0, sections: live.sections })
    expect(await diff('?from=1&to=2&document=monitoring')).to.deep.include({
      sections: { trafficServers: { added: 0, removed: 0, changed: 2 } },
    })
    for (const query of ['?from=1&limit=1001', '?offset=-1', '?document=remap']) {
      expect((await server.get(`${versions}/diff${query}`)).status, query).equal(400)
    }
    for (const query of ['?from=7', '?to=latest', '?from=__proto__']) {
      expect((await server.get(`${versions}/diff${query}`)).status, query).equal(404)
    }
  })

  it('show the monitoring document of their time', async () => {
    const live = (await server.ok('GET', '/api/1.2/cdns/fleet/configs/monitoring')).body.response
    await server.ok('PUT', freezing)
    await change('edge-0004', { tcpPort: 8084 })
    expect((await server.ok('GET', `${versions}/active?document=monitoring`)).body.response).eql(live)
    expect((await server.get(`${versions}/2`)).status).equal(404)
  })

  it('are deleted with all that only they hold, but not while active', async () => {
    const { store } = server.service.services
    for (const port of [8085, 8086, 8087]) {
      await change('edge-0005', { tcpPort: port })
      await server.ok('PUT', freezing)
    }
    const kept = (await server.ok('GET', `${versions}/3`)).body.response
    expect((await server.request('DELETE', `${versions}/3`)).status).equal(409)
    const before = await store.listBlobs()
    await server.ok('DELETE', `${versions}/2`)
    expect((await server.get(`${versions}/2`)).status).equal(404)
    expect((await store.listBlobs()).length).lessThan(before.length)
    await server.ok('DELETE', `${versions}/1`)
    expect((await server.ok('GET', `${versions}/3`)).body.response).eql(kept)
    await change('edge-0005', { tcpPort: 8088 })
    await server.ok('PUT', freezing)
    expect(
      (await list()).map(({ version }) => version),
      'numbers are not given twice',
    ).eql([4, 3])
  })

  it('make room for newer ones', async () => {
    const parameter = { name: 'snapshots.keep', configFile: 'global', value: '3', secure: false }
    await server.ok('POST', '/api/1.3/profiles/name/GLOBAL/parameters', parameter)
    for (const port of [1, 2, 3, 4, 5]) {
      await change('edge-0006', { tcpPort: 8090 + port })
      await server.ok('PUT', freezing)
    }
    expect((await list()).map(({ version }) => version)).eql([5, 4, 3])
    for (const version of [5, 4, 3]) {
      const { response } = (await server.ok('GET', `${versions}/${version}`)).body
      expect(response.contentServers['edge-0006'].port).equal(8090 + version)
    }
  })

  it('go with their CDN', async () => {
    await server.ok('PUT', '/api/1.2/snapshot/ALL?force=true')
    await server.ok('POST', '/api/1.3/cdns', { name: 'short', domainName: 'short.example.net', dnssecEnabled: false })
    await server.ok('PUT', '/api/1.2/snapshot/short?force=true')
    const [{ id }] = (await server.ok('GET', '/api/1.3/cdns?name=short')).body.response
    await server.ok('DELETE', `/api/1.3/cdns/${id}`)
    expect((await server.get('/api/1.3/cdns/short/snapshot')).status).equal(404)
    const { store } = server.service.services
    await server.ok('PUT', freezing)
    clock = 2 * 3_600_000
    await server.ok('PUT', freezing)
    const left = (await store.listBlobs()).filter((key) => key.startsWith(`snapshot-${id}-`))
    expect(left, 'blobs nobody names').eql([])
  })

  it('are made by the address of old scripts, too, which leads to the document; not for other sites, nor by looking', async () => {
    const path = '/tools/write_crconfig/fleet'
    const newest = async () => (await server.ok('GET', versions)).body.response.length
    const before = await newest()
    for (const headers of [{ 'sec-fetch-site': 'cross-site' }, { origin: 'https://evil.example' }])
      expect((await server.get(path, headers)).status).to.equal(403)
    expect((await server.request('HEAD', path)).status).to.equal(405)
    expect((await (await server.as('portal')).get(path)).status).to.equal(403)
    expect((await server.anonymous.get(path)).status).to.equal(401)
    expect((await server.get('/tools/write_crconfig/nowhere')).status).to.equal(404)
    expect((await server.get(`${path}?dryRun=true`)).status).to.equal(200)
    expect(await newest()).to.equal(before)
    const { status, headers } = await server.get(path)
    expect([status, headers.get('location')]).to.deep.equal([302, '/CRConfig-Snapshots/fleet/CRConfig.json'])
    expect(await newest()).to.equal(before + 1)
    expect((await server.get(headers.get('location')!)).body.stats.CDN_name).to.equal('fleet')
  })
})
