import { expect } from 'chai'
import type { Client, TestServer } from './build.js'
import type { FuzzRequest } from './fuzzRequests.js'
import { makeRequest, operationsOf } from './fuzzRequests.js'
import { sampleServer } from './sampleServer.js'
import { seededRandom } from './seededRandom.js'

const seed = Number(process.env.FUZZ_SEED ?? 1)
/** A count, not a time, so that a seed always means the same requests; `FUZZ_REQUESTS=10000` is a minute's worth. */
const requests = Number(process.env.FUZZ_REQUESTS ?? 1500)

describe(`requests of all kinds (FUZZ_SEED=${seed} FUZZ_REQUESTS=${requests})`, () => {
  let server: TestServer
  /** A request may take an administrator's role away; then the next one goes on. */
  const administrators: Client[] = []

  before(async () => {
    server = await sampleServer()
    for (let count = 0; count < 8; count++) administrators.push(await server.as('admin'))
  })
  after(() => server.close())

  it('are never answered by 500, and change nothing when they are refused', async () => {
    const operations = operationsOf((await server.get('/api/openapi.json')).body)
    const chance = seededRandom(seed)
    const revision = () => server.service.services.workingSet.revision
    for (let sent = 1; sent <= requests; sent++) {
      const operation = operations[Math.floor(chance() * operations.length)]!
      const request = makeRequest(operation, chance)
      const before = revision()
      const status = await statusOf(administrators[0]!, request)
      const said = `request ${sent}: ${request.method} ${request.url.slice(0, 200)} ${request.body?.slice(0, 500)}`
      expect(status, said).to.not.equal(500)
      // Some values lead to another path, which need not have the method; older versions have fewer routes.
      const elsewhere = status === 405 || (status === 404 && /^\/api\/1\.[12]\//.test(request.url))
      if (status !== null && !elsewhere) expect(operation.statuses, said).to.include(status)
      if (status === null || status >= 400) expect(revision(), `${status} ${said}`).to.equal(before)
      if (status === 401 && !request.url.includes('/login')) administrators.shift()
    }
    expect((await administrators[0]!.get('/api/1.3/cdns')).status).to.equal(200)
  }).timeout(60_000 + requests * 100)

  it('leave a service that is well', async () => {
    const ready = await server.anonymous.get('/readyz')
    expect(ready.status, ready.text).to.equal(200)
    expect(Object.prototype).to.not.have.property('isAdmin')
  })

  it('leave data that are their own export', async () => {
    const before = server.service.services.workingSet.revision
    const exported = await administrators[0]!.ok('GET', '/api/1.3/export')
    const imported = await administrators[0]!.request('POST', '/api/1.3/import', exported.body)
    expect(imported.status, imported.text.slice(0, 1000)).to.equal(200)
    const { response } = (await administrators[0]!.ok('GET', `/api/1.3/changes?since=${before}`)).body
    expect(response).to.deep.equal([])
  })

  it('leave records that compile', async () => {
    const [client] = administrators as [Client]
    const wrong: string[] = []
    const look = async (path: string) => {
      const { status, text } = await client.get(path)
      if (status >= 500) wrong.push(`${path}: ${status} ${text.slice(0, 200)}`)
    }
    for (const { hostName } of (await client.ok('GET', '/api/1.3/servers')).body.response) {
      const server = `/api/1.3/servers/${encodeURIComponent(hostName)}/configfiles/cachesw`
      for (const file of ['', '/remap.config', '/parent.config']) await look(server + file)
    }
    for (const { name } of (await client.ok('GET', '/api/1.3/cdns')).body.response) {
      for (const document of ['configs/monitoring', 'configs/routing', 'snapshot/new']) {
        await look(`/api/1.3/cdns/${encodeURIComponent(name)}/${document}`)
      }
    }
    expect(wrong).to.deep.equal([])
  }).timeout(60_000)
})

/** `null` when the service hung up on a body it does not want. */
async function statusOf(client: Client, { method, url, headers, body }: FuzzRequest): Promise<number | null> {
  try {
    const response = await fetch(client.url + url, {
      method,
      headers: { cookie: client.cookie(), ...headers },
      ...(body === undefined ? {} : { body }),
      redirect: 'manual',
    })
    await response.arrayBuffer()
    return response.status
  } catch (error) {
    if ((body?.length ?? 0) > 2 ** 20) return null
    throw error
  }
}
