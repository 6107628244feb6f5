import { expect } from 'chai'
import type { Client, TestServer } from './build.js'
import { sampleServer } from './sampleServer.js'

/** Shapes of 1.3 that the field's Go client and portal read, which interface.md does not have or has otherwise. */
describe('what the programs of the field read under 1.3', () => {
  let server: TestServer
  let oper: Client
  before(async function () {
    this.timeout(60_000)
    server = await sampleServer()
    oper = await server.as('operations')
  })
  after(() => server.close())

  const get = async (path: string, client: Client = server) => (await client.ok('GET', `/api/${path}`)).body.response

  it('links of profiles and parameters name both by their ids, and are found by them', async () => {
    const links = await get('1.3/profileparameters')
    for (const link of links) {
      expect(link).to.have.all.keys('profile', 'profileId', 'parameter', 'parameterId', 'lastUpdated')
      expect([link.profileId, link.parameterId].every(Number.isInteger)).to.equal(true)
      expect(link.parameter).to.be.a('string')
    }
    const { profileId, parameterId } = links[7]
    const some = (query: string) => get(`1.3/profileparameters?${query}`)
    const ofProfile = links.filter((link: typeof links) => link.profileId === profileId)
    expect(await some(`profileId=${profileId}`)).to.deep.equal(ofProfile)
    const ofParameter = links.filter((link: typeof links) => link.parameterId === parameterId)
    expect(await some(`parameterId=${parameterId}`)).to.deep.equal(ofParameter)
    expect(await some(`profileId=${profileId}&parameterId=${parameterId}`)).to.deep.equal([links[7]])
    for (const none of ['profileId=99999', 'parameterId=99999', 'profileId=x', 'parameterId=x'])
      expect(await some(none), none).to.deep.equal([])
    const [older] = await get(`1.2/profileparameters?profileId=${profileId}&parameterId=${parameterId}`)
    expect(older).to.deep.include({ profile: links[7].profile, parameter: String(parameterId) })
    expect(older).to.have.all.keys('profile', 'parameter', 'lastUpdated')
  })

  it('a profile that is asked for by its id has its parameters, under older versions if they are asked for', async () => {
    const [{ id }] = await get('1.3/profiles?name=EDGE_ATS9')
    const [profile] = await get(`1.3/profiles/${id}`)
    const own = await get(`1.3/profiles/${id}/parameters`)
    const keys = ['id', 'name', 'configFile', 'value', 'secure', 'lastUpdated']
    expect(own.length).to.be.greaterThan(5)
    for (const parameter of profile.params) expect(parameter).to.have.all.keys(keys)
    expect(profile.params).to.have.deep.members(own)
    expect(await get(`1.3/profiles?id=${id}`)).to.deep.equal([profile])
    expect((await get('1.3/profiles?name=EDGE_ATS9'))[0]).not.to.have.property('params')
    for (const path of [`1.2/profiles/${id}`, `1.1/profiles?id=${id}`]) {
      expect((await get(path))[0], path).not.to.have.property('params')
      const [more] = await get(`${path}${path.includes('?') ? '&' : '?'}includeParams=true`)
      expect(more.params.map(({ name }: { name: string }) => name)).to.deep.equal(
        profile.params.map(({ name }: { name: string }) => name),
      )
    }
  })

  it('parameters along with a profile hide what is secret, and are those of now', async () => {
    const [{ id }] = await get('1.3/profiles?name=EDGE_ATS9')
    await server.ok('POST', `/api/1.3/profiles/${id}/parameters`, {
      name: 'zz',
      configFile: 'zz.config',
      value: 'hush',
      secure: true,
    })
    const valueFor = async (client: Client) =>
      (await get(`1.3/profiles/${id}`, client))[0].params.find(({ name }: { name: string }) => name === 'zz').value
    expect([await valueFor(server), await valueFor(oper)]).to.deep.equal(['hush', '********'])
    const { headers } = await server.get(`/api/1.3/profiles/${id}`)
    const change = (tag: string, version = '1.3') =>
      server.request('PATCH', `/api/${version}/profiles/${id}`, { description: tag }, { 'if-match': tag })
    expect((await change(headers.get('etag')!)).status).to.equal(200)
    const asked = await server.get(`/api/1.2/profiles/${id}?includeParams=true`)
    expect((await change(asked.headers.get('etag')!, '1.2')).status).to.equal(200)
  })

  it('a copy of a profile is answered as an object', async () => {
    const copy = async (version: string, name: string) =>
      (await server.ok('POST', `/api/${version}/profiles/name/${name}/copy/EDGE_ATS9`)).body.response
    const made = await copy('1.3', 'COPY3')
    expect(made).to.include({ name: 'COPY3', profileCopyFrom: 'EDGE_ATS9' })
    expect(made.id).to.be.a('number')
    expect(await copy('1.2', 'COPY2'))
      .to.be.an('array')
      .with.length(1)
  })

  it('a region by its name has its division within', async () => {
    const [{ id, name, division, divisionName }] = await get('1.3/regions')
    expect(await get(`1.3/regions/name/${name}`)).to.deep.equal([
      { id, name, division: { id: division, name: divisionName } },
    ])
    expect(await get(`1.2/regions/name/${name}`)).to.deep.equal([
      { id: String(id), name, division: { id: String(division), name: divisionName } },
    ])
    expect((await server.get('/api/1.3/regions/name/nowhere')).status).to.equal(404)
  })

  it('users have the name of their role in both spellings', async () => {
    for (const path of ['1.3/users', '1.3/users?username=admin', '1.3/users/1'])
      for (const user of await get(path)) expect(user).to.include({ rolename: user.roleName })
    const [user] = await get('1.3/users?username=admin')
    const asShown = await server.request('PUT', `/api/1.3/users/${user.id}`, { ...user, city: 'Port' })
    expect(asShown.status).to.equal(200)
  })
})
