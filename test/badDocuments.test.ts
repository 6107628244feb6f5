import { once } from 'node:events'
import { connect } from 'node:net'
import { expect } from 'chai'
import pino from 'pino'
import type { TestServer } from './build.js'
import { buildServer } from './build.js'
import type { Network } from './resources/smallNetwork.js'
import { smallNetwork } from './resources/smallNetwork.js'

/** What is no document is refused with every fault and its path, and nothing of it is written. */
describe('import documents that are not right', () => {
  let app: TestServer
  let net: Network
  before(async () => {
    app = await buildServer()
    net = await smallNetwork(app)
  })
  after(() => app.close())

  const revision = async () => (await app.get('/readyz')).body.revision
  const refused = async (document: unknown): Promise<string[]> => {
    const before = await revision()
    const answer = await app.request('POST', '/api/1.3/import', document)
    expect(answer.status, answer.text.slice(0, 200)).to.equal(400)
    expect(await revision()).to.equal(before)
    return answer.body.alerts.map(({ text }: { text: string }) => text)
  }
  const deep = '['.repeat(90) + ']'.repeat(90)
  const tooDeep = '['.repeat(100_000) + ']'.repeat(100_000)

  it('have rows that are no records', async () => {
    const rows = [null, 5, 'x', []]
    const object = (kind: string) => rows.map((_, at) => `${kind}[${at}]: The body must be a JSON object.`)
    expect(await refused({ cdns: rows })).to.deep.equal(object('cdns'))
    expect(await refused({ deliveryServiceServers: rows })).to.deep.equal(object('deliveryServiceServers'))
  })

  it('have lists without end where a name or an id belongs', async () => {
    const cdn = '{"id":7,"name":"deep","domainName":"deep.example"}'
    const document = `{"cdns":[${cdn}],"servers":[{"cdnId":${deep}}],"deliveryServiceServers":[
      {"server":"none","deliveryServices":${deep}},{"server":${deep},"deliveryServices":[]}]}`
    const texts = await refused(document)
    expect(texts).to.include('servers[0]: cdnId must be an integer')
    expect(texts).to.include("deliveryServiceServers[1]: server: there is no server '[…]'")
    const levels = ['The request body is nested deeper than 100 levels.']
    expect(await refused(document.replaceAll(deep, tooDeep))).to.deep.equal(levels)
  })

  it('name collections that JavaScript knows and nobody else', async () => {
    expect(await refused('{"__proto__":[{}],"constructor":[{}]}')).to.deep.equal([
      '__proto__: there is no such collection.',
      'constructor: there is no such collection.',
    ])
  })

  it('are right in half of what they say', async () => {
    const good = { name: 'good', domainName: 'good.example' }
    const texts = await refused({ cdns: [good, { name: 'two words', domainName: 'b.example' }], profiles: [{}] })
    expect(texts[0]).to.match(/^cdns\[1\]: name /)
    expect(texts).to.include('profiles[0]: description is required')
  })

  it('bodies of routes are no deeper than documents', async () => {
    await net.addService('deep')
    const names = await app.request('POST', '/api/1.3/deliveryservices/deep/servers', `{"serverNames":[${deep}]}`)
    expect(names.body.alerts).to.deep.equal([{ level: 'error', text: "serverNames: there is no server '[…]'" }])
    const parameter = `{"name":"a","configFile":"b","value":${deep}}`
    const own = await app.request('POST', `/api/1.3/profiles/${net.ids.edgeProfile}/parameters`, parameter)
    expect([own.status, own.body.alerts[0].text]).to.deep.equal([400, 'value must be a string'])
    const profile = { name: 'DEEP', description: 'deep', type: 'ATS_PROFILE' }
    const imported = `{"profile":${JSON.stringify(profile)},"parameters":[${parameter}]}`
    expect((await app.request('POST', '/api/1.3/profiles/import', imported)).status).to.equal(400)
  })

  it('bodies of routes are parsed only when they are modest', async () => {
    const post = async (body: string) => (await app.request('POST', '/api/1.3/divisions', body)).body.alerts[0].text
    const members = (count: number) => Array.from({ length: count }, (_, at) => `"m${at} \\"{[": {"a":[{},","]}`).join()
    expect(await post(`{"a":${tooDeep}}`)).to.equal('The request body is nested deeper than 100 levels.')
    const many = 'An object of the request body has more than 1000 members.'
    expect(await post(`{${members(1001)}}`)).to.equal(many)
    expect(await post(`[[{${members(1001)}}]]`)).to.equal(many)
    expect(await post(`{${members(1000)}}`)).to.equal('name is required')
    for (const broken of ['{"a', '"', '{"a\\', ']]]]', '[{]}', '{"a":1}}', '"\\"'])
      expect(await post(broken), broken).to.match(/not valid JSON|must be a JSON object/)
  })

  it('bodies of routes hold whole characters', async () => {
    const named = (name: string) => app.request('POST', '/api/1.3/divisions', `{"name":"${name}"}`)
    for (const half of ['\\ud800', 'a\\udc00b', '\\udc00\\ud800']) expect((await named(half)).status).to.equal(400)
    for (const whole of ['\\ud83d\\ude00', '😀é漢']) expect((await named(whole)).status).to.equal(200)
  })

  it('bodies of routes that end with their connection are no failure', async () => {
    const said: string[] = []
    const own = await buildServer({ log: pino({ level: 'warn' }, { write: (line) => said.push(line) }) })
    try {
      const { server } = own.service
      const arrived = once(server, 'request')
      const socket = connect(Number(new URL(own.url).port), '127.0.0.1')
      socket.write(
        `POST /api/1.3/cdns HTTP/1.1\r\nHost: x\r\nCookie: ${own.cookie()}\r\nContent-Length: 99\r\n\r\n{"na`,
      )
      const [request] = await arrived
      const left = new Promise((resolve) => request.once('close', resolve))
      socket.destroy()
      await left
      await own.ok('GET', '/api/1.3/cdns')
      expect(said).to.deep.equal([])
    } finally {
      await own.close()
    }
  })

  it('an export is never one of them, whatever origins services have', async () => {
    await net.addService('six', { orgServerFqdn: 'http://[2001:db8::1]:8080' })
    await net.addService('low', { orgServerFqdn: 'https://a_b.example' })
    const edge = await net.addServer({ hostName: 'twice' })
    const twice = [{ server: 'twice', deliveryServices: ['six', 'low', 'six'] }]
    await app.ok('POST', '/api/1.3/import', { deliveryServiceServers: twice })
    const carried = (await app.ok('GET', `/api/1.3/servers/${edge.id}/deliveryservices`)).body.response
    expect(carried).to.have.length(2)
    const document = (await app.ok('GET', '/api/1.3/export')).body
    const { response } = (await app.ok('POST', '/api/1.3/import', document)).body
    expect(response).to.include({ created: 0, updated: 0 })
  })
})
