import { expect } from 'chai'
import type { Client, TestServer } from '../build.js'
import { buildServer } from '../build.js'

describe('users, roles and tenants', () => {
  let app: TestServer
  let oper: Client
  before(async () => {
    app = await buildServer()
    oper = await app.as('operations')
  })
  after(() => app.close())

  const get = async (path: string, client: Client = app) => (await client.ok('GET', path)).body.response
  const refusal = async (method: string, path: string, body?: unknown, client: Client = app) => {
    const answer = await client.request(method, path, body)
    return [answer.status, ...answer.body.alerts.map(({ text }: { text: string }) => text)]
  }
  const idOf = async (path: string, name: string): Promise<number> => (await get(`/api/1.3${path}?name=${name}`))[0].id
  const password = 'correct horse'
  const userBody = async (username: string, more: object = {}) => ({
    username,
    email: `${username}@example.com`,
    fullName: `The ${username}`,
    localPassword: password,
    confirmLocalPassword: password,
    role: await idOf('/roles', 'read-only'),
    ...more,
  })
  const addUser = async (username: string, more: object = {}) =>
    (await app.ok('POST', '/api/1.2/users', await userBody(username, more))).body.response

  describe('users', () => {
    it('answer creation with numbers and lists with text, and never with a password', async () => {
      const made = await addUser('shape', { gid: 7, tenantId: 1 })
      expect(made).to.include({ gid: 7, tenantId: 1, tenant: 'root', roleName: 'read-only', newUser: false })
      expect(made).to.include({ registrationSent: false, uid: null })
      const [old] = await get(`/api/1.2/users/${made.id}`)
      expect(old).to.include({
        id: String(made.id),
        gid: '7',
        tenantId: 1,
        rolename: 'read-only',
        roleName: 'read-only',
      })
      const [listed] = await get('/api/1.3/users?username=shape')
      expect(listed).to.include({ id: made.id, registrationSent: null })
      for (const shown of [made, old, listed]) {
        expect(Object.keys(shown).filter((key) => /passw|token|hash/i.test(key))).to.deep.equal([])
      }
      await app.login('shape', password)
    })

    it('say every rule a new password breaks', async () => {
      const body = await userBody('bad-password')
      const attempt = (more: object) => refusal('POST', '/api/1.2/users', { ...body, ...more })
      expect(await attempt({ localPassword: 'short' })).to.deep.equal([
        400,
        'Password must be greater than 7 chars.',
        "Your 'New Password' must match the 'Confirm New Password'.",
      ])
      expect((await attempt({ localPassword: 'bad-password', confirmLocalPassword: 'bad-password' }))[1]).to.equal(
        'Your password cannot be the same as your username.',
      )
      expect((await attempt({ localPassword: 'Password1', confirmLocalPassword: 'Password1' }))[1]).to.equal(
        'Password is too common.',
      )
      expect(await attempt({ localPassword: undefined })).to.deep.equal([400, 'localPassword is required'])
    })

    it("take the password in the spelling of the field's clients, too", async () => {
      const { localPassword: _, confirmLocalPassword: __, ...rest } = await userBody('spelt')
      await app.ok('POST', '/api/1.2/users', { ...rest, localPasswd: password, confirmLocalPasswd: password })
      await app.login('spelt', password)
    })

    it('do not take a hash from a body', async () => {
      const { localPassword: _, confirmLocalPassword: __, ...rest } = await userBody('smuggler')
      expect((await refusal('POST', '/api/1.2/users', { ...rest, passwordHash: 'SCRYPT:1:1:1::' }))[0]).to.equal(400)
    })

    it('have names and addresses of their own, that are addresses', async () => {
      await addUser('taken')
      expect((await refusal('POST', '/api/1.2/users', await userBody('taken')))[0]).to.equal(409)
      const twin = await userBody('other', { email: 'taken@example.com' })
      expect((await refusal('POST', '/api/1.2/users', twin))[0]).to.equal(409)
      expect((await refusal('POST', '/api/1.2/users', await userBody('no-mail', { email: 'nowhere' })))[1]).to.contain(
        'email',
      )
    })

    it('are never given a role above that of who makes them, nor changed by those below', async () => {
      const admin = await idOf('/roles', 'admin')
      const [status, text] = await refusal('POST', '/api/1.2/users', await userBody('climber', { role: admin }), oper)
      expect([status, text]).to.deep.equal([400, "role cannot exceed current user's privilege level (20)"])
      const [chief] = await get('/api/1.3/users?username=admin')
      const takeover = { ...chief, localPassword: password, confirmLocalPassword: password }
      expect((await refusal('PUT', `/api/1.2/users/${chief.id}`, takeover, oper))[0]).to.equal(403)
    })

    it('keep their password when an update brings none, and lose their sessions with a new one', async () => {
      const made = await addUser('changing')
      const session = await app.login('changing', password)
      const path = `/api/1.2/users/${made.id}`
      const { localPassword: _, confirmLocalPassword: __, ...rest } = await userBody('changing', { city: 'Ghent' })
      expect((await app.ok('PUT', path, rest)).body.alerts[0].text).to.equal('User update was successful.')
      expect((await session.get('/api/1.2/cdns')).status).to.equal(200)
      const next = 'another horse'
      await app.ok('PUT', path, { ...rest, localPassword: next, confirmLocalPassword: next })
      expect((await session.get('/api/1.2/cdns')).status).to.equal(401)
      await app.login('changing', next)
      expect((await get('/api/1.3/users?username=changing'))[0].city).to.equal('Ghent')
    })

    it('are put into the tenant of who makes them, and found by it', async () => {
      await app.ok('POST', '/api/1.2/tenants', { name: 'house', active: true, parentId: 1 })
      const house = await app.as('operations', { tenant: 'house' })
      const { response } = (await house.ok('POST', '/api/1.2/users', await userBody('guest'))).body
      expect(response.tenant).to.equal('house')
      const names = (await get(`/api/1.2/users?tenant=${response.tenantId}`)).map(
        (one: { username: string }) => one.username,
      )
      expect(names).to.include('guest').and.not.include('admin')
      const [chief] = await get('/api/1.3/users?username=admin')
      expect((await house.request('GET', `/api/1.2/users/${chief.id}`)).status).to.equal(403)
      expect((await get('/api/1.2/users', house)).map((one: { username: string }) => one.username)).not.to.include(
        'admin',
      )
      const outside = await userBody('outsider', { tenantId: 1 })
      expect((await refusal('POST', '/api/1.2/users', outside, house))[0]).to.equal(403)
    })
  })

  describe('roles', () => {
    it('list privilege in every version and capabilities in 1.3', async () => {
      const [old] = await get('/api/1.2/roles?name=admin')
      expect(old).to.include({ name: 'admin', privLevel: 30 })
      expect(old).not.to.have.property('capabilities')
      expect((await get('/api/1.3/roles?name=read-only'))[0].capabilities).to.include('cdns-read')
    })

    it('are made by administrators, with capabilities that exist', async () => {
      const body = { name: 'reader', description: 'reads', privLevel: 10, capabilities: ['cdns-read'] }
      expect((await refusal('POST', '/api/1.3/roles', body, oper))[0]).to.equal(403)
      const made = (await app.ok('POST', '/api/1.3/roles', body)).body.response
      expect(made.capabilities).to.deep.equal(['cdns-read'])
      expect((await refusal('POST', '/api/1.3/roles', { ...body, name: 'r2', capabilities: ['fly'] }))[0]).to.equal(400)
      expect((await refusal('POST', '/api/1.3/roles', { ...body, name: 'r3', privLevel: 31 }))[0]).to.equal(400)
      await app.ok('PUT', `/api/1.3/roles?id=${made.id}`, { ...body, privLevel: 15 })
      expect((await get('/api/1.3/roles?name=reader'))[0].privLevel).to.equal(15)
      await app.as('reader')
      expect((await refusal('DELETE', `/api/1.3/roles?id=${made.id}`))[0]).to.equal(409)
    })
  })

  describe('capabilities', () => {
    it('are known by their name and stay while a role or route has them', async () => {
      const body = { name: 'fly', description: 'may fly' }
      const { response, alerts } = (await app.ok('POST', '/api/1.2/capabilities', body)).body
      expect([response.name, alerts[0].text]).to.deep.equal(['fly', 'Capability was created.'])
      const put = (await app.ok('PUT', '/api/1.2/capabilities/fly', { name: 'swim', description: 'may still fly' }))
        .body
      expect(put.response).to.include({ name: 'fly', description: 'may still fly' })
      const mapping = { httpMethod: 'GET', httpRoute: 'air/*', capability: 'fly' }
      const mapped = (await app.ok('POST', '/api/1.2/api_capabilities', mapping)).body.response
      expect(mapped).to.include(mapping)
      expect(await refusal('POST', '/api/1.2/api_capabilities', mapping)).to.deep.equal([
        409,
        "HTTP method 'GET', route 'air/*' are already mapped to capability: fly",
      ])
      expect((await refusal('POST', '/api/1.2/api_capabilities', { ...mapping, httpMethod: 'get' }))[0]).to.equal(400)
      expect(await get('/api/1.2/api_capabilities?capability=fly')).to.have.length(1)
      expect((await refusal('DELETE', '/api/1.2/capabilities/fly'))[0]).to.equal(409)
      await app.ok('DELETE', `/api/1.2/api_capabilities/${mapped.id}`)
      await app.ok('DELETE', '/api/1.2/capabilities/fly')
      expect((await refusal('GET', '/api/1.2/capabilities/fly'))[0]).to.equal(404)
    })
  })

  describe('tenants', () => {
    const add = async (name: string, parentId: number, active = true) =>
      (await app.ok('POST', '/api/1.2/tenants', { name, parentId, active })).body.response

    it('form a tree with one root, listed from the top', async () => {
      const a = await add('tree-a', 1)
      const b = await add('tree-b', a.id)
      expect(b).to.include({ parentId: a.id, parentName: 'tree-a', active: true })
      const names = (await get('/api/1.2/tenants')).map(({ name }: { name: string }) => name)
      expect(names[0]).to.equal('root')
      expect(names.indexOf('tree-a')).to.be.lessThan(names.indexOf('tree-b'))
      const put = (name: string, parentId: number | null, id: number, active = true) =>
        refusal('PUT', `/api/1.2/tenants/${id}`, { name, parentId, active })
      expect((await put('tree-a', b.id, a.id))[0]).to.equal(400)
      expect((await put('tree-a', a.id, a.id))[0]).to.equal(400)
      expect((await put('tree-a', null, a.id))[0]).to.equal(400)
      expect((await put('root', a.id, 1))[0]).to.equal(400)
      expect((await put('root', null, 1, false))[0]).to.equal(400)
      expect((await refusal('POST', '/api/1.2/tenants', { name: 'orphan', active: true }))[0]).to.equal(400)
      expect((await refusal('DELETE', `/api/1.2/tenants/${a.id}`))[0]).to.equal(409)
      expect((await refusal('DELETE', '/api/1.2/tenants/1'))[0]).to.equal(409)
    })

    it('are moved only below tenants of who moves them', async () => {
      const [own, other] = [await add('own', 1), await add('other', 1)]
      const [one, two] = [await add('own-one', own.id), await add('own-two', own.id)]
      const inside = await app.as('operations', { tenant: 'own' })
      const move = (name: string, id: number, parentId: number) =>
        refusal('PUT', `/api/1.2/tenants/${id}`, { name, parentId, active: true }, inside)
      expect((await move('own', own.id, other.id))[0]).to.equal(403)
      expect((await move('own-one', one.id, other.id))[0]).to.equal(403)
      await inside.ok('PUT', `/api/1.2/tenants/${own.id}`, { name: 'own', parentId: 1, active: true })
      await inside.ok('PUT', `/api/1.2/tenants/${one.id}`, { name: 'own-one', parentId: two.id, active: true })
    })

    it('shut their users out while inactive, and are mended from above', async () => {
      const tenant = await add('closing', 1)
      const inside = await app.as('operations', { tenant: 'closing' })
      await app.ok('PUT', `/api/1.2/tenants/${tenant.id}`, { name: 'closing', parentId: 1, active: false })
      expect((await inside.get('/api/1.2/tenants')).status).to.equal(401)
      expect((await get(`/api/1.2/tenants/${tenant.id}`))[0].active).to.equal(false)
      await app.ok('PUT', `/api/1.2/tenants/${tenant.id}`, { name: 'closing', parentId: 1, active: true })
      expect(await get('/api/1.2/tenants', inside)).to.have.length(1)
    })
  })
})
