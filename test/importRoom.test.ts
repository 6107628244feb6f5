import { type ClientRequest, request } from 'node:http'
import { expect } from 'chai'
import { system } from '../api/schema/privileges.js'
import type { TestServer } from './build.js'
import { buildServer } from './build.js'

/** As the README says. */
const most = 20

describe('imports that wait', function () {
  this.timeout(60_000)
  let server: TestServer
  before(async () => {
    server = await buildServer()
  })
  after(() => server.close())

  const imported = (name: string) => server.request('POST', '/api/1.3/import', { divisions: [{ name }] })
  const told = ({ status, retryAfter }: { status: number; retryAfter: string | null }): void => {
    expect(status).to.equal(503)
    expect(retryAfter).to.match(/^\d+$/)
  }

  it('are so many at most; the others are told to come again', async () => {
    let isDone = false
    const long = server.service.services.committer.writeInSteps({ user: system, requestId: 'long' }, function* () {
      while (!isDone) yield
    })
    let early = 0
    const answers = Array.from({ length: most + 5 }, async (_, at) => {
      const answer = await imported(`division ${at}`)
      if (!isDone) early += 1
      return answer
    })
    for (let wait = 0; wait < 100 && early < 5; wait++) await new Promise((resolve) => setTimeout(resolve, 50))
    isDone = true
    await long
    const statuses = await Promise.all(answers)
    expect(statuses.filter(({ status }) => status === 200)).to.have.length(most)
    const others = statuses.filter(({ status }) => status !== 200)
    for (const { status, headers } of others) told({ status, retryAfter: headers.get('retry-after') })
    expect((await imported('afterwards')).status).to.equal(200)
  })

  it('hold so many bytes at most, whether they say how many or not', async () => {
    const open: ClientRequest[] = []
    const begin = (length: number): ClientRequest => {
      const headers = { cookie: server.cookie(), 'content-type': 'application/json', 'content-length': length }
      const begun = request(`${server.url}/api/1.3/import`, { method: 'POST', headers }).on('error', () => undefined)
      begun.flushHeaders()
      open.push(begun)
      return begun
    }
    const answerTo = (begun: ClientRequest) =>
      new Promise<{ status: number; retryAfter: string | null }>((resolve) => {
        begun.on('response', (answer) => {
          answer.resume()
          resolve({ status: answer.statusCode!, retryAfter: answer.headers['retry-after'] ?? null })
        })
      })
    for (let at = 0; at < 2; at++) begin(256 * 2 ** 20)
    await new Promise((resolve) => setTimeout(resolve, 200))
    told(await answerTo(begin(1000)))
    // `fetch` says the length of a text; of a stream nobody can.
    const chunked = await fetch(`${server.url}/api/1.3/import`, {
      method: 'POST',
      headers: { cookie: server.cookie(), 'content-type': 'application/json' },
      body: new Blob(['{"divisions":[]}']).stream(),
      duplex: 'half',
    })
    told({ status: chunked.status, retryAfter: chunked.headers.get('retry-after') })
    for (const one of open) one.destroy()
    await new Promise((resolve) => setTimeout(resolve, 200))
    expect((await imported('with room again')).status).to.equal(200)
  })
})
