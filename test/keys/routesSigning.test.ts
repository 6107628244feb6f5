import { expect } from 'chai'
import type { TestServer } from '../build.js'
import { buildServer } from '../build.js'
import type { Network } from '../resources/smallNetwork.js'
import { smallNetwork } from '../resources/smallNetwork.js'

const key = (kid: string) => ({ alg: 'HS256', kid, kty: 'oct', k: 'Zm9vYmFy' })

describe('signing keys over HTTP', () => {
  let app: TestServer
  let net: Network
  let id: number
  before(async () => {
    app = await buildServer()
    net = await smallNetwork(app)
    id = (await net.addService('news')).id
    await net.addService('sports')
  })
  after(() => app.close())

  const url = (xmlId: string, more = '') => `/api/1.2/deliveryservices/xmlId/${xmlId}/urlkeys${more}`
  const urlKeys = async (xmlId: string) => (await app.ok('GET', url(xmlId))).body.response

  describe('of URLs', () => {
    it('are none at first', async () => {
      expect((await app.ok('GET', url('news'))).body).to.deep.equal({
        response: {},
        alerts: [{ level: 'success', text: 'No url sig keys found' }],
      })
      const copied = await app.request('POST', url('news', '/copyFromXmlId/sports'))
      expect([copied.status, copied.body.alerts[0].text]).to.deep.equal([
        400,
        'Delivery service sports has no url sig keys to copy.',
      ])
    })

    it('are sixteen, by xml id and by id, and new each time', async () => {
      const answer = await app.ok('POST', url('news', '/generate'))
      expect(answer.body.alerts[0].text).to.equal('Successfully generated and stored keys')
      const keys = await urlKeys('news')
      expect(Object.keys(keys)).to.deep.equal(Array.from({ length: 16 }, (_, number) => `key${number}`))
      const byId = await app.ok('GET', `/api/1.1/deliveryservices/${id}/urlkeys.json`)
      expect(byId.body.response).to.deep.equal(keys)
      expect(byId.headers.get('cache-control')).to.equal('no-store')
      await app.ok('POST', url('news', '/generate'))
      expect(await urlKeys('news')).not.to.deep.equal(keys)
    })

    it('are copied without saying so in what is stored', async () => {
      const answer = await app.ok('POST', url('sports', '/copyFromXmlId/news'))
      expect(answer.body.alerts[0].text).to.equal('Successfully copied and stored keys')
      expect(await urlKeys('sports')).to.deep.equal(await urlKeys('news'))
      const [first, second] = app.service.services.data.all('urlSigKeys')
      expect(first!.sealed).not.to.equal(second!.sealed)
    })

    it('are within reach of the tenants of the service only, and written by operators', async () => {
      await app.ok('POST', '/api/1.3/tenants', { name: 'guests', active: true, parentId: 1 })
      const guest = await app.as('operations', { tenant: 'guests' })
      expect((await guest.get(url('news'))).status).to.equal(403)
      expect((await guest.get(`/api/1.2/deliveryservices/${id}/urlkeys`)).status).to.equal(403)
      expect((await guest.request('POST', url('news', '/generate'))).status).to.equal(403)
      const reader = await app.as('read-only')
      expect((await reader.request('POST', url('news', '/generate'))).status).to.equal(403)
      expect((await reader.get(url('news'))).status).to.equal(200)
      expect((await app.get(url('nobody'))).status).to.equal(404)
    })
  })

  describe('of URIs', () => {
    const path = '/api/1.3/deliveryservices/news/urisignkeys'
    const read = async () => (await app.get(path)).text

    it('are an empty document at first', async () => {
      expect(await read()).to.equal('{}')
      expect((await app.ok('DELETE', path)).body.alerts).to.deep.equal([
        { level: 'info', text: 'not deleted, no object found to delete' },
      ])
    })

    it('are stored and answered byte for byte', async () => {
      const text = `{ "issuer" : {"keys":[${JSON.stringify(key('1'))}],\n "renewal_kid":"1"}, "n": {"keys":[${JSON.stringify(key('2'))}], "x": 1.00} }`
      const stored = await app.request('POST', path, text)
      expect([stored.status, stored.text]).to.deep.equal([200, text])
      expect(await read()).to.equal(text)
      const other = JSON.stringify({ issuer: { renewal_kid: '9', keys: [key('9')] } })
      await app.ok('PUT', path, other)
      const answer = await app.get(path)
      expect(answer.text).to.equal(other)
      expect(answer.headers.get('cache-control')).to.equal('no-store')
    })

    it('are refused when they are no such document', async () => {
      const before = await read()
      for (const body of ['{}', '[]', '{"issuer":', '', { issuer: { keys: [key('1')] } }])
        expect((await app.request('PUT', path, body)).status, JSON.stringify(body)).to.equal(400)
      expect(await read()).to.equal(before)
    })

    it('feed the config file of the caches', async () => {
      const document = JSON.stringify({ issuer: { renewal_kid: '9', keys: [key('9')] } })
      await app.ok('PUT', path, document)
      const { hostName } = await net.addServer()
      await app.ok('POST', '/api/1.3/deliveryserviceserver', {
        dsId: id,
        servers: [app.service.services.data.by('servers', 'hostName', hostName as string)[0]!.id],
      })
      const file = await app.get('/api/1.2/profiles/EDGE_NET/configfiles/cachesw/uri_signing_news.config')
      expect(file.status, file.text).to.equal(200)
      expect(file.text).to.contain('Zm9vYmFy')
    })

    it('are for administrators only', async () => {
      const oper = await app.as('operations')
      expect((await oper.get(path)).status).to.equal(403)
      expect((await oper.request('PUT', path, '{}')).status).to.equal(403)
      expect((await oper.request('DELETE', path)).status).to.equal(403)
    })

    it('are deleted', async () => {
      expect((await app.ok('DELETE', path)).body.alerts).to.deep.equal([{ level: 'success', text: 'object deleted' }])
      expect(await read()).to.equal('{}')
    })
  })
})
