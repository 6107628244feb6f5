import { expect } from 'chai'
import type { Client, TestServer } from './build.js'
import { buildServer } from './build.js'
import type { Network } from './resources/smallNetwork.js'
import { smallNetwork } from './resources/smallNetwork.js'
import { routes } from './routes.js'
import { patchOf } from './writes/patched.js'

/** What is asked by PUT and is no record with fields, each with the reason. */
const noRecords: Readonly<Record<string, string>> = {
  '/cachegroup_fallbacks': 'a list, of which only the order can be changed',
  '/deliveryservices/:id/safe': 'takes some of the fields of a record that has a PATCH',
  '/deliveryservices/:xmlId/urisignkeys': 'a document of keys, which is replaced as a whole',
  '/federations': 'what is in force beside it ends',
  '/servers/:id/status': 'an action',
  '/snapshot/:name': 'an action',
  '/cdns/:id/snapshot': 'an action',
  '/user/current': 'PATCH would be what POST /user/current/update is',
}

describe('PATCH', () => {
  let app: TestServer
  let net: Network
  let oper: Client
  before(async () => {
    app = await buildServer()
    net = await smallNetwork(app)
    oper = await app.as('operations')
  })
  after(() => app.close())

  const read = async (path: string) => (await app.ok('GET', `/api/1.3${path}`)).body.response[0]
  const patch = (path: string, body: unknown, headers?: Record<string, string>) =>
    oper.request('PATCH', `/api/1.3${path}`, body, headers)
  const texts = async (answer: ReturnType<typeof patch>) => {
    const { status, body } = await answer
    return [status, ...body.alerts.map(({ text }: { text: string }) => text)]
  }

  it('is there for every record that PUT changes, under the same role, reach and versions', () => {
    const notImplemented = new Set(routes.filter(({ fails }) => fails?.includes(501)).map(({ path }) => path))
    const puts = routes.filter(({ method, path }) => method === 'PUT' && !notImplemented.has(path))
    const without = puts.filter(({ path }) => !patchOf(`PUT ${path}`)).map(({ path }) => path)
    expect(without.sort()).to.deep.equal(Object.keys(noRecords).sort())
    for (const { path, role, reach, since } of puts) {
      const route = patchOf(`PUT ${path}`)
      if (route) expect([route.role, route.reach, route.since], path).to.deep.equal([role, reach, since])
    }
    expect(puts.length - without.length).to.be.greaterThan(20)
  })

  it('changes what is given, clears by null what may be absent, and leaves the rest', async () => {
    const { id } = await net.addServer({ rack: 'R1', ip6Address: '2001:db8::1', httpsPort: 443 })
    const before = await read(`/servers/${id}`)
    const { body } = await oper.ok('PATCH', `/api/1.3/servers/${id}`, { rack: 'R2', httpsPort: null })
    const after = await read(`/servers/${id}`)
    expect(after).to.deep.equal({ ...before, rack: 'R2', httpsPort: null, lastUpdated: after.lastUpdated })
    expect(body.response).to.deep.equal(after)
    expect(body.alerts[0].text).to.equal('Server update was successful.')
    const mediaType = { 'content-type': 'application/merge-patch+json' }
    expect((await patch(`/servers/${id}`, { rack: 'R3' }, mediaType)).body.response.rack).to.equal('R3')
    const older = await oper.ok('PATCH', `/api/1.1/servers/${id}`, { rack: 'R4' })
    expect(older.body.response).to.include({ rack: 'R4', hostName: before.hostName })
    expect((await patch(`/servers/${id}`, {})).status).to.equal(200)
  })

  it('takes names for ids, and knows records by a query', async () => {
    const { id } = await net.addServer()
    await oper.ok('PATCH', `/api/1.3/servers/${id}`, { status: 'OFFLINE', offlineReason: 'mended' })
    expect(await read(`/servers/${id}`)).to.include({ status: 'OFFLINE', offlineReason: 'mended' })
    await net.made('/coordinates', { name: 'pier', latitude: 1, longitude: 2 })
    const pier = await read('/coordinates?name=pier')
    await oper.ok('PATCH', `/api/1.3/coordinates?id=${pier.id}`, { latitude: 3 })
    expect(await read('/coordinates?name=pier')).to.include({ latitude: 3, longitude: 2 })
  })

  it('keeps what a PUT without it would reset or ask for', async () => {
    const body = { name: 'KEPT', description: 'kept', type: 'ATS_PROFILE', cdn: net.ids.cdn, routingDisabled: true }
    const { id } = await net.made('/profiles', body)
    await oper.ok('PATCH', `/api/1.3/profiles/${id}`, { description: 'still kept' })
    expect(await read(`/profiles/${id}`)).to.include({ routingDisabled: true, description: 'still kept' })
    const service = await net.addService('kept', { signingAlgorithm: 'uri_signing' })
    for (const version of ['1.1', '1.2', '1.3'])
      await oper.ok('PATCH', `/api/${version}/deliveryservices/${service.id}`, { longDesc: version })
    const before = await read(`/deliveryservices/${service.id}`)
    expect(before).to.include({ longDesc: '1.3', signed: true, signingAlgorithm: 'uri_signing', active: true })
    await oper.ok('PATCH', `/api/1.3/deliveryservices/${service.id}`, { signed: false })
    expect((await read(`/deliveryservices/${service.id}`)).signingAlgorithm).to.equal(null)
  })

  it('refuses what it does not know and to be without what must be there, all at once', async () => {
    const { id } = await net.addServer()
    const wrong = { rakc: 'R1', id, lastUpdated: 'now', hostName: null, tcpPort: 70_000, profile: 'nobody' }
    const [status, ...found] = await texts(patch(`/servers/${id}`, wrong))
    expect(status).to.equal(400)
    const said = found.map((text) => /^unknown field 'rakc'|^\w+/.exec(String(text))?.[0]).sort()
    expect(said).to.deep.equal(['hostName', 'profile', 'tcpPort', "unknown field 'rakc'"])
    for (const body of [[], 'x', null, 7]) expect((await patch(`/servers/${id}`, body)).status).to.equal(400)
    expect((await patch('/capabilities/auth', { name: 'other' })).status).to.equal(400)
  })

  it('is only for who may PUT, and only of the state that If-Match names', async () => {
    const { id } = await net.addServer()
    const path = `/api/1.3/servers/${id}`
    expect((await (await app.as('read-only')).request('PATCH', path, { rack: 'R' })).status).to.equal(403)
    expect((await app.anonymous.request('PATCH', path, { rack: 'R' })).status).to.equal(401)
    const { headers } = await oper.get(path)
    await app.ok('PUT', path, { ...(await read(`/servers/${id}`)), rack: 'other' })
    expect((await patch(`/servers/${id}`, { rack: 'R' }, { 'if-match': headers.get('etag')! })).status).to.equal(412)
    const now = (await oper.get(path)).headers.get('etag')!
    expect((await patch(`/servers/${id}`, { rack: 'R' }, { 'if-match': now })).status).to.equal(200)
    expect((await patch('/servers/999999', { rack: 'R' })).status).to.equal(404)
  })

  it('changes a password, and its user as if by PUT', async () => {
    const id = (await read('/users?username=admin')).id
    const word = 'another-Password-of-tests'
    const given = { localPassword: word, confirmLocalPassword: word, city: 'Port' }
    expect((await app.request('PATCH', `/api/1.3/users/${id}`, { localPassword: word, city: 'x' })).status).to.equal(
      400,
    )
    await app.ok('PATCH', `/api/1.3/users/${id}`, given)
    expect((await app.login('admin', word)).cookie()).to.be.a('string')
  })
})

