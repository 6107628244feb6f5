import { expect } from 'chai'
import type { Client, TestServer } from '../build.js'
import { buildServer } from '../build.js'
import type { Network } from './smallNetwork.js'
import { smallNetwork } from './smallNetwork.js'

/** Who writes a delivery service's patterns decides which hosts routers send to it: none that are another tenant's. */
describe('the hosts of delivery services of other tenants', () => {
  let app: TestServer
  let net: Network
  let operator: Client
  let hostRegexp: number
  let mine: number
  let elsewhere: number
  let stranger: number

  before(async () => {
    app = await buildServer()
    net = await smallNetwork(app)
    hostRegexp = await net.typeId('HOST_REGEXP')
    const tenant = async (name: string) => (await net.made('/tenants', { name, active: true, parentId: 1 })).id
    const [theirs, own] = [await tenant('theirs'), await tenant('own')]
    operator = await app.as('operations', { tenant: 'own' })
    elsewhere = (await net.made('/cdns', { name: 'other', domainName: 'other.example', dnssecEnabled: false })).id
    stranger = (await net.addService('news', { tenantId: theirs })).id
    await addRegex(app, stranger, 'www\\.news\\.example', 1)
    await addRegex(app, stranger, '.*\\.(sport|weather)\\..*', 2)
    await addRegex(app, stranger, '.*\\.l[i1]ve\\..*', 3)
    await addRegex(app, stranger, 'www\\.mine\\.net\\.example', 4)
    mine = (await net.addService('mine', { tenantId: own })).id
  })
  after(() => app.close())

  const addRegex = (client: Client, service: number, pattern: string, setNumber = 1, type = hostRegexp) =>
    client.request('POST', `/api/1.3/deliveryservices/${service}/regexes`, { pattern, type, setNumber })
  const change = async (id: number, more: object) => {
    const body = (await operator.ok('GET', `/api/1.3/deliveryservices/${id}`)).body.response[0]
    return operator.request('PUT', `/api/1.3/deliveryservices/${id}`, { ...body, ...more })
  }
  const refused = (answer: { status: number; text: string; body: { alerts: { text: string }[] } }, path: string) => {
    expect(answer.status, answer.text).to.equal(409)
    expect(answer.body.alerts[0]!.text).to.match(new RegExp(`^${path}: its hosts and those .* not kept apart$`))
    expect(answer.text).not.to.match(/news|sport|theirs/)
  }

  for (const [what, pattern] of Object.entries({
    'their own pattern': '.*\\.news\\..*',
    'in other letters': '.*\\.NEWS\\..*',
    'in another notation': '.*[.]ne(?:w)s[.].*',
    'with the domain of the CDN': '.*\\.news\\.net\\.example',
    'their host by its name': 'cdn\\.news\\.net\\.example',
    'its name without escapes': 'cdn.news.net.example',
    'a host below their name, of a cache': 'cache-7\\.news\\.net\\.example',
    'a name that is nowhere in the domain': 'www\\.news\\.example',
    'that name with anything before it': '.*news\\.example',
    'every host': '.*',
    'every host of the CDN': '.*\\.net\\.example',
    'hosts of some letters': '[a-z]+\\.[a-z]{4}\\..*',
    'one of their alternatives': '.*\\.weather\\..*',
    'a name their classes are for': '.*\\.l1ve\\..*',
    'the same classes': '.*\\.l[i1]ve\\..*',
  })) {
    it(`are not had by ${what}`, async () => {
      refused(await addRegex(operator, mine, pattern), 'pattern')
    })
  }

  for (const pattern of ['.*\\.(?=news)n.*', '.*\\.[x[n]]ews\\..*', '.*\\.\\0156ews\\..*', '(.)\\1.*']) {
    it(`are not had by a pattern that cannot be tested: ${pattern}`, async () => {
      const { status, body } = await addRegex(operator, mine, pattern)
      expect(status).to.equal(409)
      expect(body.alerts[0].text).to.match(/^pattern: it has constructs that cannot be tested/)
    })
  }

  for (const [what, pattern, set] of [
    ['letters that caches leave out of names', '.*\\.new\\s\\..*', 1],
    ['a beginning that goes on a routing name', 'n\\.news\\..*', 1],
    ['what is a label below the domain in set 0', 'news', 0],
    ['what is one there without its escapes', 'new\\s', 0],
    ['wildcards that caches leave out', '\\.\\*\\.news\\..*', 1],
  ] as const) {
    it(`are not had by ${what}: ${pattern}`, async () => {
      refused(await addRegex(operator, mine, pattern, set), 'pattern')
    })
  }

  it('are not had by moving a pattern to the set that is below the domain', async () => {
    const { body: made } = await addRegex(operator, mine, 'news', 8)
    const path = `/api/1.3/deliveryservices/${mine}/regexes/${made.response.id}`
    const body = { pattern: 'news', type: hostRegexp, setNumber: 0 }
    refused(await operator.request('PUT', path, body), 'pattern')
    await operator.ok('PUT', path, { ...body, setNumber: 9 })
    await operator.ok('DELETE', path)
  })

  it('are not had by names that were taken before them, under which caches would know both', async () => {
    expect((await addRegex(operator, mine, '.*\\.later\\s\\..*', 9)).status).to.equal(200)
    const late = await app.as('operations', { tenant: 'theirs' })
    refused(await late.request('POST', '/api/1.3/deliveryservices', await net.serviceBody('laters')), 'pattern')
  })

  it('are not had by changing a pattern, or what a pattern is for', async () => {
    const made = async (...given: Parameters<typeof addRegex>) => {
      const { status, body, text } = await addRegex(...given)
      expect(status, text).to.equal(200)
      return body.response.id
    }
    const regexes = `/api/1.3/deliveryservices/${mine}/regexes`
    const harmless = await made(operator, mine, '.*\\.harmless\\..*', 5)
    const path = await made(operator, mine, '.*\\.news\\..*', 6, await net.typeId('PATH_REGEXP'))
    const body = { pattern: '.*\\.news\\..*', type: hostRegexp, setNumber: 5 }
    refused(await operator.request('PUT', `${regexes}/${harmless}`, body), 'pattern')
    refused(await operator.request('PUT', `${regexes}/${path}`, body), 'pattern')
    await operator.ok('PUT', `${regexes}/${harmless}`, { ...body, pattern: '.*\\.harmless\\..*', setNumber: 7 })
  })

  it('are not had by the name of a new service, by another routing name, or by another CDN', async () => {
    const body = await net.serviceBody('weather')
    refused(await operator.request('POST', '/api/1.3/deliveryservices', body), 'pattern')
    // A name in the CDN's own domain is a part of every host.
    refused(await operator.request('POST', '/api/1.3/deliveryservices', await net.serviceBody('net')), 'pattern')
    refused(await change(mine, { routingName: 'www' }), 'routingName')
    const there = await net.serviceBody('there', { cdnId: elsewhere })
    const { id } = (await operator.ok('POST', '/api/1.3/deliveryservices', there)).body.response[0]
    expect((await addRegex(operator, id, '.*\\.news\\..*')).status).to.equal(200)
    refused(await change(id, { cdnId: net.ids.cdn }), 'cdnId')
    expect((await change(id, { longDesc: 'as before' })).status).to.equal(200)
  })

  it('may be had by the root tenant, which looks after all of them', async () => {
    const rootOperator = await app.as('operations')
    const { id } = await net.addService('default')
    for (const pattern of ['.*', '.*\\.news\\..*']) {
      const { status, text } = await addRegex(rootOperator, id, pattern)
      expect(status, text).to.equal(200)
    }
  })

  it('leave all others to everybody, also where a service of the root tenant is for the rest', async () => {
    for (const pattern of ['.*\\.mine-2\\..*', 'www\\.mine\\.example', '.*\\.(mine-3|mine-4)\\..*', 'mine-5.example']) {
      const { status, text } = await addRegex(operator, mine, pattern)
      expect(status, text).to.equal(200)
    }
    expect((await change(mine, { routingName: 'video' })).status).to.equal(200)
  })
})
