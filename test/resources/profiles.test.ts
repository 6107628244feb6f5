import { expect } from 'chai'
import type { Client, TestServer } from '../build.js'
import { buildServer } from '../build.js'
import type { Network } from './smallNetwork.js'
import { smallNetwork } from './smallNetwork.js'

describe('profiles and parameters', () => {
  let app: TestServer
  let net: Network
  let oper: Client
  before(async () => {
    app = await buildServer()
    net = await smallNetwork(app)
    oper = await app.as('operations')
  })
  after(() => app.close())

  const get = async (path: string, client: Client = app) => (await client.ok('GET', path)).body.response
  const refusal = async (method: string, path: string, body?: unknown, client: Client = app) => {
    const answer = await client.request(method, path, body)
    return [answer.status, answer.body.alerts[0].text]
  }
  let made = 100
  const addProfile = (more: object = {}) => {
    made++
    return net.made('/profiles', { name: `P${made}`, description: `profile ${made}`, type: 'ATS_PROFILE', ...more })
  }
  const addParameter = async (more: object = {}) => {
    made++
    const body = { name: `n${made}`, configFile: 'some.config', value: 'v', ...more }
    return (await app.ok('POST', '/api/1.2/parameters', body)).body.response[0]
  }

  describe('profiles', () => {
    it('answer creation with an array and updates with an object', async () => {
      const body = { name: 'MADE', description: 'made', type: 'ATS_PROFILE', cdn: net.ids.cdn, routingDisabled: true }
      const [profile] = (await app.ok('POST', '/api/1.2/profiles', body)).body.response
      expect(profile).to.include({ name: 'MADE', cdn: net.ids.cdn, routingDisabled: true })
      const [listed] = await get(`/api/1.2/profiles?cdn=${net.ids.cdn}&name=MADE`)
      expect(listed).to.include({ id: String(profile.id), cdn: net.ids.cdn, cdnName: 'net' })
      const put = { name: 'MADE', description: 'made', type: 'UNK_PROFILE' }
      const answer = (await app.ok('PUT', `/api/1.2/profiles/${profile.id}`, put)).body
      expect(answer.response).to.include({ type: 'UNK_PROFILE', routingDisabled: false, cdn: net.ids.cdn })
      expect(answer.alerts[0].text).to.equal(`Profile was updated: ${profile.id}`)
    })

    it('have a name without blanks, a known type and a description of their own', async () => {
      const base = { name: 'FINE', description: 'fine', type: 'ATS_PROFILE' }
      expect((await refusal('POST', '/api/1.2/profiles', { ...base, name: 'not fine' }))[0]).to.equal(400)
      expect((await refusal('POST', '/api/1.2/profiles', { ...base, type: 'NO_PROFILE' }))[0]).to.equal(400)
      expect((await refusal('POST', '/api/1.2/profiles', { ...base, name: 'EDGE_NET' }))[0]).to.equal(409)
      expect(await refusal('POST', '/api/1.2/profiles', { ...base, description: 'caches EDGE_NET' })).to.deep.equal([
        409,
        'a profile with the exact same description already exists.',
      ])
    })

    it('belong to the CDN of their servers, and stay while these are there', async () => {
      await net.addServer()
      const { id: cdn } = await net.made('/cdns', { name: 'elsewhere', domainName: 'elsewhere.example' })
      const path = `/api/1.2/profiles/${net.ids.edgeProfile}`
      const put = { name: 'EDGE_NET', description: 'caches EDGE_NET', type: 'ATS_PROFILE', cdn }
      expect((await refusal('PUT', path, put))[0]).to.equal(400)
      expect((await refusal('DELETE', path))[0]).to.equal(409)
      const [global] = await get('/api/1.3/profiles?name=GLOBAL')
      expect((await refusal('DELETE', `/api/1.2/profiles/${global.id}`))[0]).to.equal(409)
    })

    it('are copied with all their parameters', async () => {
      const { body } = await app.ok('POST', '/api/1.2/profiles/name/COPY/copy/EDGE_NET')
      expect(body.response[0]).to.include({
        name: 'COPY',
        profileCopyFrom: 'EDGE_NET',
        idCopyFrom: net.ids.edgeProfile,
        description: 'caches EDGE_NET',
      })
      expect(body.alerts[0].text).to.equal('Created new profile [ COPY ] from existing profile [ EDGE_NET ]')
      expect(await get('/api/1.2/profiles/name/COPY/parameters')).to.deep.equal(
        await get('/api/1.2/profiles/name/EDGE_NET/parameters'),
      )
      expect((await refusal('POST', '/api/1.2/profiles/name/COPY/copy/EDGE_NET'))[0]).to.equal(409)
      expect((await refusal('POST', '/api/1.2/profiles/name/COPY2/copy/NOBODY'))[0]).to.equal(404)
    })

    it('travel as documents', async () => {
      const document = (await app.ok('GET', `/api/1.2/profiles/${net.ids.edgeProfile}/export`)).body
      expect(document.profile).to.deep.equal({
        name: 'EDGE_NET',
        description: 'caches EDGE_NET',
        type: 'ATS_PROFILE',
        cdn: 'net',
      })
      document.profile.name = 'TRAVELLED'
      document.parameters.push({ name: 'fresh', config_file: 'f.config', value: 1 })
      const { body } = await app.ok('POST', '/api/1.2/profiles/import', document)
      expect(body.response).to.include({ name: 'TRAVELLED', cdn: 'net' })
      expect(body.alerts[0].text).to.contain('1 new and 2 existing parameters')
      const again = { profile: { ...document.profile, name: 'AGAIN' }, parameters: document.parameters }
      const second = (await app.ok('POST', '/api/1.2/profiles/import', again)).body.alerts[0].text
      expect(second).to.contain('0 new and 3 existing parameters')
      const [, newest, before] = await get('/api/1.3/logs?limit=3')
      expect(newest.message).to.equal(body.alerts[0].text)
      expect(before.message).not.to.contain('TRAVELLED')
      expect(await get('/api/1.2/profiles/name/TRAVELLED/parameters')).to.have.length(3)
      expect((await refusal('POST', '/api/1.2/profiles/import', { profile: {}, parameters: [] }))[0]).to.equal(400)
    })
  })

  describe('parameters', () => {
    it('are spelt as each read of the interface spells them', async () => {
      const one = await addParameter({ name: 'spelt', secure: 0 })
      expect(one).to.deep.equal({ id: one.id, name: 'spelt', configFile: 'some.config', value: 'v', secure: 0 })
      await app.ok('POST', '/api/1.2/profileparameters', { profileId: net.ids.edgeProfile, parameterId: one.id })
      const [listed] = await get('/api/1.2/parameters?name=spelt&configFile=some.config')
      expect(listed).to.include({ id: one.id, configFile: 'some.config', secure: false })
      expect(listed.profiles).to.deep.equal(['EDGE_NET'])
      const [single] = await get(`/api/1.2/parameters/${one.id}`)
      expect(single).to.have.all.keys('id', 'name', 'config_file', 'value', 'secure', 'last_updated')
      const scoped = await get(`/api/1.2/profiles/${net.ids.edgeProfile}/parameters`)
      expect(scoped[0]).to.have.all.keys('last_updated', 'secure', 'value', 'name', 'config_file')
      expect((await get(`/api/1.3/parameters/${one.id}`))[0]).to.deep.include({
        configFile: 'some.config',
        profiles: ['EDGE_NET'],
      })
    })

    it('are made one or many at a time, all or none', async () => {
      const body = [
        { name: 'a', configFile: 'm.config', value: '1' },
        { name: 'b', configFile: 'm.config', value: '' },
      ]
      const answer = (await app.ok('POST', '/api/1.2/parameters', body)).body
      expect(answer.alerts[0].text).to.equal('2 parameters created')
      expect(answer.response).to.have.length(2)
      const mixed = [
        { name: 'c', configFile: 'm.config', value: '1' },
        { name: 'd' },
        { configFile: 'a/b', name: 'e', value: '' },
      ]
      const refused = await app.request('POST', '/api/1.2/parameters', mixed)
      expect(refused.status).to.equal(400)
      expect(refused.body.alerts.map(({ text }: { text: string }) => text)).to.deep.equal([
        '[1] configFile is required',
        '[1] value is required',
        '[2] configFile must be the name of a file, without slashes and backslashes',
      ])
      expect(await get('/api/1.2/parameters?configFile=m.config')).to.have.length(2)
      expect((await refusal('POST', '/api/1.2/parameters', body[0]))[0]).to.equal(409)
    })

    it('show and give secure values to administrators only', async () => {
      const one = await addParameter({ name: 'secret', secure: 1, value: 'the-value' })
      const path = `/api/1.2/parameters/${one.id}`
      expect(await refusal('GET', path, undefined, oper)).to.deep.equal([
        403,
        'You must be an admin to perform this operation!',
      ])
      expect((await get('/api/1.2/parameters?name=secret', oper))[0].value).to.equal('********')
      expect(await get('/api/1.2/parameters?value=the-value', oper)).to.deep.equal([])
      expect((await refusal('PUT', path, { value: 'x' }, oper))[0]).to.equal(403)
      expect((await refusal('DELETE', path, undefined, oper))[0]).to.equal(403)
      const link = { profileId: net.ids.edgeProfile, parameterId: one.id }
      expect((await refusal('POST', '/api/1.2/profileparameters', link, oper))[0]).to.equal(403)
      const guess = { name: 'secret', configFile: 'some.config', value: 'the-value' }
      expect((await refusal('POST', '/api/1.2/parameters/validate', guess, oper))[0]).to.equal(400)
      for (const [name, value] of Object.entries({ below: 'the-valud', above: 'the-valuf' })) {
        await oper.ok('POST', '/api/1.2/parameters', { name, configFile: 'some.config', value })
      }
      const sorted = await get('/api/1.2/parameters?configFile=some.config&orderby=value', oper)
      const order = sorted.map(({ name }: { name: string }) => name)
      expect(order.indexOf('above')).to.be.lessThan(order.indexOf('below'))
      const more = { name: 'mine', configFile: 'some.config', value: '1', secure: 1 }
      expect((await refusal('POST', '/api/1.2/parameters', more, oper))[0]).to.equal(403)
      expect((await app.ok('PUT', path, { value: 'new' })).body.response).to.include({
        value: 'new',
        secure: 1,
        name: 'secret',
      })
    })

    it('are validated by all three of their parts', async () => {
      await addParameter({ name: 'known' })
      const body = { name: 'known', configFile: 'some.config', value: 'v' }
      const answer = (await app.ok('POST', '/api/1.2/parameters/validate', body)).body
      expect(answer.response).to.include({ ...body, secure: 0 })
      expect(answer.alerts[0].text).to.equal('Parameter exists.')
      expect(await refusal('POST', '/api/1.2/parameters/validate', { ...body, value: 'w' })).to.deep.equal([
        400,
        'parameter [name:known, config_file:some.config, value:w] does not exist.',
      ])
      expect((await refusal('POST', '/api/1.2/parameters/validate', { name: 'known' }))[1]).to.equal(
        'Parameter configFile is required.',
      )
    })

    it('stay while a profile has them', async () => {
      const { id } = await addParameter()
      const path = `/api/1.2/parameters/${id}`
      await app.ok('POST', '/api/1.2/profileparameters', [{ profileId: net.ids.midProfile, parameterId: id }])
      expect(await refusal('DELETE', path)).to.deep.equal([
        409,
        `fail to delete parameter, parameter [id:${id}] has profile associated.`,
      ])
      await app.ok('DELETE', `/api/1.2/profileparameters/${net.ids.midProfile}/${id}`)
      expect((await app.ok('DELETE', path)).body.alerts[0].text).to.equal('Parameter was successfully deleted.')
    })

    it('keep their profiles when a client sends back what it read', async () => {
      const { id } = await addParameter()
      const [before] = await get(`/api/1.3/parameters/${id}`)
      await app.ok('POST', '/api/1.2/profileparameters', { profileId: net.ids.midProfile, parameterId: id })
      await app.ok('PUT', `/api/1.2/parameters/${id}`, { ...before, value: 'w' })
      expect((await get(`/api/1.3/parameters/${id}`))[0].profiles).to.deep.equal(['MID_NET'])
    })
  })

  describe('links', () => {
    it('are refused twice, and to what is not there', async () => {
      const { id } = await addParameter()
      const link = { profileId: net.ids.edgeProfile, parameterId: id }
      await app.ok('POST', '/api/1.2/profileparameters', link)
      expect((await refusal('POST', '/api/1.2/profileparameters', link))[0]).to.equal(409)
      expect((await refusal('POST', '/api/1.2/profileparameters', { ...link, profileId: 99_999 }))[0]).to.equal(400)
      expect((await refusal('POST', '/api/1.2/profileparameters', {}))[0]).to.equal(400)
      expect((await refusal('DELETE', `/api/1.2/profileparameters/${net.ids.midProfile}/${id}`))[0]).to.equal(404)
      const listed = await get('/api/1.2/profileparameters')
      expect(listed.find((one: { parameter: string }) => one.parameter === String(id)).profile).to.equal('EDGE_NET')
    })

    it('are made for many at once, replacing the others if asked', async () => {
      const profile = await addProfile()
      const [a, b, c] = [await addParameter(), await addParameter(), await addParameter()]
      const names = async () =>
        (await get(`/api/1.2/profiles/${profile.id}/parameters`)).map(({ name }: { name: string }) => name)
      const first = { profileId: profile.id, paramIds: [a.id, b.id] }
      expect((await app.ok('POST', '/api/1.2/profileparameter', first)).body.alerts[0].text).to.equal(
        `2 parameters were assigned to the ${profile.name} profile`,
      )
      expect(await names()).to.deep.equal([a.name, b.name])
      await app.ok('POST', '/api/1.2/profileparameter', {
        profileId: profile.id,
        paramIds: [b.id, c.id],
        replace: true,
      })
      expect(await names()).to.deep.equal([b.name, c.name])
      await app.ok('POST', '/api/1.2/parameterprofile', {
        paramId: b.id,
        profileIds: [net.ids.midProfile],
        replace: true,
      })
      expect(await names()).to.deep.equal([c.name])
      const has = await get(`/api/1.2/parameters/${b.id}/profiles`)
      expect(has[0]).to.include({ name: 'MID_NET', id: String(net.ids.midProfile), type: 'ATS_PROFILE' })
      const lacks = await get(`/api/1.2/parameters/${b.id}/unassigned_profiles`)
      expect(lacks.map(({ name }: { name: string }) => name))
        .to.include(profile.name)
        .and.not.include('MID_NET')
      expect(lacks[0]).to.have.all.keys('lastUpdated', 'name', 'id', 'description')
      expect((await get(`/api/1.2/profiles/${profile.id}/unassigned_parameters`)).length).to.be.greaterThan(3)
      expect((await get(`/api/1.2/profiles?param=${c.id}`))[0].name).to.equal(profile.name)
    })

    it('reuse an identical parameter', async () => {
      const profile = await addProfile()
      const { id, ...same } = await addParameter()
      const { response, alerts } = (await app.ok('POST', `/api/1.2/profiles/${profile.id}/parameters`, [same])).body
      expect(alerts[0].text).to.equal(`Assign parameters successfully to profile ${profile.name}`)
      expect(response).to.deep.equal({
        profileName: profile.name,
        profileId: profile.id,
        parameters: [{ id, ...same }],
      })
      const other = (await app.ok('POST', `/api/1.2/profiles/name/${profile.name}/parameters`, { ...same, value: 'w' }))
        .body
      expect(other.response.parameters[0].id).not.to.equal(id)
    })

    it('go with their profile', async () => {
      const profile = await addProfile()
      const { id } = await addParameter()
      await app.ok('POST', '/api/1.2/profileparameter', { profileId: profile.id, paramIds: [id] })
      await app.ok('DELETE', `/api/1.2/profiles/${profile.id}`)
      expect(await get(`/api/1.2/parameters/${id}/profiles`)).to.deep.equal([])
    })
  })
})
