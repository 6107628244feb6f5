import { randomUUID } from 'node:crypto'
import { expect } from 'chai'

import { expireJobs } from '../../api/records/kinds/jobExpiry.js'
import { system } from '../../api/schema/privileges.js'
import type { Client, TestServer } from '../build.js'
import { buildServer } from '../build.js'
import type { Network } from './smallNetwork.js'
import { smallNetwork } from './smallNetwork.js'

describe('content invalidation rules', () => {
  let now = new Date('2026-03-01T12:00:00.000Z')
  const path = '/api/1.2/user/current/jobs'
  let app: TestServer
  let net: Network
  let dsId: number
  before(async () => {
    app = await buildServer({ now: () => now })
    net = await smallNetwork(app)
    dsId = (await net.addService('video', { orgServerFqdn: 'http://o.example:8080' })).id
  })
  after(() => app.close())

  const body = (more: object = {}) => ({
    dsId: String(dsId),
    regex: '/a/.*',
    startTime: '2026-03-01 12:30:00',
    ttl: 24,
    ...more,
  })
  const faults = async (more: object) => {
    const answer = await app.request('POST', path, body(more))
    return [answer.status, ...answer.body.alerts.map(({ text }: { text: string }) => text)]
  }
  const get = async (url: string) => (await app.ok('GET', url)).body.response

  it('are withdrawn by who made them and by operators of their tenant, and caches fetch what is left', async () => {
    const { edgeGroup } = net.ids
    const cache = await net.addServer({ cachegroupId: edgeGroup })
    const file = async () => (await app.ok('GET', `/api/1.2/cdns/net/configfiles/cachesw/regex_revalidate.config`)).text
    const pending = async () => (await get(`/api/1.3/servers/${cache.id}`))[0]
    const add = async (regex: string, client: Pick<Client, 'ok'> = app) =>
      (await client.ok('POST', path, body({ regex, startTime: '2026-03-01 11:00:00' }))).body.response.id
    const portal = await app.as('portal')
    const [own, foreign] = [await add('/own', portal), await add('/foreign')]
    expect(await file()).to.match(/\/own .*\n.*\/foreign |\/foreign .*\n.*\/own /)
    const { updPending, revalPending } = await pending()
    expect([updPending, revalPending]).to.include(true)
    await app.ok('POST', `/api/1.3/servers/${cache.id}/queue_update`, { action: 'dequeue' })
    const withdraw = (id: number, client: Client) => client.request('DELETE', `/api/1.3/jobs/${id}`)
    const refusal = await withdraw(foreign, portal)
    expect([refusal.status, refusal.body.alerts[0].text]).to.deep.equal([
      403,
      'Forbidden. Only whoever made the rule, and operators, withdraw it.',
    ])
    expect((await pending()).updPending).to.equal(false)
    const done = await withdraw(own, portal)
    expect(done.body.alerts[0].text).to.equal(
      'Content invalidation request for video withdrawn [ http://o.example:8080/own - TTL:24h ]',
    )
    expect(await file()).to.match(/\/foreign /)
    expect(await file()).not.to.contain('/own')
    expect((await pending()).updPending).to.equal(true)
    expect((await withdraw(foreign, await app.as('operations'))).status).to.equal(200)
    expect(await file()).not.to.contain('/foreign')
    expect((await withdraw(foreign, app)).status).to.equal(404)
    const [{ message }] = await get('/api/1.3/logs?limit=1')
    expect(message).to.match(/foreign - TTL:24h \], queued for 1 servers$/)
  })

  it('join origin and pattern with one slash, whatever the pattern begins with', async () => {
    for (const regex of ['/a/.*', 'a/.*', '\\/a/.*', '//a/.*']) {
      const { response } = (await app.ok('POST', path, body({ regex }))).body
      expect(response.assetUrl, regex).to.equal('http://o.example:8080/a/.*')
    }
  })

  it('are listed for who made them, in the shape of the interface', async () => {
    const { alerts } = (await app.ok('POST', path, body({ regex: '/listed' }))).body
    expect(alerts[0].text).to.equal(
      'Invalidate content request submitted for video [ http://o.example:8080/listed - TTL:24h ]',
    )
    const [job] = (await get(`${path}.json?keyword=PURGE`)).filter(({ assetUrl }: { assetUrl: string }) =>
      assetUrl.endsWith('listed'),
    )
    expect(job).to.include({
      keyword: 'PURGE',
      objectName: null,
      assetType: 'file',
      status: 'PENDING',
      dsId: String(dsId),
      dsXmlId: 'video',
      username: 'admin',
      parameters: 'TTL:24h',
      enteredTime: '2026-03-01 12:00:00',
      agent: 'dummy',
      startTime: '2026-03-01 12:30:00',
    })
    const other = await app.as('operations')
    expect((await other.ok('GET', path)).body.response).to.deep.equal([])
    const [all] = (await other.ok('GET', `/api/1.3/jobs?dsId=${dsId}`)).body.response
    expect(all).to.include({ deliveryService: 'video', createdBy: 'admin', startTime: '2026-03-01 12:30:00+00' })
  })

  it('name every field that is missing or wrong', async () => {
    expect((await app.request('POST', path, {})).body.alerts).to.have.length(4)
    expect(await faults({ startTime: 'soon' })).to.deep.equal([
      400,
      'startTime has an invalidate date format, should be in the form of YYYY-MM-DD HH:MM:SS',
    ])
    expect(await faults({ startTime: '2026-02-27 11:59:59' })).to.deep.equal([
      400,
      'startTime needs to be within two days from now.',
    ])
    expect((await app.request('POST', path, body({ startTime: '2026-02-27 12:00:01' }))).status).to.equal(200)
    expect(await faults({ ttl: 2161 })).to.deep.equal([400, 'ttl should be between 1 and 2160'])
    for (const ttl of [0, 1.5, 'long']) {
      expect(await faults({ ttl })).to.deep.equal([400, 'ttl should be a whole number of hours, at least 1'])
    }
    expect((await faults({ regex: '(' }))[1]).to.match(/^regex must be a regular expression/)
    expect((await faults({ regex: '/a b' }))[0]).to.equal(400)
    expect((await faults({ regex: '/a\nhttp://evil/ 9999999999' }))[0]).to.equal(400)
    expect((await faults({ dsId: 99_999 }))[0]).to.equal(404)
  })

  it('need an origin and a delivery service of the own tenant', async () => {
    const { id } = await net.addService('steered', { typeId: await net.typeId('STEERING'), orgServerFqdn: null })
    expect((await faults({ dsId: id }))[0]).to.equal(400)
    await net.made('/tenants', { name: 'apart', active: true, parentId: 1 })
    const outsider = await app.as('portal', { tenant: 'apart' })
    expect((await outsider.request('POST', path, body())).status).to.equal(403)
  })

  it('have the caches that list the rules fetch them, but for those out of service', async () => {
    const edge = await net.addServer({ hostName: 'in-service' })
    const off = await net.addServer({ hostName: 'out-of-service', statusId: await net.statusId('OFFLINE') })
    const flags = async (id: number) => {
      const [server] = await get(`/api/1.3/servers/${id}`)
      return [server.updPending, server.revalPending]
    }
    await app.ok('POST', path, body({ regex: '/one' }))
    expect(await flags(edge.id)).to.deep.equal([true, false])
    expect(await flags(off.id)).to.deep.equal([false, false])
    await app.ok('POST', `/api/1.2/servers/${edge.id}/queue_update`, { action: 'dequeue' })
    const [global] = await get('/api/1.3/profiles?name=GLOBAL')
    const flag = { name: 'use_reval_pending', configFile: 'global', value: '1' }
    await app.ok('POST', `/api/1.3/profiles/${global.id}/parameters`, flag)
    await app.ok('POST', path, body({ regex: '/two' }))
    expect(await flags(edge.id)).to.deep.equal([false, true])
  })

  it('run out by the clock, in one entry of the journal', async () => {
    const { committer, data } = app.service.services
    const expire = () =>
      committer.write({ user: system, requestId: randomUUID() }, (transaction) => expireJobs(transaction))
    await app.ok('POST', path, body({ regex: '/short', ttl: 1 }))
    const active = () => data.all('jobs').filter((job) => job.active && job.assetUrl.endsWith('/short')).length
    await expire()
    expect(active()).to.equal(1)
    now = new Date('2026-03-01T13:29:59.999Z')
    await expire()
    expect(active()).to.equal(1)
    now = new Date('2026-03-01T13:30:00.000Z')
    expect((await expire()).value).to.equal(1)
    expect(active()).to.equal(0)
  })
})
