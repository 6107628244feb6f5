import { randomUUID } from 'node:crypto'
import { expect } from 'chai'
import { hashPassword } from '../../api/config/passwords.js'
import { tokenHash } from '../../api/middleware/access/credentials.js'
import { resourceOf } from '../../api/middleware/access/lackingScope.js'
import type { Endpoint } from '../../api/operations/endpoint.js'
import { system } from '../../api/schema/privileges.js'
import { unscoped, writable } from '../../api/schema/scopes.js'
import type { Answered, Client, TestServer } from '../build.js'
import { routes } from '../routes.js'
import { sampleServer } from '../sampleServer.js'

const changesSomething = ({ method, changes }: Endpoint): boolean => method !== 'GET' || changes === true

describe('API tokens', function () {
  this.timeout(120_000)
  let server: TestServer

  before(async () => {
    server = await sampleServer()
  })
  after(() => server.close())

  type Ask = (method: string, path: string, body?: unknown) => Promise<Answered>
  const by =
    (token: string): Ask =>
    (method, path, body) =>
      server.anonymous.request(method, `/api/1.3${path}`, body, { authorization: `Bearer ${token}` })
  const make = async (body: object, owner: Client = server): Promise<{ id: number; token: string; scopes: unknown }> =>
    (await owner.ok('POST', '/api/1.3/tokens', { description: 'of a test', ...body })).body.response
  const texts = ({ body }: Answered): string => body.alerts.map(({ text }: { text: string }) => text).join('; ')

  describe('of a user whose account is taken back', () => {
    const passwords = { localPassword: 'another-Password', confirmLocalPassword: 'another-Password' }
    const outcome = async (username: string, change: (user: { id: number }, client: Client) => Promise<unknown>) => {
      const client = await server.as('operations', { username })
      const { token } = await make({}, client)
      const [user] = (await server.ok('GET', `/api/1.3/users?username=${username}`)).body.response
      await change(user, client)
      const [then] = (await server.ok('GET', `/api/1.3/users?username=${username}`)).body.response
      const operations = (await server.ok('GET', '/api/1.3/roles?name=operations')).body.response[0].id
      await server.ok('PUT', `/api/1.3/users/${user.id}`, {
        ...then,
        role: operations,
        roleName: undefined,
        rolename: undefined,
      })
      return (await by(token)('GET', '/cdns')).status
    }

    it('end with a password that others give, with a role that may not log in, and with a login by mail', async () => {
      const role = (await server.ok('GET', '/api/1.3/roles?name=disallowed')).body.response[0].id
      const named = { roleName: undefined, rolename: undefined }
      const put = (user: { id: number }, values: object) =>
        server.ok('PUT', `/api/1.3/users/${user.id}`, { ...user, ...values })
      expect(await outcome('given', (user) => put(user, passwords))).to.equal(401)
      expect(await outcome('barred', (user) => put(user, { role, ...named }))).to.equal(401)
      const { committer } = server.service.services
      const byMail = async ({ id }: { id: number }) => {
        await committer.write({ user: system, requestId: 'a-reset' }, (transaction) =>
          transaction.update('users', id, { tokenHash: tokenHash('once'), tokenMade: transaction.time }),
        )
        await server.anonymous.ok('POST', '/api/1.3/user/login/token', { t: 'once' })
      }
      expect(await outcome('forgetful', byMail)).to.equal(401)
    })

    it('end with a password or a role that an import gives, and so does what was sent by mail', async () => {
      const { committer } = server.service.services
      const imported = (more: object) => async (user: { id: number }) => {
        const { users } = (await server.ok('GET', '/api/1.3/export?ids=true')).body
        const { id: _, ...record } = users.find(({ id }: { id: number }) => id === user.id)
        await server.ok('POST', '/api/1.3/import', { users: [{ ...record, ...more }] })
      }
      const passwordHash = await hashPassword('another-Password')
      const mailed = async (user: { id: number }) => {
        await committer.write({ user: system, requestId: 'a-reset' }, (transaction) =>
          transaction.update('users', user.id, { tokenHash: tokenHash('mailed'), tokenMade: transaction.time }),
        )
        await imported({ passwordHash })(user)
      }
      expect(await outcome('imported', mailed)).to.equal(401)
      const byMail = await server.anonymous.request('POST', '/api/1.3/user/login/token', { t: 'mailed' })
      expect(byMail.status).to.equal(401)
      expect(await outcome('barred-by-import', imported({ roleName: 'disallowed' }))).to.equal(401)
      expect(await outcome('imported-otherwise', imported({ city: 'Gävle' }))).to.equal(200)
    })

    it('stay when users change their own password, or others something else', async () => {
      const own = (_user: object, client: Client) => client.ok('PUT', '/api/1.3/user/current', { user: passwords })
      expect(await outcome('own', own)).to.equal(200)
      const named = (user: { id: number }) =>
        server.ok('PUT', `/api/1.3/users/${user.id}`, { ...user, company: 'Another' })
      expect(await outcome('else', named)).to.equal(200)
    })
  })

  describe('without scopes', () => {
    for (const [how, body] of [
      ['left out', {}],
      ['null', { scopes: null }],
      ['empty', { scopes: [] }],
    ] as const) {
      it(`may do what their user may do: ${how}`, async () => {
        const made = await make(body)
        expect(made.scopes).to.equal(null)
        const ask = by(made.token)
        expect((await ask('GET', '/servers')).status).to.equal(200)
        expect((await ask('POST', '/divisions', { name: `division of a token, ${how}` })).status).to.equal(200)
        expect((await ask('GET', '/export')).status).to.equal(200)
        const [shown] = (await ask('GET', '/tokens')).body.response.filter(({ id }: { id: number }) => id === made.id)
        expect(shown.scopes).to.equal(null)
      })
    }

    it('may do so, too, when an older version stored none of them', async () => {
      const token = `ew_${randomUUID()}`
      const { committer } = server.service.services
      await committer.write({ user: system, requestId: randomUUID() }, (transaction) => {
        const userId = transaction.data.ids('users', 'username', 'admin')[0]!
        transaction.create('apiTokens', {
          description: 'old',
          userId,
          scopes: [],
          expires: null,
          hash: tokenHash(token),
        })
      })
      expect((await by(token)('GET', '/servers')).status).to.equal(200)
      expect((await by(token)('POST', '/divisions', { name: 'division of an old token' })).status).to.equal(200)
    })

    it('may never do more than their user', async () => {
      const reader = await server.as('read-only')
      const { token } = await make({}, reader)
      expect((await by(token)('GET', '/servers')).status).to.equal(200)
      expect((await by(token)('POST', '/divisions', { name: 'x' })).status).to.equal(403)
      const { token: writer } = await make({ scopes: ['write:divisions'] }, reader)
      expect(texts(await by(writer)('POST', '/divisions', { name: 'x' }))).to.contain('operations')
    })
  })

  describe('with scopes', () => {
    const ofChecks = ['/to_extensions', '/servers/checks', '/stats_summary', '/servers']
    const wholeStore = ['/backup', '/dbdump']
    const merelyReads = (route: Endpoint) => !changesSomething(route) && !wholeStore.includes(route.path)
    const scopes: Record<string, (route: Endpoint) => boolean> = {
      read: merelyReads,
      backup: ({ path }) => wholeStore.includes(path),
      'write:servers': ({ path }) => path.split('/')[1] === 'servers',
      'write:deliveryservices': ({ path }) => path.split('/')[1] === 'deliveryservices',
      'write:jobs': ({ path }) => path.startsWith('/jobs') || path.startsWith('/user/current/jobs'),
      checks: (route) => route.role === 'checker' || (!changesSomething(route) && ofChecks.includes(route.path)),
    }
    for (const [scope, covers] of Object.entries(scopes)) {
      it(`reach what ${scope} covers, and are told which scope is missing for the rest`, async () => {
        const { token } = await make({ scopes: [scope] })
        const wrong: string[] = []
        for (const route of routes) {
          if (route.role === 'none' || route.path === '/watch') continue
          const path = (route.unversioned ? route.path : `/api/1.3${route.path}`).replaceAll(/:\w+/g, '9999999')
          const body = route.method === 'GET' ? undefined : {}
          const answer = await server.anonymous.request(route.method, path, body, { authorization: `Bearer ${token}` })
          const isMissing = answer.status === 403 && /lacks the scope|without scopes/.test(answer.text)
          const name = `${route.method} ${route.path}: ${answer.status} ${answer.text.slice(0, 100)}`
          if (covers(route) === isMissing) wrong.push(name)
          if (isMissing && merelyReads(route) && !answer.text.includes('scope read')) wrong.push(name)
          const resource = resourceOf(route)
          if (isMissing && writable.has(resource) && !answer.text.includes(`write:${resource}`)) wrong.push(name)
        }
        expect(wrong).to.deep.equal([])
      })
    }

    it('show an administrator no secrets when they are for checks or for one cache', async () => {
      const [one] = (await server.ok('GET', '/api/1.3/servers?hostName=edge-nyc-01')).body.response
      await server.ok('PUT', `/api/1.3/servers/${one.id}`, { ...one, iloPassword: 'zz-of-a-machine' })
      const secure = { name: 'zz-setting', configFile: 'global', value: 'zz-secure', secure: true }
      await server.ok('POST', '/api/1.3/profiles/name/GLOBAL/parameters', secure)
      const shows = async (scope: string): Promise<boolean[]> => {
        const { token } = await make({ scopes: [scope] })
        const answers = [await by(token)('GET', '/servers'), await by(token)('GET', '/system/info')]
        return answers.filter(({ status }) => status === 200).map(({ text }) => /zz-of-a-machine|zz-secure/.test(text))
      }
      expect(await shows('checks')).to.deep.equal([false])
      expect(await shows('config:read:server=edge-nyc-01')).to.deep.equal([false])
      expect(await shows('write:servers')).to.deep.equal([true])
      expect(await shows('read')).to.deep.equal([true, true])
    })

    it('read the whole store only when that is what they are for', async () => {
      for (const path of wholeStore) {
        const statusWith = async (scopes: readonly string[] | null): Promise<number> =>
          (await by((await make({ scopes })).token)('GET', path)).status
        for (const scopes of [null, ['backup'], ['read', 'backup']]) expect(await statusWith(scopes)).to.equal(200)
        for (const scope of ['read', 'checks', 'write:servers']) expect(await statusWith([scope])).to.equal(403)
        const { token } = await make({ scopes: ['read'] })
        expect(texts(await by(token)('GET', path))).to.equal('Forbidden. The API token lacks the scope backup.')
        const operator = await make({ scopes: ['backup'] }, await server.as('operations'))
        expect((await by(operator.token)('GET', path)).status).to.equal(403)
      }
      const { token } = await make({ scopes: ['backup'] })
      expect((await by(token)('GET', '/servers')).status).to.equal(403)
      expect((await server.get('/api/1.3/backup')).status).to.equal(200)
    })

    it('of one cache mean that cache, when it is called like the id of another', async () => {
      const [one] = (await server.ok('GET', '/api/1.3/servers?hostName=edge-nyc-01')).body.response
      const [other] = (await server.ok('GET', '/api/1.3/servers?hostName=edge-nyc-02')).body.response
      const named = {
        ...one,
        hostName: String(other.id),
        xmppId: 'numbered',
        ipAddress: '192.0.2.240',
        ip6Address: null,
      }
      const { id } = [(await server.ok('POST', '/api/1.3/servers', named)).body.response].flat()[0]
      const { token } = await make({ scopes: [`config:read:server=${other.id}`] })
      expect((await by(token)('GET', `/servers/${other.id}/configfiles/ats`)).status).to.equal(403)
      expect((await by(token)('GET', `/servers/${id}/configfiles/ats`)).status).to.equal(200)
      await server.ok('DELETE', `/api/1.3/servers/${id}`)
    })

    it('are refused when there is no such scope, and told which there are', async () => {
      const refusal = async (scope: unknown) => {
        const answer = await server.request('POST', '/api/1.3/tokens', { description: 'x', scopes: [scope] })
        expect(answer.status, String(scope)).to.equal(400)
        return texts(answer)
      }
      const all = 'read, backup, write:<resource>, checks, config:read:server=<host name>'
      for (const scope of ['all', 'write', 'READ', 'config:read', 'config:read:server=', 'config:read:server=a b']) {
        expect(await refusal(scope))
          .to.contain(`scopes: '${scope}' cannot be given`)
          .and.contain(all)
      }
      expect(await refusal('write:nothing')).to.contain('divisions')
      for (const resource of unscoped) expect(await refusal(`write:${resource}`)).to.contain('without scopes')
      await refusal(7)
      await refusal('')
    })

    it('can be had for every resource that is written, but for what hands out rights', () => {
      const written = new Set(
        routes.filter((route) => route.role !== 'none' && changesSomething(route)).map(resourceOf),
      )
      expect([...writable, ...unscoped].sort()).to.deep.equal([...written].sort())
    })
  })

  describe('never become more than they are', () => {
    it('do not change their user, in any way', async () => {
      const owner = await server.as('admin', { username: 'owner' })
      const [user] = (await server.ok('GET', '/api/1.3/users?username=owner')).body.response
      const password = { localPassword: 'another horse', confirmLocalPassword: 'another horse' }
      for (const scopes of [null, ['read'], ['write:servers']]) {
        const ask = by((await make({ scopes }, owner)).token)
        const before = server.service.services.workingSet.revision
        for (const [method, path, body] of [
          ['PUT', '/user/current', { user: password }],
          ['POST', '/user/current/update', { user: { city: 'Ghent' } }],
          ['PUT', `/users/${user.id}`, { ...user, ...password }],
          ['POST', '/import', { users: [{ ...user, city: 'Ghent' }] }],
        ] as const) {
          const answer = await ask(method, path, body)
          expect(answer.status, `${path}: ${answer.text.slice(0, 200)}`).to.equal(403)
        }
        expect(server.service.services.workingSet.revision).to.equal(before)
      }
    })

    it('make tokens only without scopes, and none that lasts longer', async () => {
      const body = { description: 'made by a token' }
      for (const scope of ['read', 'checks', 'write:servers', 'config:read:server=edge-chi-01']) {
        const ask = by((await make({ scopes: [scope] })).token)
        expect((await ask('POST', '/tokens', body)).status).to.equal(403)
        expect((await ask('POST', '/tokens', { ...body, scopes: [scope] })).status).to.equal(403)
      }
      const whole = by((await make({})).token)
      expect((await whole('POST', '/tokens', { ...body, scopes: ['read'] })).status).to.equal(200)
      const expires = new Date(Date.now() + 3600_000).toISOString()
      const short = by((await make({ expires })).token)
      expect(texts(await short('POST', '/tokens', body))).to.contain('expire')
      const later = new Date(Date.now() + 7200_000).toISOString()
      expect((await short('POST', '/tokens', { ...body, expires: later })).status).to.equal(403)
      const made = (await short('POST', '/tokens', { ...body, expires })).body.response
      expect((await by(made.token)('GET', '/servers')).status).to.equal(200)
      expect((await short('DELETE', `/tokens/${made.id}`)).status).to.equal(200)
      expect((await by(made.token)('GET', '/servers')).status).to.equal(401)
    })
  })
})
