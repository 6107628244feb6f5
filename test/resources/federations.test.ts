import { expect } from 'chai'
import type { TestServer } from '../build.js'
import { buildServer } from '../build.js'
import type { Network } from './smallNetwork.js'
import { smallNetwork } from './smallNetwork.js'

describe('federations', () => {
  let app: TestServer
  let net: Network
  let dsId: number
  let id: number
  before(async () => {
    app = await buildServer()
    net = await smallNetwork(app)
    dsId = (await net.addService('shared')).id
  })
  after(() => app.close())

  const get = async (path: string) => (await app.ok('GET', path)).body.response
  const answer = async (method: string, path: string, body?: unknown) => {
    const { status, body: shown } = await app.request(method, path, body)
    return [status, shown.alerts[0].text]
  }
  const path = '/api/1.2/cdns/net/federations'

  it('are made in a CDN and seen in it once they have a delivery service there', async () => {
    const { body } = await app.ok('POST', path, { cname: 'other.example.', ttl: 30, description: 'the others' })
    id = body.response.id
    expect(body.response).to.include({ cname: 'other.example.', ttl: 30, description: 'the others' })
    expect(body.alerts[0].text).to.equal(`Federation created [ cname = other.example. ] with id: ${id}.`)
    expect(await get(path)).to.deep.equal([])
    expect(
      await answer('POST', `/api/1.2/federations/${id}/deliveryservices`, { dsIds: [dsId], replace: true }),
    ).to.deep.equal([200, '1 delivery service(s) were assigned to the other.example. federation'])
    expect((await get(path))[0].deliveryService).to.deep.equal({ id: dsId, xmlId: 'shared' })
    expect(await get(`/api/1.2/federations/${id}/deliveryservices`)).to.deep.equal([
      { id: dsId, cdn: 'net', type: 'HTTP', xmlId: 'shared' },
    ])
    expect((await answer('DELETE', `/api/1.2/federations/${id}/deliveryservices/${dsId}`))[0]).to.equal(400)
  })

  it('have a name with a final dot and a time to live', async () => {
    for (const wrong of [{ cname: 'other.example' }, { cname: 'a b.' }, { ttl: -1 }, { ttl: 'long' }]) {
      expect((await answer('POST', path, { cname: 'fine.', ttl: 1, ...wrong }))[0], JSON.stringify(wrong)).to.equal(400)
    }
    expect((await answer('POST', '/api/1.2/cdns/none/federations', { cname: 'fine.', ttl: 1 }))[0]).to.equal(404)
  })

  it('are given to users by administrators', async () => {
    await app.as('federation', { username: 'partner' })
    const [user] = await get('/api/1.3/users?username=partner')
    const users = `/api/1.2/federations/${id}/users`
    expect(await answer('POST', users, { userIds: user.id })).to.deep.equal([400, 'userIds must be an array'])
    const { body } = await app.ok('POST', users, { userIds: [user.id] })
    expect(body.response).to.deep.equal({ userIds: [user.id], replace: false })
    expect(body.alerts[0].text).to.equal('1 user(s) were assigned to the other.example. federation')
    expect((await get(users))[0]).to.deep.equal({
      id: user.id,
      username: 'partner',
      company: null,
      role: 'federation',
      email: 'partner@example.net',
      fullName: 'partner',
    })
    expect(await answer('DELETE', `${users}/${user.id}`)).to.deep.equal([
      200,
      'Removed user [ partner ] from federation [ other.example. ]',
    ])
    expect((await answer('DELETE', `${users}/${user.id}`))[0]).to.equal(404)
    const oper = await app.as('operations')
    expect((await oper.request('POST', users, { userIds: [user.id] })).status).to.equal(403)
  })

  it('have resolvers of the family their type says', async () => {
    const typeId = await net.typeId('RESOLVE4')
    const [status, text] = await answer('POST', '/api/1.2/federation_resolvers', { ipAddress: '192.0.2.0/24', typeId })
    expect([status, text]).to.satisfy(
      ([code, said]: [number, string]) =>
        code === 200 && said.startsWith('Federation Resolver created [ IP = 192.0.2.0/24 ]'),
    )
    for (const ipAddress of ['192.0.2.0/33', '2001:db8::1', 'resolver.example']) {
      expect((await answer('POST', '/api/1.2/federation_resolvers', { ipAddress, typeId }))[0], ipAddress).to.equal(400)
    }
    expect((await answer('POST', '/api/1.2/federation_resolvers', { ipAddress: '192.0.2.0/24', typeId }))[0]).to.equal(
      409,
    )
    const [resolver] = await get('/api/1.2/federation_resolvers?type=RESOLVE4')
    expect(resolver).to.deep.equal({ id: resolver.id, ipAddress: '192.0.2.0/24', type: 'RESOLVE4' })
    await app.ok('POST', `/api/1.2/federations/${id}/federation_resolvers`, { fedResolverIds: [resolver.id] })
    expect(await get(`/api/1.2/federations/${id}/federation_resolvers`)).to.deep.equal([resolver])
  })

  it('are kept by their own users with the resolvers themselves', async () => {
    const partner = await app.as('federation', { username: 'keeper' })
    const [user] = await get('/api/1.3/users?username=keeper')
    const body = {
      federations: [
        { deliveryService: 'shared', mappings: { resolve4: ['198.51.100.1'], resolve6: ['2001:db8::/32'] } },
      ],
    }
    expect((await partner.request('POST', '/api/1.2/federations', body)).status).to.equal(400)
    await app.ok('POST', `/api/1.2/federations/${id}/users`, { userIds: [user.id] })
    expect((await partner.ok('POST', '/api/1.2/federations.json', body)).body.response).to.equal(
      'keeper successfully created federation resolvers.',
    )
    const own = async () => (await partner.ok('GET', '/api/1.2/federations')).body.response
    expect(await own()).to.deep.equal([
      {
        deliveryService: 'shared',
        mappings: [
          { cname: 'other.example.', ttl: 30, resolve4: ['192.0.2.0/24', '198.51.100.1'], resolve6: ['2001:db8::/32'] },
        ],
      },
    ])
    await partner.ok('PUT', '/api/1.2/federations', body)
    expect((await own())[0].mappings[0].resolve4).to.deep.equal(['198.51.100.1'])
    expect((await app.ok('GET', '/internal/api/1.3/federations?cdnName=net')).body.response).to.deep.equal(await own())
    await partner.ok('DELETE', '/api/1.2/federations')
    expect((await own())[0].mappings[0].resolve4).to.deep.equal([])
    expect(await get('/api/1.2/federation_resolvers')).to.deep.equal([])
  })

  it('go with a text of their own', async () => {
    await app.ok('PUT', `${path}/${id}`, { cname: 'new.example.', ttl: 60 })
    expect(await answer('DELETE', `${path}/${id}`)).to.deep.equal([
      200,
      `Federation deleted [ cname = new.example. ] with id: ${id}.`,
    ])
  })

  it('go with their last delivery service, and leave nothing of it to other tenants', async () => {
    for (const name of ['owners', 'strangers'])
      await app.ok('POST', '/api/1.3/tenants', { name, active: true, parentId: 1 })
    const [{ id: tenantId }] = await get('/api/1.3/tenants?name=owners')
    const [stranger, owner] = [
      await app.as('admin', { tenant: 'strangers' }),
      await app.as('admin', { tenant: 'owners' }),
    ]
    const services = [await net.addService('first', { tenantId }), await net.addService('last', { tenantId })]
    const made = await owner.ok('POST', path, { cname: 'owned.example.', ttl: 30, description: 'ours' })
    const at = `/api/1.3/federations/${made.body.response.id}`
    await owner.ok('POST', `${at}/deliveryservices`, { dsIds: services.map((service) => service.id) })
    const [{ id: typeId }] = await get('/api/1.3/types?name=RESOLVE4')
    const resolver = await owner.ok('POST', '/api/1.3/federation_resolvers', { ipAddress: '203.0.113.7/32', typeId })
    await owner.ok('POST', `${at}/federation_resolvers`, { fedResolverIds: [resolver.body.response.id] })
    expect((await owner.request('POST', `${at}/deliveryservices`, { dsIds: [], replace: true })).status).to.equal(400)
    for (const list of ['federation_resolvers', 'changes', 'logs']) {
      const told = async (client: typeof owner) => (await client.ok('GET', `/api/1.3/${list}?limit=1000`)).text
      expect(await told(stranger), list).not.to.contain('203.0.113.7')
      if (list !== 'logs') expect(await told(owner), list).to.contain('203.0.113.7')
    }
    const [first, last] = services
    await app.ok('DELETE', `/api/1.3/deliveryservices/${first!.id}`)
    expect((await owner.get(`${at}/users`)).status).to.equal(200)
    await app.ok('DELETE', `/api/1.3/deliveryservices/${last!.id}`)
    for (const client of [stranger, owner, app]) expect((await client.get(`${at}/users`)).status).to.equal(404)
  })
})
