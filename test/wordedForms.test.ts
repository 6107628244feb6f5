import type { TSchema } from '@sinclair/typebox'
import { expect } from 'chai'
import { bodySchema } from '../api/operations/endpoint.js'
import { checker, formats } from '../api/records/check.js'
import { shapes } from '../api/schema/kinds/index.js'
import type { TestServer } from './build.js'
import { buildServer } from './build.js'
import type { Network } from './resources/smallNetwork.js'
import { smallNetwork } from './resources/smallNetwork.js'
import { routes } from './routes.js'

/** Every schema within one that is of text of a form. */
function* formed(schema: unknown, at: string): Generator<[at: string, schema: TSchema]> {
  if (typeof schema !== 'object' || schema === null) return
  const { type, pattern, format } = schema as TSchema
  if (typeof pattern === 'string' || typeof format === 'string') {
    if ([type].flat().includes('string')) yield [at, schema as TSchema]
  }
  for (const [name, inner] of Object.entries(schema)) if (name !== 'notes') yield* formed(inner, `${at}.${name}`)
}

describe('what is said of a text of another form', () => {
  it('names the form that is wanted, of every field of every kind and body', () => {
    const kinds = Object.entries(shapes).flatMap(([kind, { fields }]) => [...formed(fields, kind)])
    const bodies = routes.flatMap((route) => [...formed(bodySchema(route), `${route.method} ${route.path}`)])
    const all = [...kinds, ...bodies]
    const silent = all.filter(([, { pattern, form }]) => pattern !== undefined && !/^.{3,150}$/.test(form ?? ''))
    expect(silent.map(([at]) => at)).to.deep.equal([])
    const unnamed = all.filter(([, { format }]) => format !== undefined && !(format in formats))
    expect(unnamed.map(([at]) => at)).to.deep.equal([])
    expect(all.length).to.be.greaterThan(200)
    for (const [at, schema] of kinds) {
      const texts = checker(schema)('\u0000 \n / \\ ?').map(({ text }) => text)
      if (texts.length > 0) expect(texts.join(), at).to.match(/must (be|have|not)/)
      expect(texts.join(), at).not.to.match(/undefined|not allowed|not valid/)
    }
  })
})

describe('host names that clients could not ask for', () => {
  let app: TestServer
  let net: Network
  before(async () => {
    app = await buildServer()
    net = await smallNetwork(app)
  })
  after(() => app.close())

  const refused = async (method: string, path: string, body: object): Promise<string[]> => {
    const answer = await app.request(method, `/api/1.3${path}`, body)
    expect(answer.status, answer.text).to.equal(400)
    return answer.body.alerts.map(({ text }: { text: string }) => text)
  }
  const create = async (xmlId: string, more: object = {}) =>
    refused('POST', '/deliveryservices', await net.serviceBody(xmlId, more))

  it('are no names of delivery services: over HTTPS what no certificate can have, elsewhere what DNS cannot', async () => {
    expect(await create('with_line', { protocol: 2 })).to.deep.equal([
      'xmlId: no certificate can be for cdn.with_line.net.example: over HTTPS a host name has letters, digits and hyphens only',
    ])
    expect(await create('ends-', { orgServerFqdn: 'http://o.example' })).to.have.length(1)
    expect(await create('x', { routingName: '-x' })).to.deep.equal([
      'routingName must be one label of a host name: letters, digits and hyphens, none of these first or last',
    ])
    expect(await create('o', { orgServerFqdn: 'origin.example' })).to.deep.equal([
      'orgServerFqdn must be "http://host[:port]" or "https://host[:port]"',
    ])
    const { id } = await net.addService('with_line')
    expect(await refused('PATCH', `/deliveryservices/${id}`, { protocol: 1 })).to.have.length(1)
    await app.ok('PATCH', `/api/1.3/deliveryservices/${id}`, { longDesc: 'is left as it is' })
  })

  it('are no patterns, and no names of caches', async () => {
    const { id } = await net.addService('secure', { protocol: 3 })
    const type = await net.typeId('HOST_REGEXP')
    const add = (pattern: string, setNumber = 1) => ({ pattern, setNumber, type })
    const path = `/deliveryservices/${id}/regexes`
    for (const wrong of [
      `${'x'.repeat(64)}.example`,
      'a_b.example',
      'a.-b.example',
      `${'x1234567.'.repeat(30)}example`,
    ])
      expect(await refused('POST', path, add(wrong.replaceAll('.', '\\.')))).to.have.length(1)
    expect(await refused('POST', path, add('.*\\.a_b\\..*', 0))).to.have.length(1)
    for (const right of ['www\\.example\\.net', '(a|b_c).*']) await app.ok('POST', `/api/1.3${path}`, add(right))
    const cache = await net.serverBody({ hostName: 'x'.repeat(64) })
    expect(await refused('POST', '/servers', cache)).to.deep.equal(['hostName has a label of more than 63 characters'])
  })
})
