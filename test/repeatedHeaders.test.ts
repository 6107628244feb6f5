import { connect } from 'node:net'
import { expect } from 'chai'
import type { TestServer } from './build.js'
import { buildServer } from './build.js'

/** What is there once by the rules of HTTP: of two, one program on the way believes the first and the next the second. */
describe('a header that is given twice', () => {
  let server: TestServer
  let token: string
  before(async () => {
    server = await buildServer()
    token = (await server.ok('POST', '/api/1.3/tokens', { description: 'x' })).body.response.token
  })
  after(() => server.close())

  /** The status and headers of the answer to a request of these lines. */
  const answerTo = (...lines: readonly string[]): Promise<string> =>
    new Promise((resolve, reject) => {
      let text = ''
      const socket = connect(Number(new URL(server.url).port), '127.0.0.1', () => {
        const [first = '', ...others] = lines
        const end = lines.includes('') ? '' : '\r\n\r\n'
        socket.write(`${[first, 'Connection: close', ...others].join('\r\n')}${end}`)
      })
      socket.setEncoding('utf8').on('data', (chunk) => {
        text += chunk
      })
      socket.on('error', reject).on('close', () => resolve(text))
    })
  const statusOf = async (...lines: readonly string[]): Promise<number> =>
    Number(/^HTTP\/1\.1 (\d+)/.exec(await answerTo(...lines))?.[1])
  const get = 'GET /api/1.3/cdns HTTP/1.1'
  const bearer = () => `Authorization: Bearer ${token}`

  it('is refused: Host, cold and kept', async () => {
    expect(await statusOf(get, 'Host: a.example', bearer())).to.equal(200)
    for (const path of ['/api/1.3/cdns', '/api/1.3/divisions', '/livez', '/nowhere']) {
      for (const second of ['a.example', 'b.example']) {
        const status = await statusOf(`GET ${path} HTTP/1.1`, 'Host: a.example', `Host: ${second}`, bearer())
        expect(status, `${path} ${second}`).to.equal(400)
      }
    }
    expect(await statusOf(get, 'Host: a.example, b.example', bearer())).to.equal(400)
    expect(await statusOf(get, bearer())).to.equal(400)
  })

  it('is refused: Authorization, the same one included', async () => {
    expect(await statusOf(get, 'Host: x', bearer())).to.equal(200)
    expect(await statusOf(get, 'Host: x', bearer(), bearer())).to.equal(401)
    expect(await statusOf(get, 'Host: x', bearer(), 'Authorization: Basic eDp5')).to.equal(401)
    expect(await statusOf(get, 'Host: x', 'Authorization: Basic eDp5', bearer())).to.equal(401)
  })

  it('is refused: the length of a body, in whatever two ways', async () => {
    const post = ['POST /api/1.3/divisions HTTP/1.1', 'Host: x', bearer(), 'Content-Type: application/json']
    for (const second of ['Content-Length: 2', 'Content-Length: 3', 'Transfer-Encoding: chunked'])
      expect(await statusOf(...post, 'Content-Length: 2', second), second).to.equal(400)
    expect(await statusOf(...post, 'Transfer-Encoding: chunked', 'Transfer-Encoding: identity')).to.equal(400)
  })

  it('means nothing, or is refused: what a body is said to be', async () => {
    const post = ['POST /api/1.3/divisions?dryRun=true HTTP/1.1', 'Host: x', bearer()]
    const sent = ['Content-Length: 12', '', '{"name":"x"}']
    for (const [name, status, ...values] of [
      ['Content-Type', 200, 'application/json', 'text/plain'],
      ['Content-Type', 200, 'application/x-www-form-urlencoded', 'application/json'],
      ['Content-Encoding', 415, 'identity', 'gzip'],
      ['Content-Encoding', 415, 'gzip', 'identity'],
    ] as const) {
      const lines = values.map((value) => `${name}: ${value}`)
      expect(await statusOf(...post, ...lines, ...sent), lines.join()).to.equal(status)
    }
  })

  it('is no word of a browser that is believed: Origin, Sec-Fetch-Site', async () => {
    const post = ['POST /api/1.3/divisions?dryRun=true HTTP/1.1', 'Host: x', `Cookie: ${server.cookie()}`]
    const own = 'Origin: http://x'
    const bad = 'Origin: http://y'
    for (const pair of [
      [own, bad],
      [bad, own],
      ['Sec-Fetch-Site: same-origin', 'Sec-Fetch-Site: cross-site'],
      ['Sec-Fetch-Site: cross-site', 'Sec-Fetch-Site: same-origin'],
    ]) {
      expect(await statusOf(...post, ...pair, 'Content-Length: 0'), pair.join()).to.equal(403)
    }
    expect(await statusOf(...post, own, 'Content-Length: 0')).to.equal(400)
  })

  it('names no request: X-Request-Id', async () => {
    const [one, other] = ['a-request-of-mine', 'another-request']
    const lines = ['GET /api/1.3/nowhere HTTP/1.1', 'Host: x', bearer(), `X-Request-Id: ${one}`]
    expect(await answerTo(...lines)).to.contain(one)
    const twice = await answerTo(...lines, `X-Request-Id: ${other}`)
    expect(twice).to.not.contain(one).and.to.not.contain(other)
    expect(twice).to.match(/x-request-id: [0-9a-f-]{36}/i)
  })
})
