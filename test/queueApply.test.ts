import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import type { Client, TestServer } from './build.js'
import { buildServer } from './build.js'
import { sampleServer } from './sampleServer.js'

const host = 'edge-nyc-01'

describe('queueing and applying over HTTP', () => {
  let server: TestServer
  before(async function () {
    this.timeout(60_000)
    server = await sampleServer()
  })
  after(() => server.close())

  const pending = async (name: string): Promise<boolean> =>
    (await server.ok('GET', `/api/1.3/servers/${name}/update_status`)).body[0].upd_pending
  const queue = async (action = 'queue') => {
    const { id } = (await server.ok('GET', `/api/1.3/servers?hostName=${host}`)).body.response[0]
    return server.ok('POST', `/api/1.2/servers/${id}/queue_update`, { action })
  }

  describe('an acknowledgement', () => {
    const form = (body: string, headers: Record<string, string> = {}, client: Client = server) =>
      client.request('POST', `/update/${host}`, body, {
        'content-type': 'application/x-www-form-urlencoded',
        ...headers,
      })
    const state = async () => (await server.ok('GET', `/api/1.3/servers/${host}/update_status`)).body[0]

    it('in five steps: queued, asked, queued again, acknowledged, and still pending', async () => {
      await queue()
      const input = await server.get(`/api/1.3/servers/${host}/update_status`)
      await queue()
      const revision = input.headers.get('x-edgewright-revision')
      expect((await form('updated=0&reval_updated=0')).text).to.match(
        new RegExp(`^Success, but an update was queued after revision ${revision}, .* still pending`),
      )
      const { upd_pending, desired_revision, applied_revision } = await state()
      expect(upd_pending).to.equal(true)
      expect(applied_revision).to.equal(Number(input.headers.get('x-edgewright-revision')))
      expect(desired_revision).to.be.greaterThan(applied_revision)
      const last = await form('updated=0')
      expect([last.status, last.text]).to.deep.equal([200, 'Success'])
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
      await queue('dequeue')
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

    it('may tell of it in any characters: halves of some, sent or made by cutting, are not kept', async () => {
      const told = async (message: string) => {
        await server.ok('POST', `/update/${host}`, { result: 'failed', message })
        return (await state()).last_message
      }
      expect(await told('a\ud800b\udfff\u001b\u{1f600}')).to.equal('ab\u{1f600}')
      expect(await told(`${'y'.repeat(4095)}\u{1f600}`)).to.equal('y'.repeat(4095))
      const [{ id }] = (await server.ok('GET', `/api/1.3/servers?hostName=${host}`)).body.response
      const reason = `${'x'.repeat(899)}\u{1f600}`
      await server.ok('PUT', `/api/1.3/servers/${id}/status`, { status: 'OFFLINE', offlineReason: reason })
      const [{ offlineReason }] = (await server.ok('GET', `/api/1.3/servers?hostName=${host}`)).body.response
      expect(offlineReason).to.equal(`admin: ${'x'.repeat(899)}`)
      await form('updated=0')
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

    it('still covers what its session can have fetched when the service was started anew', async () => {
      const dataDir = mkdtempSync(join(tmpdir(), 'edgewright-restart-'))
      const first = await sampleServer({ dataDir })
      const { id } = (await first.ok('GET', `/api/1.3/servers?hostName=${host}`)).body.response[0]
      const queued = () => first.ok('POST', `/api/1.3/servers/${id}/queue_update`, { action: 'queue' })
      await queued()
      const early = await first.login(first.admin.username, first.admin.password)
      await early.ok('GET', `/api/1.3/servers/${host}/update_status`)
      await queued()
      const late = await first.login(first.admin.username, first.admin.password)
      await late.ok('GET', `/api/1.3/servers/${host}/update_status`)
      await first.close()
      const second = await buildServer({ dataDir })
      const isPending = async () =>
        (await second.ok('GET', `/api/1.3/servers/${host}/update_status`)).body[0].upd_pending
      await second.withCookie(early.cookie()).ok('POST', `/update/${host}`, { updated: 0 })
      expect(await isPending()).to.equal(true)
      await second.withCookie(late.cookie()).ok('POST', `/update/${host}`, { updated: 0 })
      expect(await isPending()).to.equal(false)
      await second.close()
      rmSync(dataDir, { recursive: true })
    }).timeout(60_000)

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
})
