import { expect } from 'chai'
import type { TestServer } from '../build.js'
import { buildServer } from '../build.js'
import type { Network } from './smallNetwork.js'
import { smallNetwork } from './smallNetwork.js'

describe('what routers poll about steering', () => {
  let app: TestServer
  let net: Network
  before(async () => {
    app = await buildServer()
    net = await smallNetwork(app)
    const targets = [await net.addService('east'), await net.addService('west')]
    const coordinate = await net.made('/coordinates', { name: 'west', latitude: 12.5, longitude: -3 })
    const [origin] = (await app.ok('GET', `/api/1.3/origins?deliveryservice=${targets[1]!.id}`)).body.response
    await app.ok('PUT', `/api/1.3/origins?id=${origin.id}`, { ...origin, coordinateId: coordinate.id })
    const pattern = { pattern: '.*/match/.*', type: await net.typeId('STEERING_REGEXP'), setNumber: 0 }
    await net.made(`/deliveryservices/${targets[0]!.id}/regexes`, pattern)
    await service('weights', 'STEERING', [
      ['STEERING_WEIGHT', 30],
      ['STEERING_ORDER', 2],
    ])
    await service('nearest', 'CLIENT_STEERING', [
      ['STEERING_GEO_WEIGHT', 7],
      ['STEERING_GEO_ORDER', 4],
    ])

    async function service(xmlId: string, type: string, values: readonly [string, number][]) {
      const { id } = await net.addService(xmlId, { typeId: await net.typeId(type), orgServerFqdn: null })
      for (const [at, [kind, value]] of values.entries()) {
        const typeId = await net.typeId(kind)
        await net.made(`/steering/${id}/targets`, { targetId: targets[at]!.id, value, typeId })
      }
    }
  })
  after(() => app.close())

  const weights = {
    deliveryService: 'weights',
    clientSteering: false,
    targets: [
      { deliveryService: 'east', order: 0, weight: 30 },
      { deliveryService: 'west', order: 2, weight: 0 },
    ],
    filters: [{ deliveryService: 'east', pattern: '.*/match/.*' }],
  }

  it('is every steering service with its targets and the filters of those', async () => {
    const { response } = (await app.ok('GET', '/internal/api/1.3/steering.json')).body
    const nearest = {
      deliveryService: 'nearest',
      clientSteering: true,
      targets: [
        { deliveryService: 'east', order: 0, weight: 7, geoOrder: 0 },
        { deliveryService: 'west', order: 0, weight: 0, geoOrder: 4, latitude: 12.5, longitude: -3 },
      ],
      filters: weights.filters,
    }
    expect(response).to.deep.equal([nearest, weights])
  })

  it('is one service by its xml id, under every version, and 304 while nothing changed', async () => {
    const answer = await app.ok('GET', '/internal/api/1.1/steering/weights')
    expect(answer.body.response).to.deep.equal(weights)
    const etag = answer.headers.get('etag')!
    expect((await app.get('/internal/api/1.1/steering/weights', { 'if-none-match': etag })).status).to.equal(304)
    expect((await app.get('/internal/api/1.2/steering/east')).status).to.equal(404)
    expect((await app.get('/internal/api/1.2/steering/nobody')).status).to.equal(404)
    expect((await app.get('/internal/api/2.0/steering')).status).to.equal(404)
  })

  it('is for routers and those who steer, within their tenants', async () => {
    await app.ok('POST', '/api/1.3/tenants', { name: 'guests', active: true, parentId: 1 })
    const path = '/internal/api/1.3/steering'
    expect((await (await app.as('read-only')).get(path)).status).to.equal(403)
    const guest = await app.as('portal', { tenant: 'guests' })
    expect((await guest.ok('GET', path)).body.response).to.deep.equal([])
    expect((await guest.get(`${path}/weights`)).status).to.equal(403)
    expect((await (await app.as('steering')).ok('GET', path)).body.response).to.have.length(2)
  })
})