describe('all that is wrong with a record', () => {
  let app: TestServer
  let net: Network
  before(async () => {
    app = await buildServer()
    net = await smallNetwork(app)
  })
  after(() => app.close())

  const faults = async (method: string, path: string, body: unknown, version = '1.3'): Promise<string[]> => {
    const answer = await app.request(method, `/api/${version}${path}`, body)
    expect(answer.status, answer.text).to.be.within(400, 409)
    return answer.body.alerts.map(({ text }: { text: string }) => text)
  }
  const about = (texts: readonly string[], ...names: readonly string[]) => {
    for (const name of names)
      expect(
        texts.filter((text) => text.includes(name)),
        `${name} in ${texts}`,
      ).to.have.length(1)
    expect(texts).to.have.length(names.length)
  }

  it('is said in one answer: what is missing, of the wrong form, not there, taken and against the rules', async () => {
    await net.addService('taken')
    const wrong = {
      xmlId: 'taken',
      active: 'perhaps',
      cdnId: net.ids.cdn,
      typeId: await net.typeId('EDGE'),
      tenantId: 4711,
      orgServerFqdn: 'ftp://x',
      geoLimit: 9,
    }
    about(
      await faults('POST', '/deliveryservices', wrong),
      'displayName is required',
      'active',
      'geoLimit',
      'orgServerFqdn',
      'xmlId taken already exists',
      'the type EDGE is for server',
      'tenantId',
    )
  })

  it('of a delivery service under 1.1 and 1.2 is what the older versions ask for, too', async () => {
    const bare = { xmlId: 'bare', displayName: 'bare', cdnId: net.ids.cdn, typeId: await net.typeId('HTTP') }
    for (const version of ['1.1', '1.2']) {
      about(
        await faults('POST', '/deliveryservices', bare, version),
        ...['active', 'dscp', 'geoLimit', 'geoProvider', 'logsEnabled', 'regionalGeoBlocking', 'ipv6RoutingEnabled'],
        ...['multiSiteOrigin', 'protocol', 'missLat', 'missLong', 'orgServerFqdn', 'qstringIgnore'],
        ...['rangeRequestHandling', 'initialDispersion'],
      )
    }
    about(await faults('POST', '/deliveryservices', bare), 'active', 'orgServerFqdn')
    const { id } = await net.made('/deliveryservices', { ...bare, active: true, orgServerFqdn: 'http://o.example' })
    expect((await app.ok('GET', `/api/1.3/deliveryservices/${id}`)).body.response[0]).to.include({
      dscp: 0,
      geoLimit: 0,
      geoProvider: 0,
      logsEnabled: false,
      regionalGeoBlocking: false,
      missLat: 0,
      missLong: 0,
      initialDispersion: 1,
      qstringIgnore: 0,
      rangeRequestHandling: 0,
      ipv6RoutingEnabled: true,
      multiSiteOrigin: false,
      protocol: 0,
      routingName: 'cdn',
    })
    const any = { ...bare, xmlId: 'any', typeId: await net.typeId('ANY_MAP'), active: true }
    const { id: other } = await net.made('/deliveryservices', any)
    expect((await app.ok('GET', `/api/1.3/deliveryservices/${other}`)).body.response[0]).to.include({
      protocol: null,
      missLat: null,
      initialDispersion: null,
    })
  })

  it('of other kinds, too, and of changes', async () => {
    const server = await net.addServer()
    const edge = await net.typeId('EDGE')
    const body = { ...(await net.serverBody()), hostName: '', cdnId: 99_999, typeId: await net.typeId('MID_LOC') }
    about(await faults('POST', '/servers', body), 'hostName', 'cdnId', 'typeId: the type MID_LOC')
    about(
      await faults('PATCH', `/servers/${server.id}`, { tcpPort: 'x', typeId: await net.typeId('HTTP') }),
      'tcpPort',
      'typeId',
    )
    about(
      await faults('POST', '/cachegroups', { name: 'edge-group', shortName: '', typeId: edge }),
      'shortName',
      'name edge-group already exists',
      'typeId: the type EDGE',
    )
    about(
      await faults('POST', '/users', { username: 'admin', email: 'nowhere' }),
      'fullName',
      'role',
      'email',
      'username admin already',
      'localPassword',
    )
    const profile = { name: 'not fine', description: 'caches EDGE_NET', type: 'ATS_PROFILE' }
    about(await faults('POST', '/profiles', profile), 'name', 'exact same description')
    const entry = {
      host: 'h',
      address: 'no address',
      ttl: -1,
      typeId: await net.typeId('A_RECORD'),
      deliveryserviceId: 999,
    }
    about(await faults('POST', '/staticdnsentries', entry), 'ttl', 'address', 'eliveryservice')
  })
})
