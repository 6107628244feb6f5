import { Agent, type IncomingMessage, request as send } from 'node:http'
import { connect, type Socket } from 'node:net'
import { expect } from 'chai'
import { buildServer } from './build.js'
import type { ServedChild } from './servedChild.js'
import { serveInChild } from './servedChild.js'

interface Got {
  readonly status: number
  readonly connection: string | undefined
  readonly text: string
}

/** A request over one of the agent's connections; rejects as the connection does. */
function ask(served: ServedChild, agent: Agent, method: string, path: string, body?: object): Promise<Got> {
  return new Promise((resolve, reject) => {
    const headers = { cookie: served.cookie, ...(body ? { 'content-type': 'application/json' } : {}) }
    const request = send(`${served.url}${path}`, { method, agent, headers }, (response: IncomingMessage) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => {
        text += chunk
      })
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, connection: response.headers.connection, text }),
      )
      response.on('error', reject)
    })
    request.on('error', reject)
    request.end(body && JSON.stringify(body))
  })
}

const keepAlive = () => new Agent({ keepAlive: true, maxSockets: 1 })

/** A connection on which a request was begun and not ended. */
function halfSent({ url, cookie }: ServedChild, bytes: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1', () =>
      socket.write(bytes.replace('COOKIE', cookie), () => resolve(socket)),
    )
    socket.on('error', reject)
  })
}

const closed = (socket: Socket): Promise<void> => new Promise((resolve) => socket.once('close', () => resolve()))
const halfABody =
  'POST /api/1.3/divisions HTTP/1.1\r\nHost: x\r\nCookie: COOKIE\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"na'

describe('the end of a process', function () {
  this.timeout(120_000)
  let served: ServedChild | undefined
  afterEach(async () => {
    await served?.discard()
  })

  it('is in order while clients are busy: all that was begun is answered, nobody holds it up, nothing is lost', async () => {
    served = await serveInChild({ SHUTDOWN_SECONDS: '3' })
    const { child, ended, dataDir, url } = served
    const kept: string[] = []
    const ends: { code: string | undefined; last: Got | null }[] = []
    const writers = Array.from({ length: 8 }, async (_, writer) => {
      const agent = keepAlive()
      let last: Got | null = null
      for (let number = 0; ; number++) {
        const name = `division ${writer}-${number}`
        try {
          last = await ask(served!, agent, 'POST', '/api/1.3/divisions', { name })
          expect(last.status, last.text).to.equal(200)
          kept.push(name)
        } catch (error) {
          ends.push({ code: (error as NodeJS.ErrnoException).code, last })
          return
        }
      }
    })
    const readers = ['/api/1.3/cdns', '/readyz'].map(async (path) => {
      const agent = keepAlive()
      let last = await ask(served!, agent, 'GET', path)
      while (last.connection !== 'close') last = await ask(served!, agent, 'GET', path)
      return last
    })
    const poll = ask(served, keepAlive(), 'GET', '/api/1.3/divisions?wait=30s&rev=999999999')
    const plain = ask(served, keepAlive(), 'GET', '/api/1.3/cdns?wait=30s&rev=999999999')
    const stream = ask(served, keepAlive(), 'GET', '/api/1.3/watch')
    const stuck = await Promise.all([halfSent(served, halfABody), halfSent(served, 'GET /livez HTTP/1.1\r\nHo')])
    const cut = stuck.map(closed)
    await halfSent(served, 'GET /livez HTTP/1.1\r\nHost: x\r\n\r\n')
    while (kept.length <= 20) await new Promise((resolve) => setTimeout(resolve, 50))

    const began = performance.now()
    child.kill('SIGTERM')
    const [cdns, ready] = await Promise.all(readers)
    expect(cdns!.status).to.equal(200)
    expect(ready!.status).to.equal(503)
    await Promise.all(writers)
    for (const { code, last } of ends) {
      expect(code).to.equal('ECONNREFUSED')
      expect(last).to.include({ status: 200, connection: 'close' })
    }
    for (const answer of await Promise.all([poll, plain, stream])) expect(answer.status).to.equal(200)
    const answered = performance.now() - began
    expect(answered, 'those who could be answered').to.be.lessThan(2900)
    await Promise.all(cut)
    expect(performance.now() - began, 'those who could not').to.be.greaterThan(2000)
    expect(await ended).to.equal(0)
    expect(performance.now() - began).to.be.lessThan(3000 + 10_000)
    await fetch(`${url}/livez`).then(
      () => expect.fail('it still listens'),
      () => undefined,
    )

    const again = await buildServer({ dataDir })
    try {
      const names = new Set(again.service.services.data.all('divisions').map(({ name }) => name))
      expect(kept.filter((name) => !names.has(name))).to.deep.equal([])
    } finally {
      await again.close()
    }
  })

  it('comes at once when it is asked for twice', async () => {
    served = await serveInChild({ SHUTDOWN_SECONDS: '600' })
    const { child, ended } = served
    const agent = keepAlive()
    await halfSent(served, halfABody)
    await ask(served, agent, 'GET', '/livez')
    child.kill('SIGTERM')
    while ((await ask(served, agent, 'GET', '/livez').catch(() => null)) !== null);
    expect(child.exitCode).to.equal(null)
    child.kill('SIGTERM')
    expect(await ended).to.equal(1)
  })
})
