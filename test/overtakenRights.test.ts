import { expect } from 'chai'
import { system } from '../api/roles.js'
import { type Answered, buildServer, type Client, type TestServer } from './build.js'

const password = 'a-Password-of-tests'
/** Long enough to hash a password. */
const moment = () => new Promise((resolve) => setTimeout(resolve, 300))

describe('a write that waits for others', function () {
  this.timeout(60_000)
  let server: TestServer
  let made = 0
  before(async () => {
    server = await buildServer()
    await server.ok('POST', '/api/1.3/tenants', { name: 'elsewhere', active: true, parentName: 'root' })
  })
  after(() => server.close())

  /** Asks for both while a third is decided, so that they are decided one after the other. */
  const oneAfterTheOther = async (...asked: readonly (() => Promise<Answered>)[]): Promise<number[]> => {
    let isDone = false
    const long = server.service.services.committer.writeInSteps({ user: system, requestId: 'long' }, function* () {
      while (!isDone) yield
    })
    const answers: Promise<Answered>[] = []
    for (const ask of asked) {
      answers.push(ask())
      await moment()
    }
    isDone = true
    await long
    return (await Promise.all(answers)).map(({ status }) => status)
  }
  const writer = async () => {
    const username = `writer-${made++}`
    const client = await server.as('operations', { username })
    const [user] = (await server.ok('GET', `/api/1.3/users?username=${username}`)).body.response
    const change = (values: object) => () => server.request('PUT', `/api/1.3/users/${user.id}`, { ...user, ...values })
    return { username, client, change }
  }
  const idOf = async (kind: string, name: string): Promise<number> =>
    (await server.ok('GET', `/api/1.3/${kind}?name=${name}`)).body.response[0].id
  const written = (client: Client, headers = {}) => {
    const name = `division-${made++}`
    return () => client.request('POST', '/api/1.3/divisions', { name }, headers)
  }

  it('is decided for whoever has the same rights still', async () => {
    const { client, change } = await writer()
    expect(await oneAfterTheOther(change({ fullName: 'Another' }), written(client))).to.deep.equal([200, 200])
  })

  it('is refused once the user has another role', async () => {
    const { client, change } = await writer()
    const role = await idOf('roles', 'read-only')
    expect(
      await oneAfterTheOther(change({ role, roleName: undefined, rolename: undefined }), written(client)),
    ).to.deep.equal([200, 403])
  })

  it('is refused once the user is of another tenant', async () => {
    const { client, change } = await writer()
    const tenantId = await idOf('tenants', 'elsewhere')
    expect(await oneAfterTheOther(change({ tenantId, tenant: undefined }), written(client))).to.deep.equal([200, 403])
  })

  it('is refused once the user may not log in', async () => {
    const { client, change } = await writer()
    const role = await idOf('roles', 'disallowed')
    expect(
      await oneAfterTheOther(change({ role, roleName: undefined, rolename: undefined }), written(client)),
    ).to.deep.equal([200, 401])
  })

  it('is refused once its session is logged out', async () => {
    const { client, username } = await writer()
    const logout = () => client.request('POST', '/api/1.3/user/logout', { u: username, p: password })
    expect(await oneAfterTheOther(logout, written(server.withCookie(client.cookie())))).to.deep.equal([200, 401])
  })

  it('is refused once its user has a new password, whatever it writes', async () => {
    const passwords = (localPassword: string) => ({ localPassword, confirmLocalPassword: localPassword })
    const { client, username, change } = await writer()
    const taken = () =>
      client.request('POST', '/api/1.3/user/current/update', { user: passwords('a-Password-of-thieves') })
    expect(await oneAfterTheOther(change(passwords('a-Password-of-owners')), taken)).to.deep.equal([200, 401])
    await server.login(username, 'a-Password-of-owners')

    const other = await server.as('admin', { username: 'importer' })
    const [importer] = (await server.ok('GET', '/api/1.3/users?username=importer')).body.response
    const renewed = () =>
      server.request('PUT', `/api/1.3/users/${importer.id}`, { ...importer, ...passwords('a-Password-anew') })
    const imported = () => other.request('POST', '/api/1.3/import', { divisions: [{ name: 'imported' }] })
    expect(await oneAfterTheOther(renewed, imported)).to.deep.equal([200, 401])
  })

  it('is refused once its token is revoked', async () => {
    const { client } = await writer()
    const { response } = (await client.ok('POST', '/api/1.3/tokens', { description: 'short' })).body
    const bearer = { authorization: `Bearer ${response.token}` }
    const revoke = () => client.request('DELETE', `/api/1.3/tokens/${response.id}`)
    expect(await oneAfterTheOther(revoke, written(server.anonymous, bearer))).to.deep.equal([200, 401])
  })
})
