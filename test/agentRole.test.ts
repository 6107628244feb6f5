import { expect } from 'chai'
import type { Client, TestServer } from './build.js'
import { sampleServer } from './sampleServer.js'
import { runAgent } from './updateAgent.js'

const host = 'edge-nyc-01'

/** The role `ort` is what the cache agent runs as; what it acknowledges nobody else may who is not an operator. */
describe('the role of the cache agent', () => {
  let server: TestServer
  before(async function () {
    this.timeout(60_000)
    server = await sampleServer()
    await server.as('ort', { username: 'agent' })
  })
  after(() => server.close())

  const pending = async (): Promise<boolean> =>
    (await server.ok('GET', `/api/1.3/servers/${host}/update_status`)).body[0].upd_pending
  const queue = async () => {
    const { id } = (await server.ok('GET', `/api/1.3/servers?hostName=${host}`)).body.response[0]
    await server.ok('POST', `/api/1.2/servers/${id}/queue_update`, { action: 'queue' })
  }
  const acknowledge = (client: Client, headers?: Record<string, string>) =>
    client.request('POST', `/update/${host}`, { updated: 0, reval_updated: 0 }, headers)

  it('is enough for a whole run, from the login to the acknowledgement', async () => {
    await queue()
    const run = await runAgent({ url: server.url, username: 'agent', password: server.admin.password, host })
    expect(run.problems).to.deep.equal([])
    expect(run.acknowledged).to.equal(true)
    expect([...run.files.keys()]).to.include.members(['remap.config', 'ssl_multicert.config', 'records.config'])
    expect([...run.files.keys()].some((name) => name.startsWith('url_sig_'))).to.equal(true)
    expect(await pending()).to.equal(false)
  }).timeout(60_000)

  it('is enough for the certificates that a cache serves', async () => {
    const subject = { country: 'US', state: 'S', city: 'C', organization: 'O', businessUnit: 'U' }
    const certified = { key: 'vod', version: '1', hostname: '*.vod.stream.example.net', ...subject }
    await server.ok('POST', '/api/1.3/deliveryservices/sslkeys/generate', certified)
    const agent = await server.login('agent', server.admin.password)
    const { response } = (await agent.ok('GET', '/api/1.2/cdns/name/stream/sslkeys.json')).body
    expect(response.length).to.be.greaterThan(0)
    for (const path of ['dnsseckeys', 'sslkeys/delete']) {
      expect((await agent.get(`/api/1.2/cdns/name/stream/${path}`)).status, path).to.be.oneOf([403, 404])
    }
    const elsewhere = await server.as('ort', { tenant: 'media-house' })
    expect((await elsewhere.get('/api/1.2/cdns/name/stream/sslkeys.json')).status).to.equal(403)
  })

  it('changes no records', async () => {
    const agent = await server.login('agent', server.admin.password)
    const { id } = (await server.ok('GET', `/api/1.3/servers?hostName=${host}`)).body.response[0]
    expect((await agent.request('PUT', `/api/1.3/servers/${id}/status`, { status: 'ONLINE' })).status).to.equal(403)
    expect((await agent.request('POST', '/api/1.3/divisions', { name: 'x' })).status).to.equal(403)
  })

  it('or that of an operator is needed to acknowledge, whatever the number of the others', async () => {
    await queue()
    for (const role of ['read-only', 'portal', 'steering', 'federation']) {
      for (const tenant of ['root', 'media-house']) {
        const answer = await acknowledge(await server.as(role, { tenant }))
        expect(answer.status, `${role} of ${tenant}: ${answer.text}`).to.equal(403)
        expect(answer.text).to.contain("'operations'").and.contain("'ort'")
      }
    }
    expect(await pending()).to.equal(true)
    for (const role of ['ort', 'operations', 'admin']) {
      await queue()
      expect((await acknowledge(await server.as(role))).status, role).to.equal(200)
      expect(await pending(), role).to.equal(false)
    }
  })

  it('is meant by its name: another role of its number is none', async () => {
    await server.ok('POST', '/api/1.3/roles', { name: 'like-ort', description: 'd', privLevel: 11, capabilities: [] })
    const agent = await server.login('agent', server.admin.password)
    const other = await server.as('like-ort')
    const path = `/api/1.2/servers/${host}/configfiles/ats/remap.config`
    // Warm and cold: what is kept for the one is not the other's.
    for (const _ of [1, 2]) {
      expect((await agent.get(path)).status).to.equal(200)
      expect((await other.get(path)).status).to.equal(403)
    }
    expect((await acknowledge(other)).status).to.equal(403)
  })

  it("has a server's own token acknowledge for that server only", async () => {
    const agent = await server.login('agent', server.admin.password)
    const scoped = async (name: string) => {
      const scopes = [`config:read:server=${name}`]
      const { token } = (await agent.ok('POST', '/api/1.3/tokens', { description: name, scopes })).body.response
      return { authorization: `Bearer ${token}` }
    }
    await queue()
    expect((await acknowledge(server.anonymous, await scoped('edge-chi-01'))).status).to.equal(403)
    expect(await pending()).to.equal(true)
    const own = await scoped(host)
    await server.anonymous.get(`/api/1.3/servers/${host}/update_status`, own)
    expect((await acknowledge(server.anonymous, own)).status).to.equal(200)
    expect(await pending()).to.equal(false)
  })
})
