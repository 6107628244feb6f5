import { Ajv } from 'ajv'
import { expect } from 'chai'
import { liveAnswer } from '../api/operations/snapshots/results.js'
import { system } from '../api/schema/privileges.js'
import type { Client, TestServer } from './build.js'
import { fleetJobs } from './fleetJobs.js'
import { fleetServer } from './snapshotServer.js'
import { monitoringTypes } from './snapshotTypes.js'

const monitoring = '/api/1.2/cdns/fleet/configs/monitoring'
const other = { name: 'other', domainName: 'other.example.net', dnssecEnabled: false }
const routing = '/api/1.2/cdns/fleet/configs/routing'

describe('the live snapshot documents', () => {
  let server: TestServer
  let reader: Client

  before(async function () {
    this.timeout(60_000)
    server = await fleetServer()
    reader = await server.as('read-only')
  })
  after(() => server.close())

  const compiles = () => server.service.services.artifacts.counts().compiles

  /** Changes a field of a server by its host name. */
  const change = async (hostName: string, fields: object) => {
    const { response } = (await server.ok('GET', `/api/1.3/servers?hostName=${hostName}`)).body
    await server.ok('PUT', `/api/1.3/servers/${response[0].id}`, { ...response[0], ...fields })
  }

  it('are answered to readers, in the types monitors decode', async () => {
    const { body } = await reader.ok('GET', `${monitoring}.json`)
    const ajv = new Ajv({ allErrors: true, allowUnionTypes: true })
    expect(ajv.validate(monitoringTypes, body.response), ajv.errorsText()).equal(true)
    expect(body).not.to.have.property('alerts')
    expect((await reader.ok('GET', routing)).body.response).to.include.keys('stats', 'config', 'trafficRouters')
  })

  it('ask for a session', async () => {
    for (const path of [monitoring, routing, '/health/fleet', '/CRConfig-Snapshots/fleet/CRConfig.json']) {
      expect((await server.anonymous.get(path)).status, path).equal(401)
    }
  })

  it('answer 404 for a CDN that does not exist', async () => {
    for (const path of [
      'configs/monitoring',
      'configs/routing',
      'snapshot',
      'snapshot/new',
      'snapshots',
      'snapshots/diff',
    ]) {
      expect((await server.get(`/api/1.3/cdns/nowhere/${path}`)).status, path).equal(404)
    }
    for (const path of ['/health/nowhere', '/CRConfig-Snapshots/nowhere/CRConfig.json']) {
      expect((await server.get(path)).status, path).equal(404)
    }
    expect((await server.request('PUT', '/api/1.2/snapshot/nowhere')).status).equal(404)
    expect((await server.request('PUT', '/api/1.2/cdns/99999/snapshot')).status).equal(404)
  })

  for (const path of [monitoring, routing, '/api/1.2/cdns/fleet/snapshot/new', '/health/fleet']) {
    it(`keep their bytes until something they read changes: ${path}`, async () => {
      const before = await server.ok('GET', path)
      const etag = before.headers.get('etag')!
      const made = compiles()
      await server.ok('POST', '/api/1.3/divisions', { name: `of ${path}` })
      expect((await server.get(path, { 'if-none-match': etag })).status).equal(304)
      expect((await reader.ok('GET', path)).text).equal(before.text)
      expect(compiles(), 'compiled for nothing').equal(made)
      await change('edge-0000', { tcpPort: (Date.now() % 1000) + 8000 })
      const after = await server.get(path, { 'if-none-match': etag })
      expect(after.status).equal(200)
      expect(after.headers.get('etag')).not.equal(etag)
    })
  }

  it('say nothing of who asks', async () => {
    const { stats } = (await reader.ok('GET', routing)).body.response
    expect(stats).to.include({ cdnName: 'fleet', trafficOpsUser: 'edgewright', trafficOpsPath: routing })
    expect(stats.date).to.be.a('number')
    expect((await server.ok('GET', routing)).body.response.stats).eql(stats)
  })

  describe('name the host where the service is found', () => {
    const live = async () => (await server.ok('GET', '/api/1.3/cdns/fleet/snapshot/new')).body.response.stats.tm_host
    const frozenBy = async (client: Client, host: string) => {
      const { status, body } = await client.request('PUT', '/api/1.3/snapshot/fleet', undefined, { host })
      expect(status, JSON.stringify(body)).equal(200)
      const texts = body.alerts.map(({ text }: { text: string }) => text).join('\n')
      return [(await server.ok('GET', '/CRConfig-Snapshots/fleet/CRConfig.json')).body.stats.tm_host, texts]
    }

    it('while nobody has said it: the listening address, and in frozen ones that of the request', async () => {
      expect(await live()).equal('127.0.0.1:0')
      const [host, texts] = await frozenBy(server, 'ops.example.net:8443')
      expect(host).equal('ops.example.net:8443')
      expect(texts).to.include('Neither PUBLIC_URL nor the global parameter tm.url is set').and.include(host)
    })

    it('but routers are not sent elsewhere by an operator of another tenant, nor by what is no host', async () => {
      const elsewhere = await server.as('operations', { tenant: 'unassigned' })
      expect((await frozenBy(elsewhere, 'evil.example'))[0]).equal('ops.example.net:8443')
      expect((await frozenBy(server, 'a"b'))[0]).equal('127.0.0.1:0')
    })

    it('then as the newest tm.url of GLOBAL says, and two are warned of', async () => {
      const parameter = (value: string) => ({ name: 'tm.url', configFile: 'global', value, secure: 0 })
      const set = (value: string) => server.ok('POST', '/api/1.3/profiles/name/GLOBAL/parameters', [parameter(value)])
      const warned = ({ body: { alerts } }: Awaited<ReturnType<typeof set>>) =>
        alerts.filter(({ level }: { level: string }) => level === 'warning').map(({ text }: { text: string }) => text)
      expect(warned(await set('https://first.example.net/'))).eql([])
      expect(warned(await set('https://control.example.net/x'))[0]).match(/has 2 values of tm\.url; the newest counts/)
      expect((await server.ok('GET', routing)).body.response.stats.trafficOpsHost).equal('control.example.net')
      expect(await live()).equal('control.example.net')
      const [host, texts] = await frozenBy(server, 'ops.example.net')
      expect([host, texts.includes('tm.url')]).eql(['control.example.net', false])
      const { 'tm.url': told } = (await reader.ok('GET', '/api/1.3/system/info')).body.response.parameters
      expect(told).equal('https://control.example.net/x')
    })
  })

  it('are answered with their faults as warnings, and without them once they are mended', async () => {
    const all = (await server.ok('GET', '/api/1.3/parameters?name=health.polling.interval')).body.response
    // Not that of the profile that a store begins with, to be copied.
    const interval = all.find(({ profiles }: { profiles: string[] }) => !profiles.includes('RASCAL_STARTER'))
    await server.ok('PUT', `/api/1.3/parameters/${interval.id}`, { ...interval, value: 'often' })
    for (const path of [monitoring, routing]) {
      const { body } = await reader.ok('GET', path)
      expect(body.alerts).to.have.length(1)
      expect(body.alerts[0].level).equal('warning')
      expect(body.alerts[0].text).to.include('health.polling.interval')
    }
    await server.ok('PUT', `/api/1.3/parameters/${interval.id}`, interval)
    expect((await reader.ok('GET', monitoring)).body).not.to.have.property('alerts')
  })

  it('are those of the CDN that has the name in the end, when it is given to another meanwhile', async () => {
    const { services } = server.service
    const { id } = (await server.ok('POST', '/api/1.3/cdns', other)).body.response
    const fleet = services.data.by('cdns', 'name', 'fleet')[0]!
    // Stale, and waiting behind everything else.
    await change(services.data.by('servers', 'cdnId', fleet.id)[0]!.hostName, { tcpPort: 8081 })
    const busy = services.compileTogether(fleetJobs(services))
    const input = { params: { name: 'fleet' }, query: {}, body: undefined, version: '1.3', user: system } as const
    const pending = liveAnswer('routing', { ...input, headers: {}, address: '', requestId: '' }, services)
    await services.committer.write({ user: system, requestId: 'rename' }, (transaction) => {
      transaction.update('cdns', fleet.id, { name: 'former' })
      transaction.update('cdns', id, { name: 'fleet' })
    })
    const [{ raw }] = await Promise.all([pending, busy])
    const { response } = JSON.parse(Buffer.from(raw!.body).toString())
    expect([response.config.domain_name, response.stats.cdnName]).to.deep.equal([other.domainName, 'fleet'])
    await server.ok('DELETE', `/api/1.3/cdns/${id}`)
    await server.ok('PUT', `/api/1.3/cdns/${fleet.id}`, { ...fleet, name: 'fleet' })
  })

  it('are empty for a CDN without servers, and say what is missing', async () => {
    await server.ok('POST', '/api/1.3/cdns', { name: 'bare', domainName: 'bare.example.net', dnssecEnabled: false })
    const { body } = await server.ok('GET', '/api/1.2/cdns/bare/configs/monitoring')
    expect(body.response).eql({
      trafficServers: [],
      trafficMonitors: [],
      cacheGroups: [],
      config: {},
      deliveryServices: [],
      profiles: [],
    })
    expect(body.alerts.map(({ text }: { text: string }) => text.split(':')[0])).eql([
      'no-edge',
      'no-router',
      'no-monitor',
    ])
    expect((await server.ok('GET', '/api/1.2/cdns/bare/snapshot')).body).eql({ response: {} })
  })
})
