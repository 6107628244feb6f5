import { once } from 'node:events'
import type { RequestListener } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { expect } from 'chai'
import { createKeyMaker } from '../../api/operations/keys/keyMaker.js'
import { makeCertificate } from '../../api/operations/keys/makeCertificate.js'
import { createFetchJson, UpstreamFault } from '../../api/operations/upstream/fetchJson.js'
import type { Played } from './upstreams.js'
import { cut, documents, endless, hangUp, play, silent, status, stuck, text } from './upstreams.js'

const fetchJson = createFetchJson({ timeout: 150, bytes: 100_000 })

describe('asking an upstream', () => {
  const open: Played[] = []
  const playing = async (listener: RequestListener) => {
    const played = await play(listener)
    open.push(played)
    return played
  }
  const faultOf = async (listener: RequestListener) => {
    const { upstream } = await playing(listener)
    const error = await fetchJson(upstream, '/any').then(
      () => null,
      (error) => error,
    )
    expect(error).to.be.instanceOf(UpstreamFault)
    return (error as UpstreamFault).message
  }
  afterEach(async () => {
    await Promise.all(open.splice(0).map((played) => played.close()))
  })

  it('gives the document at the path', async () => {
    const { upstream, asked: input } = await playing(documents({ '/publish/CrStates': { caches: {} } }))
    expect(await fetchJson(upstream, '/publish/CrStates?raw')).to.deep.equal({ caches: {} })
    expect(input).to.deep.equal(['/publish/CrStates?raw'])
  })

  it('names the host it asks', async () => {
    const { upstream, port } = await playing((request, response) => response.end(JSON.stringify(request.headers)))
    expect(await fetchJson(upstream, '/')).to.include({ host: `127.0.0.1:${port}`, 'accept-encoding': 'identity' })
  })

  it('lets a proxy ask in its place', async () => {
    const { port, asked: input } = await playing(documents({ '/crs/stats': { stats: {} } }))
    const upstream = { name: 'r', host: 'router.example.net', port: 3333, proxy: { host: '127.0.0.1', port } }
    expect(await fetchJson(upstream, '/crs/stats')).to.deep.equal({ stats: {} })
    expect(input).to.deep.equal(['http://router.example.net:3333/crs/stats'])
  })

  const faults: [string, RequestListener, string][] = [
    ['is silent', silent, 'did not answer within 0.15 s'],
    ['stops in the middle', stuck, 'did not answer within 0.15 s'],
    ['hangs up', hangUp, 'cannot be reached (ECONNRESET)'],
    ['cuts its body', cut, 'cannot be reached (ECONNRESET)'],
    ['sends an endless body', endless, 'sent more than 100000 bytes'],
    ['announces a huge body', text('{}', { 'content-length': '100001' }), 'sent more than 100000 bytes'],
    ['is not ready', status(503), 'answered with status 503'],
    ['has an empty answer', status(204), 'answered with status 204'],
    ['sends text', text('Service Unavailable'), 'sent something that is not JSON'],
    ['sends nothing', text(''), 'sent something that is not JSON'],
    ['sends half of a document', text('{"caches":{"a":'), 'sent something that is not JSON'],
    ['sends an infinite number', text('{"a":NaN}'), 'sent something that is not JSON'],
    ['compresses', text('{}', { 'content-encoding': 'gzip' }), 'sent a compressed answer without being asked to'],
  ]
  for (const [what, listener, message] of faults)
    it(`says so when it ${what}`, async () => {
      expect(await faultOf(listener)).to.equal(message)
    })

  it('says so when nobody is there', async () => {
    const { upstream, close } = await play(silent)
    await close()
    const error = await fetchJson(upstream, '/').catch((error) => error)
    expect(error).to.have.property('message', 'cannot be reached (ECONNREFUSED)')
  })

  it('says so when the name is nobody’s', async () => {
    const upstream = { name: 'x', host: 'nobody.invalid', port: 80, proxy: null }
    const error = await fetchJson(upstream, '/').catch((error) => error)
    expect(error).to.be.instanceOf(UpstreamFault)
  })

  it('shows who asks, but by https to nobody whose certificate is not good', async () => {
    const { upstream } = await playing((request, response) => response.end(JSON.stringify(request.headers)))
    const authorization = 'Basic cmVhZGVyOnNlY3JldA=='
    expect(await fetchJson({ ...upstream, authorization }, '/query')).to.include({ authorization })
    const about = { hostname: 'localhost', country: 'US', state: 's', city: 'c', organization: 'o', businessUnit: 'u' }
    const { crt, key } = await makeCertificate(about, Date.now(), createKeyMaker())
    const asked: unknown[] = []
    const server = createServer({ cert: crt, key }, (request, response) => {
      asked.push(request.headers)
      response.end('{}')
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const secret = { ...upstream, host: 'localhost', port, tls: true, authorization }
    const error = await fetchJson(secret, '/query').catch((error) => error)
    expect(error).to.have.property('message', 'cannot be reached (DEPTH_ZERO_SELF_SIGNED_CERT)')
    expect(asked).to.deep.equal([])
    server.close()
  })

  it('follows no redirect', async () => {
    const target = await playing(documents({ '/': { secret: true } }))
    const location = `http://127.0.0.1:${target.port}/`
    for (const code of [301, 302, 303, 307, 308])
      expect(await faultOf(status(code, { location }))).to.equal(
        `answered with a redirect (${code}), which is not followed`,
      )
    expect(target.asked).to.deep.equal([])
  })

  it('bears a document that is nested without end', async () => {
    const { upstream } = await playing(text('['.repeat(45_000) + ']'.repeat(45_000)))
    expect(await fetchJson(upstream, '/')).to.be.an('array')
  })
})
