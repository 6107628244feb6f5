import { Ajv } from 'ajv'
import { expect } from 'chai'
import type { Client, TestServer } from './build.js'
import { sampleServer } from './sampleServer.js'
import { crConfigTypes, monitoringTypes } from './snapshotTypes.js'
import { runAgent } from './updateAgent.js'

const host = 'edge-nyc-01'

describe('the programs of the field', () => {
  let server: TestServer
  before(async function () {
    this.timeout(60_000)
    server = await sampleServer()
    await server.as('operations', { username: 'agent' })
  })
  after(() => server.close())

  const pending = async (name = host): Promise<boolean> =>
    (await server.ok('GET', `/api/1.3/servers/${name}/update_status`)).body[0].upd_pending
  const idOf = async (name: string): Promise<number> =>
    (await server.ok('GET', `/api/1.3/servers?hostName=${name}`)).body.response[0].id
  const queue = async (name = host, action = 'queue') =>
    server.ok('POST', `/api/1.2/servers/${await idOf(name)}/queue_update`, { action })
  const run = (more: Partial<Parameters<typeof runAgent>[0]> = {}) =>
    runAgent({ url: server.url, username: 'agent', password: server.admin.password, host, ...more })

  describe('the cache agent', () => {
    it('asks twice and goes when nothing is pending', async () => {
      const { asked, problems, acknowledged } = await run()
      expect(asked).to.deep.equal([
        'POST /api/1.3/user/login',
        'GET /api/1.2/system/info.json',
        `GET /api/1.3/servers/${host}/update_status`,
        `GET /api/1.3/servers/${host}/update_status`,
      ])
      expect([problems, acknowledged]).to.deep.equal([[], false])
    })

    for (const name of [host, 'mid-us-east-01']) {
      it(`fetches every file of ${name}, finds nothing wrong, and clears the update`, async () => {
        await queue(name)
        const { files, problems, acknowledged } = await run({ host: name })
        expect(problems).to.deep.equal([])
        expect(acknowledged).to.equal(true)
        expect([...files.keys()]).to.include.members(['remap.config', 'parent.config', 'records.config'])
        expect(await pending(name)).to.equal(false)
      }).timeout(30_000)
    }

    it('leaves what is queued while it runs to its next run, at whatever moment that is', async () => {
      const moments = ['/configfiles/ats', 'remap.config', '/update_status', '/update/']
      for (const moment of moments) {
        await queue()
        let times = 0
        const between = async (path: string) => {
          // The second question of a run, the first having told of the update.
          const isMoment = path.includes(moment) && (moment !== '/update_status' || times++ === 1)
          if (isMoment && !queued) {
            queued = true
            await queue()
          }
        }
        let queued = false
        await run({ between })
        expect([queued, await pending()], moment).to.deep.equal([true, true])
        await run()
        expect(await pending(), `after the run that follows ${moment}`).to.equal(false)
      }
    }).timeout(60_000)

    it('does not report what a missing plugin keeps it from applying', async () => {
      await queue()
      const { problems, acknowledged } = await run({ plugins: (name) => name !== 'header_rewrite.so' })
      expect([problems, acknowledged]).to.deep.equal([['the plugin header_rewrite.so is not installed'], false])
      expect(await pending()).to.equal(true)
      await run()
      expect(await pending()).to.equal(false)
    }).timeout(30_000)

    it('gives up at once on a server that does not exist', async () => {
      const failed = await run({ host: 'no-such-host' }).catch((error: Error) => error.message)
      expect(failed).to.match(/^\/api\/1\.3\/servers\/no-such-host\/update_status answered 404/)
      for (const path of ['/api/1.2/servers/no-such-host/configfiles/ats', '/ort/no-such-host/packages']) {
        expect((await server.get(path)).status, path).to.equal(404)
      }
    })

    it('tells of parents that have to come first, and of invalidation rules apart', async () => {
      await queue('mid-us-east-01')
      const status = async (name: string) => (await server.ok('GET', `/api/1.3/servers/${name}/update_status`)).body[0]
      const flags = ({ upd_pending, reval_pending, parent_pending, parent_reval_pending }: Record<string, boolean>) => [
        upd_pending,
        reval_pending,
        parent_pending,
        parent_reval_pending,
      ]
      expect(flags(await status(host))).to.deep.equal([false, false, true, false])
      expect(flags(await status('mid-us-east-01'))).to.deep.equal([true, false, false, false])
      const service = (await server.ok('GET', '/api/1.3/deliveryservices?xmlId=vod')).body.response[0]
      const job = { dsId: service.id, regex: '/a', startTime: new Date().toISOString(), ttl: 1 }
      await server.ok('POST', '/api/1.2/user/current/jobs', job)
      expect(flags(await status(host))).to.deep.equal([false, true, true, true])
      await server.ok('POST', '/update/mid-us-east-01', { updated: 0, reval_updated: 1 })
      expect(flags(await status('mid-us-east-01'))).to.deep.equal([false, true, false, false])
      expect(flags(await status(host))).to.deep.equal([false, true, false, true])
      await server.ok('POST', `/update/${host}`, { updated: 1, reval_updated: 0 })
      expect(flags(await status(host))).to.deep.equal([false, false, false, true])
      const all = (await server.ok('GET', '/api/1.3/servers/all/update_status')).body as Record<string, unknown>[]
      expect(
        all.every(({ parent_pending, parent_reval_pending }) => !parent_pending && !parent_reval_pending),
      ).to.equal(true)
      expect(all.length).to.be.greaterThan(40)
      const [older] = (await server.ok('GET', `/update/${host}`)).body
      expect(older).not.to.have.property('use_reval_pending')
    })
  })

  describe('an acknowledgement', () => {
    const form = (body: string, headers: Record<string, string> = {}, client: Client = server) =>
      client.request('POST', `/update/${host}`, body, {
        'content-type': 'application/x-www-form-urlencoded',
        ...headers,
      })
    const state = async () => (await server.ok('GET', `/api/1.3/servers/${host}/update_status`)).body[0]

    it('in five steps: queued, asked, queued again, acknowledged, and still pending', async () => {
      await queue()
      const asked = await server.get(`/api/1.3/servers/${host}/update_status`)
      await queue()
      expect((await form('updated=0&reval_updated=0')).text).to.equal('Success')
      const { upd_pending, desired_revision, applied_revision } = await state()
      expect(upd_pending).to.equal(true)
      expect(applied_revision).to.equal(Number(asked.headers.get('x-edgewright-revision')))
      expect(desired_revision).to.be.greaterThan(applied_revision)
      expect((await form('updated=0')).status).to.equal(200)
      expect((await state()).upd_pending).to.equal(false)
    })

    it('may name the revision it is about', async () => {
      await queue()
      const early = (await server.get(`/api/1.3/servers/${host}/update_status`)).headers.get('x-edgewright-revision')!
      const { apiUri } = (await server.ok('GET', `/api/1.2/servers/${host}/configfiles/ats`)).body.configFiles.at(0)
      await queue()
      const late = (await server.get(apiUri)).headers.get('x-edgewright-revision')!
      expect(Number(late)).to.be.greaterThan(Number(early))
      await form('updated=0', { 'x-edgewright-revision': early })
      expect((await state()).upd_pending).to.equal(true)
      await form('updated=0', { 'x-edgewright-revision': late })
      expect((await state()).upd_pending).to.equal(false)
      await form('updated=0', { 'x-edgewright-revision': '999999999' })
      await queue()
      expect((await state()).upd_pending).to.equal(true)
      await queue(host, 'dequeue')
      expect((await state()).upd_pending).to.equal(false)
    })

    it('may tell of a failure, which stays pending with its message', async () => {
      await queue()
      await state()
      expect((await form('result=failed&message=remap.config+line+7%0Adoes+not+load')).text).to.equal('Success')
      expect(await state()).to.include({
        upd_pending: true,
        last_result: 'failed',
        last_message: 'remap.config line 7\ndoes not load',
      })
      const [line] = (await server.ok('GET', '/api/1.3/logs?limit=1')).body.response
      expect(line.message).to.equal(`Update failed on ${host}: remap.config line 7 does not load`)
      await form('updated=0')
      expect(await state()).to.include({ upd_pending: false, last_result: 'applied', last_message: null })
    })

    it('is refused when it says nothing, and to those who may not', async () => {
      const before = (await server.ok('GET', '/api/1.3/changes')).body.revision
      for (const body of ['', 'x=1', 'updated=2', 'updated=0&result=maybe', 'result=failed&updated=x']) {
        expect((await form(body)).status, body).to.equal(400)
      }
      expect((await form('updated=0', { 'x-edgewright-revision': 'x' })).status).to.equal(400)
      for (const body of [{ updated: {} }, { updated: [0] }, { result: 'failed', message: { toString: 1 } }, []]) {
        expect((await server.request('POST', `/update/${host}`, body)).status, JSON.stringify(body)).to.equal(400)
      }
      expect((await server.request('POST', '/update/no-such-host', { updated: 0 })).status).to.equal(404)
      expect((await form('updated=0', {}, server.anonymous)).status).to.equal(401)
      expect((await form('updated=0', {}, await server.as('read-only'))).status).to.equal(403)
      const own = await token(`config:read:server=${host}`)
      const other = await token('config:read:server=edge-nyc-02')
      expect((await form('updated=1', own, server.anonymous)).status).to.equal(200)
      expect((await form('updated=1', other, server.anonymous)).status).to.equal(403)
      const users = (await server.ok('GET', `/api/1.3/changes?since=${before}&kind=serverUpdates`)).body.response
      expect(users.flatMap(({ changes }: { changes: unknown[] }) => changes)).to.deep.equal([])
    })

    async function token(scope: string): Promise<Record<string, string>> {
      const made = await server.ok('POST', '/api/1.3/tokens', { description: scope, scopes: [scope] })
      return { authorization: `Bearer ${made.body.response.token}` }
    }
  })

  describe('queueing', () => {
    it('reaches servers by type, profile, status or delivery service, and counts them first', async () => {
      const all = (await server.ok('GET', '/api/1.3/servers')).body.response as Record<string, unknown>[]
      const byName = (name: string, value: string) => all.filter((one) => one[name] === value).length
      const cases: [Record<string, string>, number][] = [
        [{ type: 'MID' }, byName('type', 'MID')],
        [{ profile: 'EDGE_ATS9' }, byName('profile', 'EDGE_ATS9')],
        [{ status: 'REPORTED' }, byName('status', 'REPORTED')],
      ]
      for (const [filter, count] of cases) {
        const ask = (query = '') =>
          server.ok('POST', `/api/1.3/servers/queue_update${query}`, { action: 'queue', ...filter })
        const dry = (await ask('?dryRun=true')).body.response
        expect(dry.count, JSON.stringify(filter)).to.equal(count)
        expect((await ask()).body.response).to.deep.equal(dry)
        await server.ok('POST', '/api/1.3/servers/queue_update', { action: 'dequeue', ...filter })
      }
      const carrying = { action: 'queue', deliveryService: 'vod' }
      const { serverNames } = (await server.ok('POST', '/api/1.3/servers/queue_update', carrying)).body.response
      const { id } = (await server.ok('GET', '/api/1.3/deliveryservices?xmlId=vod')).body.response[0]
      const listed = (await server.ok('GET', `/api/1.3/servers?dsId=${id}`)).body.response
      expect(serverNames).to.have.members(listed.map(({ hostName }: { hostName: string }) => hostName))
      for (const name of serverNames) expect(await pending(name), name).to.equal(true)
    })

    it('refuses a filter it does not know, and none at all', async () => {
      for (const body of [{ action: 'queue' }, { action: 'queue', typ: 'EDGE' }, { action: 'x', type: 'EDGE' }, []]) {
        expect((await server.request('POST', '/api/1.3/servers/queue_update', body)).status).to.equal(400)
      }
    })

    it('makes no file stale', async () => {
      const path = `/api/1.2/servers/${host}/configfiles/ats/remap.config`
      const etag = (await server.get(path)).headers.get('etag')!
      const { compiles } = server.service.services.artifacts.counts()
      const { id } = (await server.ok('GET', '/api/1.3/cdns?name=stream')).body.response[0]
      await server.ok('POST', `/api/1.2/cdns/${id}/queue_update`, { action: 'queue' })
      expect((await server.get(path, { 'if-none-match': etag })).status).to.equal(304)
      expect(server.service.services.artifacts.counts().compiles).to.equal(compiles)
    })
  })

  describe('the monitor', () => {
    const ajv = new Ajv({ allErrors: true, strict: false })
    const faults = (types: object, document: unknown): string[] => {
      const check = ajv.compile(types)
      check(document)
      return (check.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`)
    }

    it('logs in with the very words it looks for', async () => {
      const credentials = { u: 'agent', p: server.admin.password }
      const { status, body, headers } = await server.anonymous.request('POST', '/api/1.3/user/login', credentials)
      expect(status).to.equal(200)
      expect(body.alerts).to.deep.equal([{ level: 'success', text: 'Successfully logged in.' }])
      expect(headers.get('set-cookie')).to.match(/^mojolicious=/)
    })

    it('decodes the servers, the snapshot and the monitoring settings, types and all', async () => {
      const monitor = await server.login('agent', server.admin.password)
      const { response } = (await monitor.ok('GET', '/api/1.3/servers')).body
      for (const one of response) {
        expect([one.hostName, one.cdnName, one.type, one.lastUpdated].map((value) => typeof value)).to.deep.equal(
          Array(4).fill('string'),
        )
        expect([one.id, one.cachegroupId, one.interfaceMtu].every(Number.isInteger)).to.equal(true)
        expect(one.lastUpdated).to.match(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\+00$/)
        expect(typeof one.updPending).to.equal('boolean')
      }
      for (const cdn of ['stream', 'classic']) {
        await server.ok('PUT', `/api/1.3/snapshot/${cdn}?force=true`)
        const { stats, ...config } = (await monitor.ok('GET', `/CRConfig-Snapshots/${cdn}/CRConfig.json`)).body
        expect(faults(crConfigTypes, config), cdn).to.deep.equal([])
        expect(stats.CDN_name).to.equal(cdn)
        expect(stats.date).to.satisfy(Number.isInteger)
        const monitoring = (await monitor.ok('GET', `/api/1.3/cdns/${cdn}/configs/monitoring.json`)).body.response
        expect(faults(monitoringTypes, monitoring), cdn).to.deep.equal([])
        for (const name of ['peers.polling.interval', 'health.polling.interval']) {
          expect(monitoring.config[name], `${cdn} ${name}`).to.be.a('number')
        }
        const polled = monitoring.trafficServers.filter(({ status }: { status: string }) => status === 'REPORTED')
        for (const { hostName } of polled) expect(config.contentServers).to.have.property(hostName)
      }
    }).timeout(30_000)

    it('takes 200 as the one success', async () => {
      const made = await server.request('POST', '/api/1.3/divisions', { name: 'for a client' })
      expect(made.status).to.equal(200)
      const gone = await server.request('DELETE', `/api/1.3/divisions/${made.body.response.id}`)
      expect(gone.status).to.equal(200)
    })
  })
})
