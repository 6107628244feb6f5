import { expect } from 'chai'
import { hashPassword } from '../../api/config/passwords.js'
import type { Client, TestServer } from '../build.js'
import { sampleServer } from '../sampleServer.js'

const password = 'a-Password-of-tests'

/** Who sits where: whatever way is taken, nobody gets above the tenant and the role they have, nor takes others there. */
describe('tenants and roles of users', () => {
  let server: TestServer
  const ids = new Map<string, number>()
  before(async function () {
    this.timeout(60_000)
    server = await sampleServer()
    for (const list of ['tenants', 'roles']) {
      for (const { id, name } of (await server.ok('GET', `/api/1.3/${list}`)).body.response) ids.set(name, id)
    }
  })
  after(() => server.close())

  const current = async (client: Client) => (await client.ok('GET', '/api/1.3/user/current')).body.response
  const moves = (id: number, user: object): [method: string, path: string, body: unknown][] => [
    ['PUT', '/api/1.3/user/current', { user }],
    ['POST', '/api/1.2/user/current/update', { user }],
    ['PUT', '/api/1.1/user/current', { user }],
    ['PUT', `/api/1.3/users/${id}`, user],
  ]

  for (const role of ['read-only', 'portal', 'operations', 'admin']) {
    it(`${role}: not oneself into a tenant that is neither one's own nor below it`, async () => {
      const client = await server.as(role, { tenant: 'media-house' })
      const before = await current(client)
      for (const tenant of ['root', 'software-vendor', 'broadcaster']) {
        for (const [method, path, body] of moves(before.id, { ...before, tenantId: ids.get(tenant) })) {
          const answer = await client.request(method, path, body)
          expect(answer.status, `${method} ${path} to ${tenant}: ${answer.text}`).to.equal(403)
        }
      }
      expect(await current(client)).to.deep.equal(before)
    })

    it(`${role}: not oneself into another role`, async () => {
      const client = await server.as(role)
      const before = await current(client)
      for (const other of ['admin', 'operations', 'portal', 'read-only', 'ort'].filter((name) => name !== role)) {
        for (const [method, path, body] of moves(before.id, { ...before, role: ids.get(other) })) {
          const { status, text } = await client.request(method, path, body)
          expect(status, `${method} ${path} to ${other}: ${text}`).to.be.oneOf([400, 403])
        }
        const document = { users: [{ username: before.username, email: before.email, fullName: 'x', role: other }] }
        for (const query of ['', '?dryRun=true']) {
          const { status, text } = await client.request('POST', `/api/1.3/import${query}`, document)
          expect(status, `import${query} to ${other}: ${text}`).to.equal(403)
        }
      }
      expect(await current(client)).to.deep.equal(before)
    })
  }

  it('oneself where one is, and below; forms that send the whole record back go on working', async () => {
    const client = await server.as('portal', { tenant: 'media-house' })
    const before = await current(client)
    await client.ok('PUT', '/api/1.3/user/current', { user: { ...before, company: 'M', tenantId: before.tenantId } })
    const nothing = { ...before, tenantId: null, role: null }
    expect((await client.request('PUT', '/api/1.3/user/current', { user: nothing })).status).to.be.oneOf([200, 400])
    await client.ok('PUT', '/api/1.3/user/current', { user: { ...before, tenantId: ids.get('media-house-studio') } })
    expect((await current(client)).tenant).to.equal('media-house-studio')
  })

  it('nobody but administrators makes or takes over an agent of the root tenant, who reads the keys of whole CDNs', async () => {
    const client = await server.as('operations')
    const agent = await server.as('ort')
    const root = await current(agent)
    const below = await current(await server.as('ort', { tenant: 'media-house' }))
    const reader = await current(await server.as('read-only'))
    const chosen = { localPassword: 'another-Password-of-1', confirmLocalPassword: 'another-Password-of-1' }
    const role = ids.get('ort')
    const made = { username: 'agent-2', email: 'agent-2@example.net', fullName: 'A', role, ...chosen }
    const tries: [string, string, object][] = [
      ['POST', 'users', made],
      ['POST', 'users/register', { email: 'agent-3@example.net', role, tenantId: ids.get('root') }],
      ['PUT', `users/${root.id}`, { ...root, ...chosen }],
      ['PUT', `users/${root.id}`, { ...root, email: 'mine@example.net' }],
      ['PUT', `users/${below.id}`, { ...below, tenantId: ids.get('root') }],
      ['PUT', `users/${reader.id}`, { ...reader, role }],
    ]
    for (const [method, path, body] of tries) {
      const { status, text } = await client.request(method, `/api/1.3/${path}`, body)
      expect(status, `${method} ${path}: ${text}`).to.equal(403)
    }
    await client.ok('POST', '/api/1.3/users', { ...made, tenantId: ids.get('media-house') })
    await agent.ok('PUT', '/api/1.3/user/current', { user: { ...root, company: 'C' } })
    await server.ok('PUT', `/api/1.3/users/${root.id}`, { ...root, ...chosen })
  })

  it('others neither out of reach nor above oneself, and none of theirs is touched', async () => {
    const outsider = await current(await server.as('read-only', { tenant: 'software-vendor' }))
    const boss = await current(await server.as('admin', { tenant: 'media-house' }))
    for (const role of ['operations', 'admin']) {
      const client = await server.as(role, { tenant: 'media-house' })
      const own = await current(await server.as('read-only', { tenant: 'media-house-studio' }))
      const revision = (await server.get('/readyz')).body.revision
      const create = { username: 'n', email: 'n@example.net', fullName: 'N', localPassword: password }
      const made = { ...create, confirmLocalPassword: password, role: own.role }
      const tries: [string, string, object][] = [
        ['PUT', `users/${own.id}`, { ...own, tenantId: ids.get('root') }],
        ['PUT', `users/${own.id}`, { ...own, tenantId: ids.get('software-vendor') }],
        ['PUT', `users/${outsider.id}`, { ...outsider, localPassword: password, confirmLocalPassword: password }],
        ['POST', 'users', { ...made, tenantId: ids.get('root') }],
        ['POST', 'users', { ...made, tenantId: ids.get('software-vendor') }],
        ['POST', 'users/register', { email: 'r@example.net', role: own.role, tenantId: ids.get('root') }],
        ['POST', 'tenants', { name: 't', active: true, parentId: ids.get('root') }],
        ['POST', 'deliveryservice_user', { userId: outsider.id, deliveryServices: [] }],
        ...(role === 'operations'
          ? ([
              ['PUT', `users/${boss.id}`, { ...boss, localPassword: password, confirmLocalPassword: password }],
              ['PUT', `users/${own.id}`, { ...own, role: ids.get('admin') }],
              ['POST', 'users', { ...made, role: ids.get('admin') }],
              ['POST', 'users/register', { email: 'r@example.net', role: ids.get('admin'), tenantId: own.tenantId }],
            ] as [string, string, object][])
          : []),
      ]
      for (const [method, path, body] of tries) {
        const { status, text } = await client.request(method, `/api/1.3/${path}`, body)
        expect(status, `${role} ${method} ${path}: ${text}`).to.be.oneOf([400, 403])
      }
      expect((await server.get('/readyz')).body.revision, role).to.equal(revision)
    }
  })

  it('nothing by a document: no hash, no token, no tenant, no role', async () => {
    const client = await server.as('admin', { tenant: 'media-house' })
    const passwordHash = await hashPassword(password)
    const [admin] = (await server.ok('GET', '/api/1.3/users?username=admin')).body.response
    const documents = [
      {
        users: [{ username: 'admin', email: admin.email, fullName: 'x', role: 'admin', tenant: 'root', passwordHash }],
      },
      { roles: [{ name: 'read-only', description: 'd', privLevel: 30, capabilities: [] }] },
      { apiTokens: [{ user: 'admin', description: 'd', hash: 'x', scopes: [] }] },
      {},
    ]
    for (const document of documents) {
      for (const query of ['', '?dryRun=true']) {
        expect((await client.request('POST', `/api/1.3/import${query}`, document)).status).to.equal(403)
      }
    }
    await server.login('admin', server.admin.password)
  })

  it('nor by what belongs to no tenant: roles, the settings of the installation, where routers log in', async () => {
    const client = await server.as('admin', { tenant: 'media-house' })
    const readOnly = ids.get('read-only')
    const global = (await server.ok('GET', '/api/1.3/profiles?name=GLOBAL')).body.response[0].id
    const [tool] = (await server.ok('GET', '/api/1.3/parameters?name=tm.toolname')).body.response
    const parameter = (name: string, configFile: string) => ({
      name,
      configFile,
      value: 'https://evil.example',
      secure: 0,
    })
    const tries: [string, string, unknown][] = [
      ['PUT', `roles?id=${readOnly}`, { name: 'read-only', description: 'd', privLevel: 30, capabilities: [] }],
      ['POST', 'roles', { name: 'mine', description: 'd', privLevel: 10, capabilities: [] }],
      ['DELETE', `roles?id=${readOnly}`, undefined],
      ['POST', 'parameters', parameter('tm.url', 'global')],
      ['PUT', `parameters/${tool.id}`, { value: 'mine' }],
      ['DELETE', `parameters/${tool.id}`, undefined],
      ['DELETE', `profileparameters/${global}/${tool.id}`, undefined],
      ['POST', `profiles/${global}/parameters`, parameter('checks.writers', 'global')],
      ['POST', 'profiles/name/GLOBAL/parameters', [parameter('journal.keepDays', 'global')]],
      ['POST', 'parameters', parameter('api.auth.url', 'CRConfig.json')],
      ['POST', 'parameters', parameter('certificate.api.url', 'CRConfig.json')],
      ['POST', 'parameters', parameter('federationmapping.polling.url', 'CRConfig.json')],
    ]
    for (const [method, path, body] of tries) {
      const { status, text } = await client.request(method, `/api/1.3/${path}`, body)
      expect(status, `${method} ${path}: ${text}`).to.equal(403)
    }
    await client.ok('POST', '/api/1.3/parameters', parameter('of-a-tenant', 'plugin.config'))
  })
})
