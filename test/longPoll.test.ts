import { expect } from 'chai'
import type { Answered, TestServer } from './build.js'
import { fleetServer } from './snapshotServer.js'

const monitoring = '/api/1.3/cdns/fleet/configs/monitoring'
const bare = '/CRConfig-Snapshots/fleet/CRConfig.json'
const listing = '/api/1.3/servers/edge-0000/configfiles/ats'

describe('requests that wait for a change', function () {
  this.timeout(60_000)
  let server: TestServer

  before(async () => {
    server = await fleetServer()
  })
  after(() => server.close())

  /** How many requests are held; asked for until there are as many as expected. */
  const held = async (expected: number): Promise<void> => {
    for (;;) {
      const { text } = await server.anonymous.ok('GET', '/metrics')
      if (new RegExp(`^edgewright_long_polls ${expected}$`, 'm').test(text)) return
    }
  }
  const revisionOf = ({ headers }: Answered) => Number(headers.get('x-edgewright-revision'))
  const change = async (hostName: string, fields: object) => {
    const { response } = (await server.ok('GET', `/api/1.3/servers?hostName=${hostName}`)).body
    return server.ok('PUT', `/api/1.3/servers/${response[0].id}`, { ...response[0], ...fields })
  }

  for (const path of [monitoring, listing]) {
    it(`are answered with what changed, and not with what did not: ${path}`, async () => {
      const first = await server.get(`${path}?wait=30s&rev=0`)
      expect(first.status).equal(200)
      const waiting = server.get(`${path}?wait=30s&rev=${revisionOf(first)}`)
      await held(1)
      await server.ok('POST', '/api/1.3/divisions', { name: `of no concern to ${path}` })
      await held(1)
      const written = await change('edge-0000', { tcpPort: 8099, xmppId: 'edge-0000' })
      if (path === listing) {
        const [{ profile }] = (await server.ok('GET', '/api/1.3/servers?hostName=edge-0000')).body.response
        const location = { name: 'location', configFile: 'added.config', value: '/etc/added', secure: false }
        await server.ok('POST', `/api/1.3/profiles/name/${profile}/parameters`, location)
      }
      const second = await waiting
      expect(second.status).equal(200)
      expect(second.text).not.equal(first.text)
      expect(revisionOf(second)).at.least(revisionOf(written))
    })
  }

  it('learn of a snapshot when it is frozen, and of nothing before', async () => {
    await server.ok('PUT', '/api/1.3/snapshot/fleet')
    const first = await server.get(bare)
    const etag = first.headers.get('etag')!
    const waiting = server.get(`${bare}?wait=30s`, { 'if-none-match': etag })
    await held(1)
    await change('edge-0000', { tcpPort: 8098 })
    await held(1)
    await server.ok('PUT', '/api/1.3/snapshot/fleet')
    const second = await waiting
    expect(second.status).equal(200)
    expect(second.body.contentServers['edge-0000'].port).equal(8098)
    const back = server.get(`${bare}?wait=30&rev=${revisionOf(second)}`)
    await held(1)
    await server.ok('POST', '/api/1.3/cdns/fleet/snapshots/1/activate')
    expect((await back).body.contentServers).eql(first.body.contentServers)
  })

  it('end when the time is over', async () => {
    const { headers } = await server.get(monitoring)
    const waited = await server.get(`${monitoring}?wait=1s`, { 'if-none-match': headers.get('etag')! })
    expect(waited.status).equal(304)
    await held(0)
  })

  it('end when the service ends', async () => {
    const { headers } = await server.get(monitoring)
    const waiting = server.get(`${monitoring}?wait=60s`, { 'if-none-match': headers.get('etag')! })
    await held(1)
    const closing = server.service.close()
    expect((await waiting).status).equal(304)
    server.service.server.closeAllConnections()
    await closing
    server = await fleetServer()
  })

  it('are forgotten when the client leaves', async () => {
    const { headers } = await server.get(monitoring)
    const leaving = new AbortController()
    const [session] = (
      await server.anonymous.request('POST', '/api/1.3/user/login', {
        u: server.admin.username,
        p: server.admin.password,
      })
    ).headers.getSetCookie()
    const waiting = fetch(`${server.url}${monitoring}?wait=60s`, {
      headers: { cookie: session!.split(';')[0]!, 'if-none-match': headers.get('etag')! },
      signal: leaving.signal,
    }).catch((error: Error) => error.name)
    await held(1)
    leaving.abort()
    expect(await waiting).equal('AbortError')
    await held(0)
  })

  it('must say for how long, and since when, in numbers', async () => {
    for (const query of ['?wait=long', '?wait=-1s', '?wait=30s&rev=last']) {
      expect((await server.get(monitoring + query)).status, query).equal(400)
    }
  })
})
