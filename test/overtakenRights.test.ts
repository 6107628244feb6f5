import { expect } from 'chai'
import { system } from '../api/schema/privileges.js'
import type { Answered, Client, TestServer } from './build.js'
import { buildServer } from './build.js'

const password = 'a-Password-of-tests'
/** Long enough to hash a password. */
const moment = () => new Promise((resolve) => setTimeout(resolve, 300))

describe('a write that waits for others', function () {
  this.timeout(60_000)
  let server: TestServer
  let made = 0
  /** How far the service's clock is ahead, in ms. */
  let ahead = 0
  afterEach(() => {
    ahead = 0
  })
  before(async () => {
    server = await buildServer({ now: () => new Date(Date.now() + ahead) })
    await server.ok('POST', '/api/1.3/tenants', { name: 'elsewhere', active: true, parentName: 'root' })
  })
  after(() => server.close())

  /** Asks for both while a third is decided, so that they are decided one after the other. */
  const oneAfterTheOther = async (...input: readonly (() => Promise<Answered>)[]): Promise<number[]> => {
    let isDone = false
    const long = server.service.services.committer.writeInSteps({ user: system, requestId: 'long' }, function* () {
      while (!isDone) yield
    })
    const answers: Promise<Answered>[] = []
    for (const ask of input) {
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

  it('is refused once its token has run out', async () => {
    const { client } = await writer()
    const expires = new Date(Date.now() + 3600_000).toISOString()
    const { response } = (await client.ok('POST', '/api/1.3/tokens', { description: 'short', expires })).body
    const bearer = { authorization: `Bearer ${response.token}` }
    const later = async () => {
      ahead += 2 * 3600_000
      return server.anonymous.get('/livez')
    }
    expect(await oneAfterTheOther(written(server.anonymous, bearer), later)).to.deep.equal([401, 200])
  })

  it('is refused once its session has run out', async () => {
    const client = server.withCookie((await writer()).client.cookie())
    const later = async () => {
      ahead += 24 * 3600_000
      return server.anonymous.get('/livez')
    }
    expect(await oneAfterTheOther(written(client), later)).to.deep.equal([401, 200])
  })

  it('is refused once its route asks for more', async () => {
    const { client } = await writer()
    const profileId = await idOf('profiles', 'GLOBAL')
    const narrowed = { name: 'checks.writers', configFile: 'global', value: 'extension' }
    const narrow = () => server.request('POST', `/api/1.3/profiles/${profileId}/parameters`, narrowed)
    const stat = { statName: 'waits', statValue: 1, statDate: '2026-01-01' }
    const checked = () => client.request('POST', '/api/1.3/stats_summary/create', stat)
    expect(await oneAfterTheOther(checked)).to.deep.equal([200])
    expect(await oneAfterTheOther(narrow, checked)).to.deep.equal([200, 403])
  })

  /** Asks for something in steps that waits for its turn, and takes the right to it away before that comes. */
  const whileItWaits = async (ask: (client: Client) => Promise<Answered>, bar: boolean): Promise<Answered> => {
    const username = `reader-${made++}`
    const client = await server.as('admin', { username })
    const [user] = (await server.ok('GET', `/api/1.3/users?username=${username}`)).body.response
    const role = await idOf('roles', 'read-only')
    let isDone = false
    const { committer } = server.service.services
    const before = committer.rehearseInSteps(system, function* () {
      while (!isDone) yield
    })
    const answer = ask(client)
    await moment()
    if (bar)
      await server.ok('PUT', `/api/1.3/users/${user.id}`, { ...user, role, roleName: undefined, rolename: undefined })
    isDone = true
    await before
    return answer
  }
  const waiting: Record<string, (client: Client) => Promise<Answered>> = {
    'an export': (client) => client.get('/api/1.3/export'),
    'a dry run of an import': (client) =>
      client.request('POST', '/api/1.3/import?dryRun=true', { divisions: [{ name: 'only tried' }] }),
  }
  for (const [what, ask] of Object.entries(waiting)) {
    it(`is not the only one: ${what} shows nothing to whoever lost the right to it`, async () => {
      expect((await whileItWaits(ask, false)).status).to.equal(200)
      const { status, text } = await whileItWaits(ask, true)
      expect(status, text.slice(0, 200)).to.equal(403)
      expect((await server.ok('GET', '/api/1.3/export')).status).to.equal(200)
    })
  }

  it('may be of keys that take long to make: none are kept for a session that has ended', async () => {
    const name = `signed-${made++}`
    await server.ok('POST', '/api/1.3/cdns', { name, domainName: `${name}.example`, dnssecEnabled: false })
    const client = await server.as('admin', { username: 'keeper' })
    const body = { key: name, name: `${name}.example`, ttl: '60', kskExpirationDays: '365', zskExpirationDays: '30' }
    const { committer, data } = server.service.services
    let isDone = false
    const long = committer.writeInSteps({ user: system, requestId: 'long' }, function* () {
      while (!isDone) yield
    })
    const generated = client.request('POST', '/api/1.3/cdns/dnsseckeys/generate', body)
    // Let in by now, but its keys are not made: what is logged out then is decided first.
    await new Promise((resolve) => setTimeout(resolve, 20))
    const logout = server.withCookie(client.cookie()).request('POST', '/api/1.3/user/logout')
    await moment()
    isDone = true
    await long
    await logout
    expect((await generated).status).to.equal(401)
    expect(data.all('dnssecKeys')).to.deep.equal([])
  })
})
