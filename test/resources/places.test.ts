import { expect } from 'chai'
import type { TestServer } from '../build.js'
import { buildServer } from '../build.js'

describe('CDNs, divisions, regions, physical locations, types, statuses, coordinates', () => {
  let app: TestServer
  before(async () => {
    app = await buildServer()
  })
  after(() => app.close())

  const get = async (path: string) => (await app.ok('GET', path)).body.response
  const post = async (path: string, body: object) => (await app.ok('POST', path, body)).body
  const status = async (method: string, path: string, body?: unknown) => (await app.request(method, path, body)).status

  it('a CDN answers creation natively, lists with text, and is found by name', async () => {
    const { response, alerts } = await post('/api/1.2/cdns', {
      name: 'one',
      domainName: 'ONE.Example',
      dnssecEnabled: 'true',
    })
    expect(response).to.include({ name: 'one', domainName: 'one.example', dnssecEnabled: true })
    expect(response.id).to.be.a('number')
    expect(alerts).to.deep.equal([{ level: 'success', text: 'cdn was created.' }])
    const [byName] = await get('/api/1.2/cdns/name/one')
    expect(byName).to.include({ id: String(response.id), dnssecEnabled: true })
    expect(byName.lastUpdated).to.match(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
    expect((await get('/api/1.3/cdns/name/one'))[0].lastUpdated).to.match(/\+00$/)
    await app.ok('DELETE', '/api/1.2/cdns/name/one')
    expect(await status('GET', `/api/1.2/cdns/${response.id}`)).to.equal(404)
  })

  it('a CDN has a name and a domain that are names, and its own', async () => {
    await post('/api/1.2/cdns', { name: 'two', domainName: 'two.example', dnssecEnabled: false })
    const fine = { name: 'three', domainName: 'three.example', dnssecEnabled: false }
    for (const wrong of [
      { name: 'a b' },
      { name: '' },
      { domainName: 'a..b' },
      { domainName: '.a' },
      { dnssecEnabled: 'yes' },
    ]) {
      expect(await status('POST', '/api/1.2/cdns', { ...fine, ...wrong }), JSON.stringify(wrong)).to.equal(400)
    }
    expect(await status('POST', '/api/1.2/cdns', { ...fine, name: 'two' })).to.equal(409)
    expect(await status('POST', '/api/1.2/cdns', { ...fine, domainName: 'TWO.example' })).to.equal(409)
  })

  it('a CDN is asked for its domains and parameters', async () => {
    const cdn = (await post('/api/1.2/cdns', { name: 'asked', domainName: 'asked.example' })).response
    const router = { name: 'CCR_ASKED', description: 'routers', type: 'TR_PROFILE', cdn: cdn.id }
    const [profile] = (await post('/api/1.2/profiles', router)).response
    expect(await get('/api/1.2/cdns/domains')).to.deep.equal([
      {
        profileId: String(profile.id),
        parameterId: '-1',
        profileName: 'CCR_ASKED',
        profileDescription: 'routers',
        domainName: 'asked.example',
      },
    ])
    expect(await get('/api/1.2/cdns/configs')).to.deep.include({ id: String(cdn.id), name: 'asked' })
    expect(await get('/api/1.2/cdns/asked/configs')).to.deep.equal([])
    expect(await status('GET', '/api/1.2/cdns/none/configs')).to.equal(404)
  })

  it('regions and places are made below their parents, and keep them', async () => {
    const division = (await post('/api/1.2/divisions', { name: 'D' })).response
    const region = (await post('/api/1.2/divisions/D/regions', { name: 'R' })).response
    expect(region).to.deep.equal({ name: 'R', id: region.id, divisionName: 'D', divisionId: division.id })
    expect((await get(`/api/1.1/regions?division=${division.id}`))[0]).to.include({
      division: String(division.id),
      divisionName: 'D',
    })
    const body = { name: 'P', shortName: 'p', address: '1 St', city: 'C', state: 'S', zip: 12345 }
    const place = (await post('/api/1.2/regions/R/phys_locations', body)).response
    expect(place).to.include({ zip: '12345', regionName: 'R', regionId: region.id, poc: null })
    const { name: _, ...rest } = body
    const put = (
      await app.ok('PUT', `/api/1.2/phys_locations/${place.id}`, { ...rest, name: 'P2', comments: 'line\nline' })
    ).body
    expect(put.response[0]).to.include({ name: 'P2', regionId: region.id, comments: 'line\nline' })
    expect(put.alerts[0].text).to.equal('Physical location update was successful.')
    expect(await get('/api/1.2/phys_locations/trimmed.json')).to.deep.equal([{ name: 'P2' }])
    expect(await get(`/api/1.2/phys_locations?region=${region.id}`)).to.have.length(1)
    expect(await status('POST', '/api/1.2/phys_locations', body)).to.equal(400)
    expect(await status('POST', '/api/1.2/phys_locations', { ...body, regionId: 99_999 })).to.equal(400)
    expect(await status('POST', '/api/1.2/regions/none/phys_locations', body)).to.equal(404)
    expect(await status('DELETE', `/api/1.2/divisions/${division.id}`)).to.equal(409)
    expect(await status('DELETE', '/api/1.2/regions/name/R')).to.equal(409)
    await app.ok('DELETE', `/api/1.2/phys_locations/${place.id}`)
    await app.ok('DELETE', '/api/1.2/regions/name/R')
    await app.ok('DELETE', '/api/1.2/divisions/name/D')
  })

  it('types stay in the table they are used in', async () => {
    const type = (await post('/api/1.2/types', { name: 'FAR_LOC', description: 'far', useInTable: 'cachegroup' }))
      .response
    expect(await status('POST', '/api/1.2/types', { name: 'X', description: 'x', useInTable: 'no word' })).to.equal(400)
    await post('/api/1.2/cachegroups', { name: 'far', shortName: 'far', typeId: type.id })
    const path = `/api/1.2/types/${type.id}`
    expect(await status('PUT', path, { name: 'FAR_LOC', description: 'far', useInTable: 'server' })).to.equal(400)
    expect(await status('DELETE', path)).to.equal(409)
    const [check] = await get('/api/1.2/types?name=CHECK_EXTENSION_OPEN_SLOT')
    expect(await status('PUT', `/api/1.2/types/${check.id}`, { ...check, useInTable: 'server' })).to.equal(400)
    expect((await get('/api/1.2/types?useInTable=cachegroup')).length).to.equal(4)
    expect(await get('/api/1.2/types/trimmed')).to.deep.include({ name: 'FAR_LOC' })
  })

  it('statuses have a name and perhaps a description', async () => {
    const { response } = await post('/api/1.2/statuses', { name: 'DRAINING' })
    expect(response).to.include({ name: 'DRAINING', description: null })
    expect((await get('/api/1.2/statuses?name=DRAINING'))[0].id).to.equal(String(response.id))
    await app.ok('PUT', `/api/1.2/statuses/${response.id}`, { name: 'DRAINING', description: 'on its way out' })
    await app.ok('DELETE', `/api/1.2/statuses/${response.id}`)
  })

  it('coordinates are changed by the query', async () => {
    const { response } = await post('/api/1.3/coordinates', { name: 'here', latitude: 1, longitude: 2 })
    await app.ok('PUT', `/api/1.3/coordinates?id=${response.id}`, { name: 'here', latitude: 3, longitude: 2 })
    expect((await get('/api/1.3/coordinates?name=here'))[0]).to.include({ id: response.id, latitude: 3 })
    expect(await status('PUT', '/api/1.3/coordinates', { name: 'here' })).to.equal(400)
    expect(await status('POST', '/api/1.3/coordinates', { name: 'a b', latitude: 91 })).to.equal(400)
    await app.ok('DELETE', `/api/1.3/coordinates?id=${response.id}`)
  })

  it('If-Match guards every change', async () => {
    const { response } = await post('/api/1.3/divisions', { name: 'guarded' })
    const path = `/api/1.3/divisions/${response.id}`
    const etag = (await app.get(path)).headers.get('etag')!
    const put = (tag: string, name: string) => app.request('PUT', path, { name }, { 'if-match': tag })
    expect((await put(etag, 'guarded-2')).status).to.equal(200)
    const other = await app.as('operations')
    const theirs = (await other.get(path)).headers.get('etag')!
    expect((await put(etag, 'guarded-3')).status, 'nobody else wrote since').to.equal(200)
    expect((await other.request('PUT', path, { name: 'guarded-4' }, { 'if-match': theirs })).status).to.equal(412)
    await other.ok('PUT', path, { name: 'guarded-5' })
    expect((await put(etag, 'guarded-6')).status).to.equal(412)
    expect((await app.request('DELETE', path, undefined, { 'if-match': etag })).status).to.equal(412)
  })
})
