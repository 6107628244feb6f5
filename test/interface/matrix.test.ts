import { expect } from 'chai'
import type { Endpoint } from '../../api/operations/endpoint.js'
import type { Client, TestServer } from '../build.js'
import { routes } from '../routes.js'
import { sampleServer } from '../sampleServer.js'
import { cells, everyCaller, may, nameOf } from './callers.js'

/** What it answers whoever has no credentials, because asking for some is what it is for. */
const asksForCredentials = new Set(['POST /user/login/token'])

/**
 * Every route, every role, every place in the tree of tenants: all dependency keys. Who may is answered by anything but 401 and
 * 403 (the ids asked for are not there, the bodies are empty); who may not by exactly those. Which role a route has,
 * and whose records it touches, is agreed in test/surface/; `tenants.test.ts` asks with records that are there.
 */
describe('roles', () => {
  let server: TestServer
  let callers: Awaited<ReturnType<typeof everyCaller>>

  before(async function () {
    this.timeout(60_000)
    server = await sampleServer()
    callers = await everyCaller(server)
  })
  after(() => server.close())

  for (const cell of cells) {
    const [role, tenant] = cell
    it(`${nameOf(cell)} may do what is for them, and nothing else`, async () => {
      const wrong: string[] = []
      for (const route of routes) {
        if (route.path === '/user/logout') continue
        const { status, text } = await answerOf(route, callers.get(nameOf(cell))!.client)
        const has = may[route.role].includes(role) && (route.reach !== 'root' || tenant === 'root')
        const expected = has ? 'not 401, 403 or 500' : role === 'nobody' ? 401 : 403
        const isRight = has ? ![401, 403, 500].includes(status) : status === expected
        const called = `${route.method} ${route.path}`
        if (!isRight && !(has && asksForCredentials.has(called))) wrong.push(`${called}: ${status}, not ${expected}`)
        if (status === 403 && !/ role '| root tenant/.test(text)) wrong.push(`${called} does not say why: ${text}`)
      }
      expect(wrong).to.deep.equal([])
    }).timeout(60_000)
  }

  it('everybody may log out, and nobody need', async () => {
    for (const role of ['read-only', 'ort', 'portal', 'operations', 'admin']) {
      for (const tenant of ['root', 'media-house']) {
        const client = await server.as(role, { tenant })
        expect((await client.request('POST', '/api/1.3/user/logout')).status, role).to.equal(200)
        expect((await client.request('POST', '/api/1.3/user/logout')).status, role).to.equal(401)
      }
    }
    expect((await server.anonymous.request('POST', '/api/1.3/user/logout')).status).to.equal(401)
  }).timeout(60_000)

  it('a token for one server reaches what that server needs, and nothing else', async () => {
    const operations = callers.get('operations of root')!.client
    const scopes = ['config:read:server=edge-chi-01']
    const token = (await operations.ok('POST', '/api/1.3/tokens', { description: 'edge-chi-01', scopes })).body.response
      .token
    const status = (method: string, path: string) =>
      server.anonymous
        .request(method, path, method === 'POST' ? {} : undefined, { authorization: `Bearer ${token}` })
        .then((answer) => answer.status)
    const { id } = (await server.get('/api/1.3/servers?hostName=edge-chi-01')).body.response[0]
    for (const path of [
      '/api/1.2/servers/edge-chi-01/configfiles/ats',
      '/api/1.2/servers/edge-chi-01/configfiles/cachesw/remap.config',
      `/api/1.2/servers/${id}/configfiles/cachesw/parent.config`,
      '/api/1.2/profiles/EDGE_ATS9/configfiles/cachesw/records.config',
      '/api/1.2/cdns/stream/configfiles/cachesw/regex_revalidate.config',
      '/api/1.2/servers/edge-chi-01/update_status',
      '/api/1.2/statuses',
      '/api/1.2/system/info',
    ]) {
      expect(await status('GET', path), path).to.equal(200)
    }
    for (const path of [
      '/api/1.2/servers/edge-chi-02/configfiles/ats',
      '/api/1.2/servers/edge-chi-02/configfiles/cachesw/remap.config',
      '/api/1.2/profiles/MID_ATS9/configfiles/cachesw/records.config',
      '/api/1.2/cdns/classic/configfiles/cachesw/regex_revalidate.config',
      '/api/1.2/servers/edge-chi-02/update_status',
      '/api/1.2/servers/all/update_status',
    ]) {
      expect(await status('GET', path), path).to.equal(403)
    }
    const needed = /\/configfiles\/|update_status$|^\/update\/|^\/ort\/|^\/(statuses|system\/info)$/
    const reached: string[] = []
    for (const route of routes) {
      if (route.role === 'none' || (route.method === 'GET' && needed.test(route.path))) continue
      const answer = await status(route.method, filled(route))
      if (answer !== 403) reached.push(`${route.method} ${route.path}: ${answer}`)
    }
    expect(reached).to.deep.equal([])
  }).timeout(60_000)

  it('a token that may read writes nothing', async () => {
    const { token } = (await server.ok('POST', '/api/1.3/tokens', { description: 'reader', scopes: ['read'] })).body
      .response
    const wrong: string[] = []
    const before = (await server.ok('GET', '/api/1.3/changes?limit=1')).headers.get('x-edgewright-revision')
    for (const route of routes) {
      if (route.role === 'none' || (route.method === 'GET' && !route.changes)) continue
      const answer = await server.anonymous.request(
        route.method,
        filled(route),
        route.method === 'GET' ? undefined : {},
        {
          authorization: `Bearer ${token}`,
        },
      )
      if (answer.status !== 403) wrong.push(`${route.method} ${route.path}: ${answer.status}`)
    }
    expect(wrong).to.deep.equal([])
    expect((await server.ok('GET', '/api/1.3/changes?limit=1')).headers.get('x-edgewright-revision')).to.equal(before)
  }).timeout(60_000)
})

/** The route with ids that are not there. */
const filled = ({ path, unversioned }: Endpoint): string =>
  (unversioned ? path : `/api/1.3${path}`).replaceAll(/:\w+/g, '9999999')

async function answerOf(route: Endpoint, client: Client): Promise<{ status: number; text: string }> {
  if (route.path === '/watch') return beginning(route, client)
  return client.request(route.method, filled(route), route.method === 'GET' ? undefined : {})
}

/** A stream does not end: what counts is how it begins. */
async function beginning(route: Endpoint, client: Client): Promise<{ status: number; text: string }> {
  const hangUp = new AbortController()
  const response = await fetch(`${client.url}${filled(route)}`, {
    headers: { cookie: client.cookie() },
    signal: hangUp.signal,
  })
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') ?? false
  const text = isStream ? '' : await response.text()
  if (isStream) hangUp.abort()
  return { status: response.status, text }
}
