import { expect } from 'chai'
import type { TestServer } from '../build.js'
import { buildServer } from '../build.js'
import type { Network } from './smallNetwork.js'
import { smallNetwork } from './smallNetwork.js'

describe('servers', () => {
  let app: TestServer
  let net: Network
  before(async () => {
    app = await buildServer()
    net = await smallNetwork(app)
  })
  after(() => app.close())

  const read = async (id: number, version = '1.3') =>
    (await app.ok('GET', `/api/${version}/servers/${id}`)).body.response[0]

  it('shows numbers as text in 1.2 and as numbers in 1.3, with the names of what it refers to', async () => {
    const { id } = await net.addServer({ hostName: 'shapes', ip6Address: '2001:db8::1/64' })
    const old = await read(id, '1.2')
    expect(old).to.include({
      id: String(id),
      cdnName: 'net',
      cachegroup: 'edge-group',
      profile: 'EDGE_NET',
      type: 'EDGE',
    })
    expect(old).to.include({ status: 'REPORTED', physLocation: 'harbour', tcpPort: '80', interfaceMtu: '1500' })
    expect(old).to.include({ updPending: false, profileDesc: 'caches EDGE_NET', iloPassword: null })
    expect(old).not.to.have.any.keys('xmppId', 'xmppPasswd', 'revalPending')
    expect(await read(id)).to.include({ id, tcpPort: 80, revalPending: false, xmppId: 'shapes' })
  })

  it('takes names for references and numbers as text', async () => {
    const body = (await net.serverBody({ hostName: 'by-name' })) as Record<string, unknown>
    for (const name of ['cachegroupId', 'cdnId', 'profileId', 'typeId', 'statusId', 'physLocationId']) delete body[name]
    const names = { cachegroup: 'edge-group', cdnName: 'net', profile: 'EDGE_NET', type: 'EDGE', status: 'ONLINE' }
    const made = await net.made('/servers', { ...body, ...names, physLocation: 'harbour', tcpPort: '8080' })
    expect(made).to.include({ cachegroupId: net.ids.edgeGroup, cdnId: net.ids.cdn, status: 'ONLINE', tcpPort: 8080 })
  })

  it('names every field that is missing or wrong', async () => {
    const body = await net.serverBody({ ipAddress: '300.1.1.1', tcpPort: -1, domainName: 'two words', typeId: 99_999 })
    const { interfaceMtu: _, ...rest } = body as Record<string, unknown>
    const answer = await app.request('POST', '/api/1.2/servers', rest)
    expect(answer.status).to.equal(400)
    const texts = answer.body.alerts.map(({ text }: { text: string }) => text.split(' ')[0])
    expect(texts).to.have.members(['ipAddress', 'tcpPort', 'domainName', 'interfaceMtu', 'typeId:'])
  })

  it('keeps addresses apart within a profile', async () => {
    await net.addServer({ ipAddress: '198.51.100.1', ip6Address: '2001:db8::5' })
    const same = await app.request('POST', '/api/1.2/servers', await net.serverBody({ ipAddress: '198.51.100.1' }))
    expect(same.status).to.equal(409)
    const same6 = await app.request('POST', '/api/1.2/servers', await net.serverBody({ ip6Address: '2001:db8::5' }))
    expect(same6.status).to.equal(409)
    const other = { ipAddress: '198.51.100.1', profileId: net.ids.midProfile, typeId: await net.typeId('MID') }
    await net.addServer({ ...other, cachegroupId: net.ids.midGroup })
  })

  it('refuses a profile of another CDN and a type of another table', async () => {
    const { id: cdn } = await net.made('/cdns', { name: 'other', domainName: 'other.example' })
    const foreign = await app.request('POST', '/api/1.2/servers', await net.serverBody({ cdnId: cdn }))
    expect([foreign.status, foreign.body.alerts[0].text]).to.deep.equal([
      400,
      "profileId: the profile EDGE_NET does not belong to the server's CDN",
    ])
    const wrong = await app.request(
      'POST',
      '/api/1.2/servers',
      await net.serverBody({ typeId: await net.typeId('EDGE_LOC') }),
    )
    expect(wrong.status).to.equal(400)
  })

  it('masks passwords for those who are no administrators, and keeps them when the mask comes back', async () => {
    const { id } = await net.addServer({ iloPassword: 'hidden-one' })
    const oper = await app.as('operations')
    const shown = (await oper.ok('GET', `/api/1.2/servers/${id}`)).body.response[0]
    expect(shown.iloPassword).to.equal('********')
    await oper.ok('PUT', `/api/1.2/servers/${id}`, { ...shown, rack: 'r9' })
    expect(await read(id)).to.include({ iloPassword: 'hidden-one', rack: 'r9' })
    await net.addServer({ hostName: 'aa-last-password', iloPassword: 'the-other' })
    const order = (await oper.ok('GET', '/api/1.3/servers?orderby=iloPassword')).body.response
    expect(order[0].hostName).to.equal('aa-last-password')
  })

  it('filters by everything the interface names, together', async () => {
    const { id } = await net.addServer({ hostName: 'filtered', statusId: await net.statusId('OFFLINE') })
    const names = async (query: string) =>
      (await app.ok('GET', `/api/1.2/servers?${query}`)).body.response.map((one: { hostName: string }) => one.hostName)
    expect(await names('hostName=filtered')).to.deep.equal(['filtered'])
    expect(await names(`status=OFFLINE&type=EDGE&cdn=${net.ids.cdn}&id=${id}`)).to.deep.equal(['filtered'])
    expect(await names(`status=OFFLINE&type=MID`)).to.deep.equal([])
    expect(
      await names(`cachegroup=${net.ids.edgeGroup}&physLocation=${net.ids.physLocation}&status=OFFLINE`),
    ).to.deep.equal(['filtered'])
    expect(await names(`parentCachegroup=${net.ids.midGroup}&status=OFFLINE`)).to.deep.equal(['filtered'])
    expect(await names(`profileId=${net.ids.midProfile}&status=OFFLINE`)).to.deep.equal([])
  })

  it('counts by type and by status', async () => {
    const totals = (await app.ok('GET', '/api/1.2/servers/totals')).body.response
    expect(totals.map(({ type }: { type: string }) => type)).to.deep.equal(['EDGE', 'MID'])
    expect((await app.ok('GET', '/api/1.1/servers/summary')).body.response).to.deep.equal(totals)
    const counts = (await app.ok('GET', '/api/1.2/servers/status?type=^MID')).body.response
    expect(counts).to.deep.equal({ ADMIN_DOWN: 0, CCR_IGNORE: 0, OFFLINE: 0, ONLINE: 0, PRE_PROD: 0, REPORTED: 1 })
    expect((await app.request('GET', '/api/1.2/servers/status?type=(')).status).to.equal(400)
  })

  it('gives details in the shape of their own', async () => {
    await net.addServer({ hostName: 'detailed', httpsPort: 443 })
    const details = (await app.ok('GET', '/api/1.1/servers/hostname/detailed/details')).body.response
    expect(details).to.include({ hostName: 'detailed', httpsPort: '443', xmppId: 'detailed', cachegroup: 'edge-group' })
    expect(details).to.deep.include({ deliveryservices: [], hardwareInfo: {} })
    expect(details).not.to.have.any.keys(
      'cachegroupId',
      'cdnId',
      'cdnName',
      'guid',
      'offlineReason',
      'typeId',
      'updPending',
    )
    expect((await app.request('GET', '/api/1.1/servers/hostname/nobody/details')).status).to.equal(404)
    expect((await app.request('GET', '/api/1.2/servers/details')).status).to.equal(400)
    const listed = (await app.ok('GET', `/api/1.2/servers/details?physLocationID=${net.ids.physLocation}&limit=2`)).body
    expect(listed).to.include({ limit: 2, size: 2, orderby: 'hostName' })
  })

  it('sets a status with its reason, and has the caches below fetch their configuration', async () => {
    const mid = await net.addServer({
      hostName: 'parent',
      typeId: await net.typeId('MID'),
      profileId: net.ids.midProfile,
      cachegroupId: net.ids.midGroup,
    })
    const child = await net.addServer({ hostName: 'child' })
    const path = `/api/1.2/servers/${mid.id}/status`
    const odd = { toString: 1, valueOf: 1 }
    const put = async (body: object) => {
      const answer = await app.request('PUT', path, body)
      return [answer.status, answer.body.alerts[0].text]
    }
    expect(await put({})).to.deep.equal([400, 'Status is required.'])
    expect(await put({ status: odd })).to.deep.equal([400, 'Invalid status.'])
    expect(await put({ status: 'ASLEEP' })).to.deep.equal([400, 'Invalid status.'])
    expect(await put({ status: 'ADMIN_DOWN' })).to.deep.equal([
      400,
      'Offline reason is required for ADMIN_DOWN or OFFLINE status.',
    ])
    expect(await put({ status: 'ADMIN_DOWN', offlineReason: 'a fan' })).to.deep.equal([
      200,
      'Updated status [ ADMIN_DOWN ] for parent.net.example [ admin: a fan ] and queued updates on all child caches',
    ])
    expect(await read(mid.id)).to.include({ status: 'ADMIN_DOWN', offlineReason: 'admin: a fan', updPending: false })
    expect(await read(child.id)).to.include({ updPending: true })
    await put({ status: await net.statusId('REPORTED') })
    expect(await read(mid.id)).to.include({ status: 'REPORTED', offlineReason: null })
  })

  it('queues and dequeues by CDN, cache group, server and filter', async () => {
    const { id } = await net.addServer({ hostName: 'queued' })
    const pending = async () => (await read(id)).updPending
    const post = async (path: string, body: object) => (await app.ok('POST', `/api/1.2${path}`, body)).body.response
    expect(await post(`/cdns/${net.ids.cdn}/queue_update`, { action: 'queue' })).to.deep.equal({
      action: 'queue',
      cdnId: net.ids.cdn,
    })
    expect(await pending()).to.equal(true)
    expect(await post(`/servers/${id}/queue_update`, { action: 'dequeue' })).to.deep.equal({
      serverId: id,
      action: 'dequeue',
    })
    expect(await pending()).to.equal(false)
    const group = await post(`/cachegroups/${net.ids.edgeGroup}/queue_update`, { action: 'queue', cdnId: 'net' })
    expect(group).to.include({ action: 'queue', cachegroupName: 'edge-group', cdn: 'net' })
    expect(group.serverNames).to.include('queued').and.not.include('parent')
    expect(await pending()).to.equal(true)
    const some = await post('/servers/queue_update?dryRun=true', { action: 'dequeue', type: 'EDGE' })
    expect(some.count).to.be.greaterThan(1)
    expect(await pending()).to.equal(true)
    const odd = { toString: 1, valueOf: 1 }
    for (const body of [{}, { action: 'poke' }, [], { action: odd }]) {
      expect((await app.request('POST', `/api/1.2/servers/${id}/queue_update`, body)).status).to.equal(400)
    }
  })

  it('does not lose a queued update to a client that sends back what it read', async () => {
    const { id } = await net.addServer({ hostName: 'echoed' })
    const before = await read(id, '1.2')
    await app.ok('POST', `/api/1.2/servers/${id}/queue_update`, { action: 'queue' })
    await app.ok('PUT', `/api/1.2/servers/${id}`, { ...before, rack: 'r1' })
    expect(await read(id)).to.include({ rack: 'r1', updPending: true })
  })

  it('takes what hangs off it along when it is deleted', async () => {
    const { id } = await net.addServer({ hostName: 'leaving' })
    await app.ok('POST', `/api/1.2/servers/${id}/queue_update`, { action: 'queue' })
    const service = await net.addService('left-behind')
    await app.ok('POST', '/api/1.2/deliveryserviceserver', { dsId: service.id, servers: [id] })
    await app.ok('DELETE', `/api/1.2/servers/${id}`)
    expect((await app.ok('GET', `/api/1.2/deliveryservices/${service.id}/servers`)).body.response).to.deep.equal([])
    expect((await app.request('GET', `/api/1.2/servers/${id}`)).status).to.equal(404)
  })
})
