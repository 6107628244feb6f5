import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import type { Client, TestServer } from './build.js'
import { buildServer } from './build.js'

const hour = 3600_000
const password = 'a-Password-of-tests'
const current = '/api/1.3/user/current'

describe('a session', function () {
  this.timeout(60_000)
  let time = Date.parse('2030-01-01T12:00:00Z')
  let server: TestServer
  const now = () => new Date(time)

  const dataDir = mkdtempSync(join(tmpdir(), 'edgewright-sessions-'))

  // The clock goes on, so each begins with a session of its own for the administrator.
  beforeEach(async () => {
    server = await buildServer({ dataDir, now })
  })
  afterEach(() => server.close())
  after(() => rmSync(dataDir, { recursive: true }))

  /** What a cookie is answered, however often it was renewed for somebody else. */
  const statusOf = async (cookie: string, path = current, at: TestServer = server): Promise<number> =>
    (await at.anonymous.get(path, { cookie })).status
  const user = async (username: string): Promise<{ id: number; client: Client; body: Record<string, unknown> }> => {
    const client = await server.as('operations', { username })
    const [body] = (await server.ok('GET', `/api/1.3/users?username=${username}`)).body.response
    return { id: body.id, client, body }
  }

  describe('that is logged out', () => {
    it('is over for its cookie, and for those it had before', async () => {
      const { client } = await user('leaver')
      const first = client.cookie()
      time += 4 * hour
      await client.ok('GET', current)
      const renewed = client.cookie()
      expect(renewed).not.to.equal(first)
      expect(await statusOf(first)).to.equal(200)
      await client.ok('POST', '/api/1.3/user/logout', { u: 'leaver', p: password })
      for (const cookie of [first, renewed]) {
        expect(await statusOf(cookie)).to.equal(401)
        expect(await statusOf(cookie, '/api/1.3/cdns')).to.equal(401)
      }
    })

    it('may have begun with an earlier release: its cookie is good until it runs out, and ends like any other', async () => {
      const { id, client } = await user('router')
      // As 0.1.0 signed them, without a name and the time of the login.
      const said = JSON.parse(
        Buffer.from(client.cookie().slice('mojolicious='.length).split('--')[0]!, 'base64url').toString(),
      )
      const earlier = (expires: number): string => {
        const payload = Buffer.from(JSON.stringify({ u: id, e: expires, s: said.s, r: 0, b: 0 })).toString('base64url')
        const secret = readFileSync(join(dataDir, 'session-secret'), 'utf8').trim()
        return `mojolicious=${payload}--${createHmac('sha256', secret).update(payload).digest('hex')}`
      }
      const [one, other] = [earlier(time + hour), earlier(time + 5 * hour)] as const
      for (const cookie of [one, other]) expect(await statusOf(cookie)).to.equal(200)
      time += 2 * hour
      expect([await statusOf(one), await statusOf(other)]).to.deep.equal([401, 200])
      await server.withCookie(other).ok('POST', '/api/1.3/user/logout')
      expect(await statusOf(other)).to.equal(401)
      expect(await statusOf(earlier(time + 3 * hour))).to.equal(401)
      expect(await statusOf(client.cookie())).to.equal(200)
    })

    it('leaves the other sessions of the user, who may log in again', async () => {
      const { client } = await user('two-sessions')
      const second = await server.login('two-sessions', password)
      await client.ok('POST', '/api/1.3/user/logout')
      await second.ok('GET', current)
      await (await server.login('two-sessions', password)).ok('GET', current)
    })

    it('stays so over a restart, until its cookies would have run out, and is then forgotten', async () => {
      const { client } = await user('restarted')
      const cookie = client.cookie()
      const records = () => server.service.services.data.all('endedSessions').length
      const before = records()
      await client.ok('POST', '/api/1.3/user/logout')
      expect(records()).to.equal(before + 1)
      await server.service.close()
      server = await buildServer({ dataDir, now })
      expect(await statusOf(cookie)).to.equal(401)
      time += 8 * hour
      await (await server.login('restarted', password)).ok('POST', '/api/1.3/user/logout')
      expect(records()).to.equal(1)
    })

    it('writes nothing with what it began to send before', async () => {
      const { client } = await user('half-sent')
      const slow = await slowPost(server.url, '/api/1.3/divisions', client.cookie(), {
        name: 'of a session that is over',
      })
      await client.ok('POST', '/api/1.3/user/logout')
      expect(await slow.finish()).to.deep.equal({ status: 401, cookies: 0 })
    })

    it('is no concern of a token that logs out', async () => {
      const { client } = await user('with-token')
      const { token } = (await client.ok('POST', '/api/1.3/tokens', { description: 'x', scopes: ['read'] })).body
        .response
      const headers = { authorization: `Bearer ${token}` }
      const before = server.service.services.workingSet.revision
      await server.anonymous.request('POST', '/api/1.3/user/logout', {}, headers)
      expect(server.service.services.workingSet.revision).to.equal(before)
      await client.ok('GET', current)
    })
  })

  it('ends a day after the login, however busy it is, and says so in its cookie', async () => {
    const { client } = await user('busy')
    const begin = time
    const ends: number[] = []
    for (; time < begin + 24 * hour; time += hour / 2) {
      const { status, headers } = await client.get(current)
      expect(status, `after ${(time - begin) / hour} hours`).to.equal(200)
      const age = /Max-Age=(\d+)/.exec(headers.getSetCookie()[0] ?? '')?.[1]
      if (age !== undefined) ends.push(time + Number(age) * 1000)
    }
    expect(await statusOf(client.cookie())).to.equal(401)
    // The field's router logs in again when the cookie's time is over, and at nothing else.
    expect(Math.max(...ends)).to.equal(begin + 24 * hour)
    expect(ends.length, 'it is not renewed with every request of its last hours').to.be.below(12)
  })

  it('is renewed in the second half of its life, and over when nobody comes', async () => {
    const { client } = await user('idle')
    const cookie = client.cookie()
    time += 6 * hour
    expect(await statusOf(cookie)).to.equal(401)
  })

  describe('of somebody who gets a new password', () => {
    const next = { localPassword: 'another horse', confirmLocalPassword: 'another horse' }
    const ways: Record<string, (who: Awaited<ReturnType<typeof user>>) => Promise<Client | null>> = {
      'by an administrator': async ({ id, body }) => {
        await server.ok('PUT', `/api/1.3/users/${id}`, { ...body, ...next })
        return null
      },
      'by themselves': async ({ client }) => {
        await client.ok('PUT', current, { user: next })
        return client
      },
      'by themselves, the older way': async ({ client }) => {
        await client.ok('POST', `${current}/update`, { user: next })
        return client
      },
      'by themselves, as a user among others': async ({ id, body, client }) => {
        await client.ok('PUT', `/api/1.3/users/${id}`, { ...body, ...next })
        return client
      },
      'by an import': async ({ body }) => {
        const [{ passwordHash }] = (await server.ok('GET', '/api/1.3/export?secrets=true')).body.users
        await server.ok('POST', '/api/1.3/import', { users: [{ ...body, passwordHash: `${passwordHash}` }] })
        return null
      },
    }
    for (const [way, change] of Object.entries(ways)) {
      it(`ends ${way}; only the session that did it goes on`, async () => {
        const who = await user(`changed-${Object.keys(ways).indexOf(way)}`)
        const others = [
          await server.login(String(who.body.username), password),
          await server.login(String(who.body.username), password),
        ]
        for (const other of others) await other.ok('GET', '/api/1.3/cdns')
        const own = await change(who)
        for (const other of others) {
          expect((await other.get('/api/1.3/cdns')).status).to.equal(401)
          expect((await other.get(current)).status).to.equal(401)
        }
        if (own) expect((await own.get(current)).status).to.equal(200)
        else expect((await who.client.get(current)).status).to.equal(401)
      })
    }

    it('is not brought back by the answer to a request that was under way, which is refused', async () => {
      const { id, body, client } = await user('under-way')
      time += 4 * hour
      const slow = await slowPost(server.url, '/api/1.3/divisions', client.cookie(), {
        name: 'of a session that is over',
      })
      await server.ok('PUT', `/api/1.3/users/${id}`, { ...body, ...next })
      expect(await slow.finish()).to.deep.equal({ status: 401, cookies: 0 })
      expect((await server.ok('GET', '/api/1.3/divisions')).body.response).to.deep.equal([])
    })

    it('writes nothing that was decided after the password changed', async () => {
      const { id, body, client } = await user('writing')
      const division = { name: 'of a session that is over' }
      const [changed, written] = await Promise.all([
        server.request('PUT', `/api/1.3/users/${id}`, { ...body, ...next }),
        ...Array.from({ length: 20 }, (_, at) =>
          client.request('POST', '/api/1.3/divisions', { name: `${division.name} ${at}` }),
        ),
      ])
      expect(changed!.status).to.equal(200)
      expect(written!.status).to.be.oneOf([200, 401])
      expect((await client.get(current)).status).to.equal(401)
    })
  })

  it('is none, nor is a token or a login, while the tenant of its user is inactive', async () => {
    const { tenantId } = (await server.ok('GET', current)).body.response
    const tenant = { name: 'closed', active: true, parentId: tenantId }
    const { id } = (await server.ok('POST', '/api/1.3/tenants', tenant)).body.response
    const tenantUser = await server.as('operations', { tenant: 'closed', username: 'tenant-user' })
    const { token } = (await tenantUser.ok('POST', '/api/1.3/tokens', { description: 'theirs' })).body.response
    const statuses = async () => [
      await statusOf(tenantUser.cookie()),
      (await server.anonymous.get('/api/1.3/cdns', { authorization: `Bearer ${token}` })).status,
      (await server.anonymous.request('POST', '/api/1.3/user/login', { u: 'tenant-user', p: password })).status,
    ]
    expect(await statuses()).to.deep.equal([200, 200, 200])
    await server.ok('PUT', `/api/1.3/tenants/${id}`, { ...tenant, active: false })
    expect(await statuses()).to.deep.equal([401, 401, 401])
    await server.ok('PUT', `/api/1.3/tenants/${id}`, tenant)
    expect(await statuses()).to.deep.equal([200, 200, 200])
  })

  it('is none when a token is sent in its place', async () => {
    const { token } = (await server.ok('POST', '/api/1.3/tokens', { description: 'x', scopes: ['read'] })).body.response
    expect(await statusOf(`mojolicious=token ${token}`)).to.equal(401)
  })
})

/** A request that the service has let in, and whose body it waits for until it is finished. */
async function slowPost(url: string, path: string, cookie: string, body: object) {
  const text = JSON.stringify(body)
  const headers = {
    cookie,
    expect: '100-continue',
    'content-type': 'application/json',
    'content-length': String(text.length),
  }
  const asking = request(`${url}${path}`, { method: 'POST', headers })
  const answered = new Promise<{ status: number | undefined; cookies: number }>((resolve, reject) => {
    asking.on('error', reject)
    asking.on('response', (response) => {
      response.resume()
      response.on('end', () =>
        resolve({ status: response.statusCode, cookies: response.headers['set-cookie']?.length ?? 0 }),
      )
    })
  })
  asking.flushHeaders()
  await once(asking, 'continue')
  asking.write(text.slice(0, 5))
  return {
    finish: () => {
      asking.end(text.slice(5))
      return answered
    },
  }
}
