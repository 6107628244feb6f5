import { Ajv } from 'ajv'
import { expect } from 'chai'
import type { TestServer } from './build.js'
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
  const queue = async (name = host) =>
    server.ok('POST', `/api/1.2/servers/${await idOf(name)}/queue_update`, { action: 'queue' })
  const run = (more: Partial<Parameters<typeof runAgent>[0]> = {}) =>
    runAgent({ url: server.url, username: 'agent', password: server.admin.password, host, ...more })

  describe('the cache agent', () => {
    it('asks twice and goes when nothing is pending', async () => {
      const { asked: input, problems, acknowledged } = await run()
      expect(input).to.deep.equal([
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

    it('logs in with a form as release 2.2 does, and gets no further with a wrong password', async () => {
      await queue()
      const { asked: input, problems, acknowledged } = await run({ release: '2.2' })
      expect([input[0], problems, acknowledged]).to.deep.equal(['POST /login', [], true])
      const refused = await run({ release: '2.2', password: 'not-the-Password' }).catch((error: Error) => error.message)
      expect(refused).to.equal('there is no cookie named mojolicious')
    }).timeout(30_000)

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

  describe('the statistics daemon', () => {
    /** What it does at each interval: whether it wrote the day. Its time has to read as `2006-01-02 15:04:05-07`. */
    const interval = async (now: Date): Promise<boolean> => {
      const asked = '/api/1.2/stats_summary.json?lastSummaryDate=true?statName=daily_maxgbps'
      const { summaryTime } = (await server.ok('GET', asked)).body.response
      const read = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)([+-]\d\d)$/.exec(summaryTime ?? '')
      const last = read ? new Date(`${read[1]}T${read[2]}${read[3]}:00`) : new Date(0)
      if (last.getUTCDate() === now.getUTCDate()) return false
      const statDate = new Date(now.getTime() - 86_400_000).toISOString().slice(0, 10)
      const day = { cdnName: 'stream', deliveryServiceName: 'all', summaryTime: now.toISOString(), statDate }
      await server.ok('POST', '/api/1.2/stats_summary/create', {
        ...day,
        statName: 'daily_maxgbps',
        statValue: '54.00',
      })
      await server.ok('POST', '/api/1.2/stats_summary/create', {
        ...day,
        statName: 'daily_bytesserved',
        statValue: '1.25',
      })
      return true
    }

    it('finds its monitors and what to ask them, and writes every day once', async () => {
      const { response } = (await server.ok('GET', '/api/1.2/servers.json')).body
      expect(response.filter(({ type }: { type: string }) => type === 'RASCAL')).to.not.deep.equal([])
      const parameters = await server.ok('GET', '/api/1.2/profiles/name/TRAFFIC_STATS/parameters.json')
      expect(parameters.body.response).to.be.an('array')
      const written: boolean[] = []
      for (const at of ['02-05T00:00:10Z', '02-05T00:05:10Z', '02-05T23:59:00Z', '02-06T00:00:10Z', '02-06T12:00:00Z'])
        written.push(await interval(new Date(`2026-${at}`)))
      expect(written).to.deep.equal([true, false, false, true, false])
      const days = (await server.ok('GET', '/api/1.2/stats_summary.json?statName=daily_maxgbps')).body.response
      expect(days.map(({ statDate, statValue }: Record<string, string>) => [statDate, statValue])).to.deep.equal([
        ['2026-02-04', '54.00'],
        ['2026-02-05', '54.00'],
      ])
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
