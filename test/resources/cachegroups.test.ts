import { expect } from 'chai'
import type { TestServer } from '../build.js'
import { buildServer } from '../build.js'
import type { Network } from './smallNetwork.js'
import { smallNetwork } from './smallNetwork.js'

describe('cache groups', () => {
  let app: TestServer
  let net: Network
  before(async () => {
    app = await buildServer()
    net = await smallNetwork(app)
  })
  after(() => app.close())

  const get = async (path: string) => (await app.ok('GET', path)).body.response
  const status = async (method: string, path: string, body?: unknown) => (await app.request(method, path, body)).status
  const add = (name: string, more: object = {}) =>
    net.made('/cachegroups', { name, shortName: name, typeName: 'EDGE_LOC', ...more })

  it('take parents by name and answer with the keys of the interface', async () => {
    const body = {
      name: 'asked',
      shortName: 'ask',
      typeId: await net.typeId('EDGE_LOC'),
      latitude: '1.5',
      longitude: 2,
    }
    const answer = (await app.ok('POST', '/api/1.2/cachegroups', { ...body, parentCachegroup: 'mid-group' })).body
    expect(answer.alerts[0].text).to.equal('Cachegroup successfully created: asked')
    expect(answer.response).to.include({
      name: 'asked',
      latitude: 1.5,
      parentCachegroup: 'mid-group',
      parentCachegroupId: net.ids.midGroup,
      secondaryParentCachegroup: null,
      secondaryParentCachegroupId: null,
      typeName: 'EDGE_LOC',
      fallbackToClosest: true,
    })
    const { id } = answer.response
    const [old] = await get(`/api/1.1/cachegroups/${id}`)
    expect(old).to.include({ id: String(id), latitude: '1.5', typeName: 'EDGE_LOC', parentCachegroupName: 'mid-group' })
    expect(old).not.to.have.any.keys('fallbackToClosest', 'localizationMethods')
    expect((await get(`/api/1.2/cachegroups/${id}`))[0]).to.include({ fallbackToClosest: true, latitude: '1.5' })
    const put = { name: 'asked', shortName: 'ask', typeName: 'EDGE_LOC', fallbackToClosest: false }
    expect((await app.ok('PUT', `/api/1.2/cachegroups/${id}`, put)).body.response).to.include({
      fallbackToClosest: false,
      parentCachegroup: 'mid-group',
    })
  })

  it('cannot be above themselves', async () => {
    const top = await add('top')
    const low = await add('low', { parentCachegroup: 'top' })
    const put = { name: 'top', shortName: 'top', typeName: 'EDGE_LOC' }
    const path = `/api/1.2/cachegroups/${top.id}`
    expect(await status('PUT', path, { ...put, parentCachegroupId: low.id })).to.equal(400)
    expect(await status('PUT', path, { ...put, secondaryParentCachegroupId: top.id })).to.equal(400)
  })

  it('have names without blanks, places on earth and a type of their own table', async () => {
    const base = { name: 'fine', shortName: 'fine', typeName: 'EDGE_LOC' }
    for (const wrong of [
      { name: 'not fine' },
      { shortName: 'a/b' },
      { latitude: 90.1 },
      { longitude: -180.1 },
      { typeName: 'EDGE' },
      { typeName: 'NONE' },
      { parentCachegroupId: 99_999 },
      { localizationMethods: ['CZ', 'MOON'] },
      { localizationMethods: ['CZ', 'CZ'] },
    ]) {
      expect(await status('POST', '/api/1.2/cachegroups', { ...base, ...wrong }), JSON.stringify(wrong)).to.equal(400)
    }
    expect(await status('POST', '/api/1.2/cachegroups', { ...base, name: 'mid-group' })).to.equal(409)
    expect(await status('POST', '/api/1.2/cachegroups', { ...base, shortName: 'mid-group' })).to.equal(409)
  })

  it('stay while something refers to them', async () => {
    const used = await add('used')
    const server = await net.addServer({ cachegroupId: used.id })
    const path = `/api/1.2/cachegroups/${used.id}`
    expect(await status('DELETE', path)).to.equal(409)
    await app.ok('DELETE', `/api/1.2/servers/${server.id}`)
    const child = await add('child', { secondaryParentCachegroup: 'used' })
    expect(await status('DELETE', path)).to.equal(409)
    await app.ok('DELETE', `/api/1.2/cachegroups/${child.id}`)
    const asn = await net.made('/asns', { asn: 64_500, cachegroupId: used.id })
    expect(await status('DELETE', path)).to.equal(409)
    await app.ok('DELETE', `/api/1.2/asns/${asn.id}`)
    expect((await app.ok('DELETE', path)).body.alerts[0].text).to.equal('Cachegroup was deleted: used')
  })

  it('wrap the list of AS numbers in 1.1', async () => {
    await net.made('/asns', { asn: 64_501, cachegroup: 'mid-group' })
    const { asns } = await get('/api/1.1/asns')
    expect(asns[0]).to.include({ asn: 64_501, cachegroup: 'mid-group', cachegroupId: String(net.ids.midGroup) })
    expect(await get('/api/1.2/asns?cachegroupName=mid-group')).to.have.length(1)
    expect(await get('/api/1.2/asns?cachegroupName=edge-group')).to.have.length(0)
  })

  describe('fallbacks', () => {
    const path = '/api/1.2/cachegroup_fallbacks'
    let main: number
    let first: number
    let second: number
    before(async () => {
      main = (await add('main')).id
      first = (await add('first')).id
      second = (await add('second')).id
    })
    const entry = (fallbackId: number, fallbackOrder: number) => ({ cacheGroupId: main, fallbackId, fallbackOrder })
    const orders = async () =>
      (await get(`${path}?cacheGroupId=${main}`)).map((one: { fallbackName: string }) => one.fallbackName)

    it('are added in order, with numbers in every version', async () => {
      const { body } = await app.ok('POST', path, [entry(first, 1), entry(second, 2)])
      expect(body.alerts[0].text).to.equal(`Backup configuration CREATE for cache group ${main} successful.`)
      expect(body.response[0]).to.deep.equal({
        cacheGroupId: main,
        cacheGroupName: 'main',
        fallbackId: first,
        fallbackName: 'first',
        fallbackOrder: 1,
      })
      expect(await orders()).to.deep.equal(['first', 'second'])
    })

    it('can exchange their places', async () => {
      await app.ok('PUT', path, [entry(first, 2), entry(second, 1)])
      expect(await orders()).to.deep.equal(['second', 'first'])
    })

    it('change all or none', async () => {
      const third = (await add('third')).id
      expect(await status('PUT', path, [entry(first, 5), entry(third, 6)])).to.equal(400)
      expect(await status('POST', path, [entry(third, 7), entry(main, 8)])).to.equal(400)
      expect(await status('POST', path, [entry(third, 2)])).to.equal(409)
      expect(await status('POST', path, [entry(net.ids.midGroup, 9)])).to.equal(400)
      expect(await orders()).to.deep.equal(['second', 'first'])
    })

    it('are asked for and deleted by either group', async () => {
      expect(await status('GET', path)).to.equal(400)
      expect(await status('DELETE', path)).to.equal(400)
      expect(await get(`${path}?fallbackId=${first}`)).to.have.length(1)
      await app.ok('DELETE', `${path}?cacheGroupId=${main}&fallbackId=${first}`)
      expect(await orders()).to.deep.equal(['second'])
      expect(await status('DELETE', `${path}?fallbackId=${first}`)).to.equal(404)
    })
  })

  describe('parameters', () => {
    it('are given, found from both sides, and taken away', async () => {
      const [parameter] = (await app.ok('POST', '/api/1.2/parameters', { name: 'p', configFile: 'f', value: 'v' })).body
        .response
      const group = net.ids.edgeGroup
      const pair = { cacheGroupId: group, parameterId: parameter.id }
      const { body } = await app.ok('POST', '/api/1.2/cachegroupparameters', pair)
      expect(body.response).to.deep.equal(pair)
      expect(await status('POST', '/api/1.2/cachegroupparameters', [pair])).to.equal(409)
      expect((await get(`/api/1.2/cachegroups/${group}/parameters`))[0]).to.include({
        name: 'p',
        configFile: 'f',
        secure: false,
      })
      const lacking = await get(`/api/1.2/cachegroups/${group}/unassigned_parameters`)
      expect(lacking[0]).to.have.all.keys('last_updated', 'secure', 'value', 'name', 'config_file')
      expect(await get(`/api/1.2/cachegroup/${parameter.id}/parameter`)).to.deep.equal({
        cachegroups: [{ name: 'edge-group', id: String(group) }],
      })
      const available = await get(`/api/1.2/cachegroups/${parameter.id}/parameter/available`)
      expect(available.map(({ name }: { name: string }) => name))
        .to.include('mid-group')
        .and.not.include('edge-group')
      const [listed] = (await get('/api/1.1/cachegroupparameters')).cachegroupParameters
      expect(listed).to.have.all.keys('parameter', 'last_updated', 'cachegroup')
      const [newer] = (await get('/api/1.2/cachegroupparameters')).cachegroupParameters
      expect(newer).to.have.all.keys('parameter', 'lastUpdated', 'cachegroup')
      const path = `/api/1.2/cachegroupparameters/${group}/${parameter.id}`
      await app.ok('DELETE', path)
      expect(await status('DELETE', path)).to.equal(404)
    })
  })
})
