import { expect } from 'chai'
import type { TestServer } from '../build.js'
import { buildServer } from '../build.js'
import type { Network } from './smallNetwork.js'
import { smallNetwork } from './smallNetwork.js'

describe('what hangs off delivery services', () => {
  let app: TestServer
  let net: Network
  let dsId: number
  before(async () => {
    app = await buildServer()
    net = await smallNetwork(app)
    dsId = (await net.addService('main')).id
  })
  after(() => app.close())

  const get = async (path: string) => (await app.ok('GET', path)).body.response
  const status = async (method: string, path: string, body?: unknown) => (await app.request(method, path, body)).status

  describe('origins', () => {
    const path = '/api/1.3/origins'
    const origin = (name: string, more: object = {}) => ({
      name,
      fqdn: `${name}.example`,
      protocol: 'HTTPS',
      deliveryServiceId: dsId,
      ...more,
    })

    it('have the tenant of their delivery service, native types and zoned times in every version', async () => {
      const { body } = await app.ok('POST', path, origin('second', { port: '8443', cachegroupId: net.ids.edgeGroup }))
      expect(body.alerts[0].text).to.equal('origin was created.')
      expect(body.response).to.include({
        protocol: 'https',
        port: 8443,
        cachegroup: 'edge-group',
        deliveryService: 'main',
        isPrimary: false,
        tenant: 'root',
        profileId: null,
      })
      for (const version of ['1.1', '1.2', '1.3']) {
        const [one] = await get(`/api/${version}/origins?name=second`)
        expect(one.id, version).to.equal(body.response.id)
        expect(one.lastUpdated).to.match(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\+00$/)
      }
    })

    it('are filtered by all they refer to', async () => {
      for (const [query, count] of [
        [`deliveryservice=${dsId}`, 2],
        [`deliveryservice=${dsId}&primary=true`, 1],
        [`cachegroup=${net.ids.edgeGroup}`, 1],
        ['tenant=1', 2],
        ['profileId=1', 0],
      ] as const) {
        expect(await get(`${path}?${query}`), query).to.have.length(count)
      }
    })

    it('are checked, and cannot make themselves primary', async () => {
      for (const wrong of [
        { name: 'a b' },
        { fqdn: 'http://x' },
        { protocol: 'ftp' },
        { port: 65_536 },
        { ipAddress: '1.2.3' },
        { ip6Address: 'x::y' },
        { deliveryServiceId: 99_999 },
      ]) {
        expect(await status('POST', path, origin('wrong', wrong)), JSON.stringify(wrong)).to.equal(400)
      }
      expect(await status('POST', path, origin('main'))).to.equal(409)
      const { response } = (await app.ok('POST', path, origin('third', { isPrimary: true }))).body
      expect(response.isPrimary).to.equal(false)
      const other = await net.addService('other')
      const [primary] = await get(`${path}?name=main`)
      expect(await status('PUT', `${path}?id=${primary.id}`, { ...primary, deliveryServiceId: other.id })).to.equal(400)
      expect(await status('PUT', path, origin('third'))).to.equal(400)
      expect((await app.ok('DELETE', `/api/1.3/origin?id=${response.id}`)).body.alerts[0].text).to.equal(
        'origin was deleted.',
      )
      expect(await status('DELETE', `/api/1.3/origins?id=${response.id}`)).to.equal(404)
    })
  })

  describe('static DNS entries', () => {
    const path = '/api/1.3/staticdnsentries'
    const entry = async (type: string, address: string, more: object = {}) => ({
      host: 'static',
      address,
      typeId: await net.typeId(type),
      ttl: 60,
      deliveryserviceId: dsId,
      cachegroupId: net.ids.edgeGroup,
      ...more,
    })

    it('have addresses that fit their type', async () => {
      for (const [type, good, bad] of [
        ['A_RECORD', '192.0.2.1', '2001:db8::1'],
        ['AAAA_RECORD', '2001:db8::1', '192.0.2.1'],
        ['CNAME_RECORD', 'elsewhere.example.', 'two words'],
        ['TXT_RECORD', 'any "text" at all', ''],
      ] as const) {
        expect(await status('POST', path, await entry(type, bad)), bad).to.equal(400)
        expect(await status('POST', path, await entry(type, good)), good).to.equal(200)
        expect(await status('POST', path, await entry(type, good)), good).to.equal(409)
      }
      expect(await status('POST', path, await entry('EDGE', 'x'))).to.equal(400)
    })

    it('show ids from 1.2 on', async () => {
      const [old] = await get('/api/1.1/staticdnsentries?address=192.0.2.1')
      expect(old).to.have.all.keys('host', 'address', 'ttl', 'type', 'deliveryservice', 'cachegroup', 'lastUpdated')
      const [next] = await get('/api/1.2/staticdnsentries?address=192.0.2.1')
      expect(next).to.include({ deliveryserviceId: String(dsId), deliveryservice: 'main', ttl: 60, type: 'A_RECORD' })
      const [native] = await get('/api/1.3/staticdnsentries?deliveryservice=main&type=A_RECORD')
      expect(native).to.include({ deliveryserviceId: dsId, cachegroup: 'edge-group' })
      await app.ok('DELETE', `${path}?id=${native.id}`)
    })
  })

  describe('steering targets', () => {
    it('belong to steering delivery services, each target once', async () => {
      const steering = await net.addService('steering', { typeId: await net.typeId('STEERING'), orgServerFqdn: null })
      const path = `/api/1.2/steering/${steering.id}/targets`
      const target = { targetId: dsId, value: 10, typeId: await net.typeId('STEERING_WEIGHT') }
      const { body } = await app.ok('POST', path, target)
      expect(body.response).to.include({ deliveryService: 'steering', target: 'main', targetId: dsId, value: 10 })
      expect(body.alerts[0].text).to.equal('Delivery service target creation was successful.')
      expect(await status('POST', path, target)).to.equal(409)
      expect(await status('POST', path, { ...target, targetId: steering.id })).to.equal(400)
      expect(await status('POST', `/api/1.2/steering/${dsId}/targets`, { ...target, targetId: steering.id })).to.equal(
        400,
      )
      expect(await status('PUT', `${path}/${dsId}`, { ...target, value: -1 })).to.equal(400)
      const geo = { value: 1, typeId: await net.typeId('STEERING_GEO_ORDER') }
      expect(await status('PUT', `${path}/${dsId}`, geo)).to.equal(400)
      await app.ok('PUT', `${path}/${dsId}`, { value: -1, typeId: await net.typeId('STEERING_ORDER') })
      expect((await get(`${path}/${dsId}`))[0]).to.include({ value: -1, targetId: String(dsId) })
      expect(await status('DELETE', `/api/1.2/deliveryservices/${dsId}`)).to.equal(409)
      const plain = await net.serviceBody('steering')
      expect(await status('PUT', `/api/1.2/deliveryservices/${steering.id}`, plain)).to.equal(400)
      await app.ok('DELETE', `${path}/${dsId}`)
      await app.ok('PUT', `/api/1.2/deliveryservices/${steering.id}`, plain)
      expect(await get(path)).to.deep.equal([])
      expect(await status('DELETE', `${path}/${dsId}`)).to.equal(404)
    })
  })

  describe('users', () => {
    it('are given delivery services, and lose them', async () => {
      await app.as('portal', { username: 'keeper' })
      const [{ id }] = await get('/api/1.3/users?username=keeper')
      const body = { userId: id, deliveryServices: [dsId] }
      const answer = (await app.ok('POST', '/api/1.2/deliveryservice_user', { ...body, replace: true })).body
      expect(answer.response).to.deep.equal({ ...body, replace: true })
      expect(answer.alerts[0].text).to.equal('Delivery service assignments complete.')
      expect((await get(`/api/1.1/users/${id}/deliveryservices`))[0]).to.include({ xmlId: 'main', routingName: 'cdn' })
      const available = await get(`/api/1.2/user/${id}/deliveryservices/available`)
      expect(available.map(({ xmlId }: { xmlId: string }) => xmlId))
        .to.include('other')
        .and.not.include('main')
      await app.ok('DELETE', `/api/1.2/deliveryservice_user/${dsId}/${id}`)
      expect(await status('DELETE', `/api/1.2/deliveryservice_user/${dsId}/${id}`)).to.equal(404)
      expect(await status('POST', '/api/1.2/deliveryservice_user', { ...body, deliveryServices: [99_999] })).to.equal(
        400,
      )
    })
  })
})
