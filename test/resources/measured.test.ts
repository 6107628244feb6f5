import { expect } from 'chai'
import type { TestServer } from '../build.js'
import { sampleServer } from '../sampleServer.js'

const host = 'edge-chi-01'

describe('what is measured', () => {
  let server: TestServer
  before(async function () {
    this.timeout(60_000)
    server = await sampleServer()
  })
  after(() => server.close())

  const get = async (path: string) => (await server.ok('GET', path)).body

  describe('checks', () => {
    const checks = async () => {
      const { response } = await get('/api/1.3/servers/checks')
      return response.find(({ hostName }: { hostName: string }) => hostName === host)
    }
    const report = (body: object) => server.request('POST', '/api/1.1/servercheck', body)

    it('are shown of every cache, with 0 until they report', async () => {
      const { response } = await get('/api/1.3/servers/checks')
      const types = new Set(response.map(({ type }: { type: string }) => type))
      expect([...types]).to.have.members(['EDGE', 'MID'])
      expect((await checks()).checks).to.include({ ILO: 0, '10G': 0, CHR: 0 })
      expect(typeof (await get('/api/1.1/servers/checks.json')).response[0].id).to.equal('string')
    })

    it('are reported by host name or id; the id counts', async () => {
      const { id } = (await get(`/api/1.3/servers?hostName=${host}`)).response[0]
      expect((await report({ host_name: host, servercheck_short_name: 'ILO', value: '1' })).status).to.equal(200)
      expect((await checks()).checks.ILO).to.equal(1)
      const byId = { id: String(id), host_name: 'edge-nyc-01', servercheck_short_name: 'CHR', value: 97 }
      expect((await report(byId)).body.alerts[0].text).to.equal('Server Check was successfully updated.')
      expect((await checks()).checks).to.include({ ILO: 1, CHR: 97 })
      await report({ id, servercheck_short_name: 'ILO', value: 0 })
      expect((await checks()).checks.ILO).to.equal(0)
    })

    it('are refused with one alert for each fault', async () => {
      const refused: [object, string[]][] = [
        [{}, ['servercheck_short_name is required', 'value is required', 'id or host_name is required']],
        [{ id: 1, servercheck_short_name: 'ILO', value: 1.5 }, ['value must be an integer']],
        [
          { host_name: host, servercheck_short_name: 'NO', value: 1 },
          ['Server Check Extension NO not found - Do you need to install it?'],
        ],
        [{ host_name: 'nobody', servercheck_short_name: 'ILO', value: 1 }, ['Server not found']],
      ]
      for (const [body, texts] of refused) {
        const answer = await report(body)
        expect(answer.status).to.equal(400)
        expect(answer.body.alerts.map(({ text }: { text: string }) => text)).to.deep.equal(texts)
      }
    })

    it('make no file stale', async () => {
      const path = `/api/1.2/servers/${host}/configfiles/ats/parent.config`
      const etag = (await server.get(path)).headers.get('etag')!
      await report({ host_name: host, servercheck_short_name: '10G', value: 1 })
      expect((await server.get(path, { 'if-none-match': etag })).status).to.equal(304)
    })
  })

  it('daily statistics are added, filtered, and their newest time told', async () => {
    const add = (body: object) => server.request('POST', '/api/1.2/stats_summary/create', body)
    const day = { statName: 'daily_maxgbps', statValue: '12.5', statDate: '2026-01-02' }
    expect((await add(day)).body.response).to.be.a('string')
    await add({ ...day, cdnName: 'stream', summaryTime: '2026-01-03 01:00:00' })
    const own = { cdnName: 'stream', deliveryServiceName: 'all', statName: 'daily_maxgbps', statDate: '2026-01-02' }
    expect((await get('/api/1.2/stats_summary?cdnName=stream')).response).to.deep.equal([
      { ...own, statValue: '12.5', summaryTime: '2026-01-03 01:00:00' },
    ])
    expect((await get('/api/1.3/stats_summary?cdnName=stream')).response[0].statValue).to.equal(12.5)
    const newest = await get('/api/1.2/stats_summary?cdnName=stream&lastSummaryDate=true')
    expect(newest.response).to.deep.equal({ summaryTime: '2026-01-03 01:00:00+00' })
    expect((await get('/api/1.2/stats_summary?cdnName=no&lastSummaryDate=true')).response.summaryTime).to.equal(null)
    const refused = await add({ statValue: 'x' })
    expect(refused.status).to.equal(400)
    expect(refused.body.alerts.map(({ text }: { text: string }) => text.split(' ')[0])).to.have.members([
      'statName',
      'statValue',
      'statDate',
    ])
  })

  it('a day is told once, with the decimals it was written with, and its daemon reads when that was', async () => {
    const add = (body: object) => server.ok('POST', '/api/1.2/stats_summary/create', body)
    const told = async (version: string) =>
      (await get(`/api/${version}/stats_summary?statName=daily_told`)).response.map(
        ({ statValue, statDate }: Record<string, unknown>) => [statValue, statDate],
      )
    const day = { statName: 'daily_told', statValue: '53.10', statDate: '2026-02-01' }
    await add({ ...day, summaryTime: '2026-02-02T00:00:09-05:00' })
    await add({ ...day, statValue: '54.00', statDate: '2026-02-01T23:59:00Z', summaryTime: '2026-02-02T06:00:00Z' })
    await add({ ...day, statValue: 7.25, statDate: '2026-02-02', summaryTime: '2026-02-03 00:00:00' })
    expect(await told('1.3')).to.have.deep.members([
      [54, '2026-02-01'],
      [7.25, '2026-02-02'],
    ])
    expect(await told('1.2')).to.have.deep.members([
      ['54.00', '2026-02-01'],
      ['7.25', '2026-02-02'],
    ])
    await add({ ...day, statName: 'daily_later', summaryTime: '2027-01-01 00:00:00' })
    for (const asked of ['true?statName=daily_told', '1&statName=daily_told', 'yes&cdnName=all&statName=daily_told'])
      for (const version of ['1.1', '1.2', '1.3'])
        expect((await get(`/api/${version}/stats_summary.json?lastSummaryDate=${asked}`)).response).to.deep.equal({
          summaryTime: '2026-02-03 00:00:00+00',
        })
    expect((await get('/api/1.2/stats_summary?lastSummaryDate=false')).response).to.be.an('array')
  })

  it('hardware is listed by what it is', async () => {
    const report = (description: string, val: string) =>
      server.request('POST', '/api/1.3/hwinfo', { server: host, description, val })
    for (const description of ['disk', 'cpu', 'disk']) {
      expect((await report(description, `some ${description}`)).status).to.equal(200)
    }
    expect((await report('', 'x')).status).to.equal(400)
    const { response, limit } = await get('/api/1.1/hwinfo.json?description=disk')
    expect(limit).to.equal(1000)
    expect(response).to.have.length(1)
    expect(response[0]).to.include({ serverHostName: host, description: 'disk', val: 'some disk' })
    expect((await get(`/api/1.3/hwinfo?serverHostName=${host}&limit=1`)).response).to.have.length(1)
  })

  it('packages and services of a machine are compiled files like any other', async () => {
    for (const file of ['packages', 'chkconfig']) {
      const answer = await server.get(`/ort/${host}/${file}`)
      expect(answer.body).to.be.an('array').that.is.not.empty
      expect(answer.text).to.equal((await server.get(`/api/1.2/servers/${host}/configfiles/ats/${file}`)).text)
      const { compiles } = server.service.services.artifacts.counts()
      const again = await server.get(`/ort/${host}/${file}`, { 'if-none-match': answer.headers.get('etag')! })
      expect(again.status).to.equal(304)
      expect(server.service.services.artifacts.counts().compiles).to.equal(compiles)
    }
    const { id, name } = (await get('/api/1.3/parameters?configFile=package&name=collectd')).response[0]
    await server.ok('PUT', `/api/1.3/parameters/${id}`, { value: '99.9' })
    const changed = (await server.get(`/ort/${host}/packages`)).body
    expect(changed.find((one: { name: string }) => one.name === name)?.version).to.equal('99.9')
  })

  it('what is not built says so, to those who may ask', async () => {
    for (const path of ['deliveryservice_requests', 'riak/ping']) {
      const answer = await server.get(`/api/1.3/${path}`)
      expect(answer.status, path).to.equal(501)
      expect(answer.body.alerts[0], path).to.include({ level: 'error' })
    }
    const image = await server.request('POST', '/api/1.2/isos', { osversionDir: 'any' })
    expect([image.status, image.body.alerts[0].text]).to.deep.equal([
      501,
      'Building installation images is not implemented.',
    ])
    expect((await get('/api/1.2/osversions.json')).response).to.deep.equal({})
    expect((await server.anonymous.get('/api/1.3/osversions')).status).to.equal(401)
  })

  it('a dump of the database is the backup, for those who may have that', async () => {
    const [dump, backup] = [await server.get('/api/1.1/dbdump.json'), await server.get('/api/1.3/backup')]
    // The first line says when it was made.
    const content = ({ text }: { text: string }) => text.slice(text.indexOf('\n') + 1, text.indexOf('\n') + 20_000)
    expect(dump.status).to.equal(200)
    expect(content(dump)).to.equal(content(backup)).and.to.have.length.above(1000)
    const named = ['content-type', 'content-disposition'].map((name) => [name, dump.headers.get(name)])
    expect(named).to.deep.equal(named.map(([name]) => [name, backup.headers.get(name!)]))
    for (const who of [await server.as('read-only'), await server.as('operations')])
      for (const path of ['/api/1.3/dbdump', '/api/1.3/backup']) expect((await who.get(path)).status).to.equal(403)
  })
})
