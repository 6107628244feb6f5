import { expect } from 'chai'
import type { Client, TestServer } from './build.js'
import { buildServer } from './build.js'
import type { MongodbServer } from './store/mongodbServer.js'
import { startMongodbServer } from './store/mongodbServer.js'
import { vaultKeyText } from './vaultKey.js'

const nightly = process.env.EDGEWRIGHT_NIGHTLY === '1'
const commits = nightly ? 2000 : 200

describe('two instances on one MongoDB', function () {
  this.timeout(nightly ? 600_000 : 120_000)
  let mongodb: MongodbServer | null
  let one: TestServer
  let two: TestServer

  before(async function () {
    const given = process.env.MONGODB_TEST_URI
    mongodb = given ? null : await startMongodbServer()
    if (!given && !mongodb) return this.skip()
    const env = {
      MONGODB_URI: `${given ?? mongodb!.uri.replace(/\/$/, '')}/edgewright-instances-${process.pid}`,
      SESSION_SECRET: 'a secret that both know',
      VAULT_KEY: vaultKeyText,
    }
    one = await buildServer({ env })
    two = await buildServer({ env })
    // The compatible server reads the whole journal for every question, and the first entry is most of it.
    await one.service.services.store.trim(await one.service.services.store.head())
    return undefined
  })
  after(async () => {
    await Promise.all([one?.close(), two?.close()])
    await mongodb?.remove()
  })

  /** The same session, at the other instance. */
  const elsewhere = (session: Client, at: TestServer): Client => at.withCookie(session.cookie())

  it('serves a write at once to the session that made it, wherever it asks', async () => {
    for (let i = 0; i < 5; i++) {
      await one.ok('POST', '/api/1.3/divisions', { name: `at-once-${i}` })
      const { body } = await elsewhere(one, two).get(`/api/1.3/divisions?name=at-once-${i}`)
      expect(body.response).to.have.length(1)
    }
  })

  it('knows a session at once whose user was made elsewhere, and one that gave its user a new password there', async () => {
    for (let i = 0; i < 5; i++) {
      const session = await one.as('operations', { username: `new-${i}` })
      await elsewhere(session, two).ok('GET', '/api/1.3/user/current')
      const user = { localPassword: `a-Password-anew-${i}`, confirmLocalPassword: `a-Password-anew-${i}` }
      await session.ok('POST', '/api/1.3/user/current/update', { user })
      await elsewhere(session, two).ok('GET', '/api/1.3/user/current')
    }
  })

  it('knows no session any more whose end is among what it has to catch up with', async () => {
    for (let i = 0; i < 5; i++) {
      const session = await one.as('operations', { username: `leaving-${i}` })
      await elsewhere(session, two).ok('GET', '/api/1.3/user/current')
      const { sessions, workingSet } = one.service.services
      const left = sessions.verify(session.cookie().split('=')[1]!)!
      await session.ok('POST', '/api/1.3/user/logout')
      const cookie = `mojolicious=${sessions.sign({ ...left, revision: workingSet.revision })}`
      expect((await two.withCookie(cookie).get('/api/1.3/user/current')).status).to.equal(401)
    }
  })

  it('serves it to everybody within a second', async () => {
    await one.ok('POST', '/api/1.3/divisions', { name: 'soon' })
    const start = performance.now()
    while ((await two.get('/api/1.3/divisions?name=soon')).body.response.length === 0) {
      expect(performance.now() - start).to.be.lessThan(1000)
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  })

  it('takes the second save of a form wherever it is sent, and not over the write of another', async () => {
    const { id } = (await one.ok('POST', '/api/1.3/divisions', { name: 'form' })).body.response
    const path = `/api/1.3/divisions/${id}`
    const opened = (await one.get(path)).headers.get('etag')!
    const save = (client: Client, name: string) => client.request('PUT', path, { name }, { 'if-match': opened })
    expect((await save(one, 'form saved')).status).to.equal(200)
    expect((await save(elsewhere(one, two), 'form saved again')).status).to.equal(200)
    const other = await two.as('operations')
    expect((await save(other, 'of another')).status).to.equal(412)
    await other.ok('PUT', path, { name: 'of another' })
    // At an instance that may not have heard of it.
    expect((await save(one, 'over it')).status).to.equal(412)
    expect((await save(two, 'over it')).status).to.equal(412)
  })

  it(`loses none of ${commits} updates by 4 writers`, async () => {
    // A session's own write is none that its form has to be guarded from; tokens are compared strictly.
    const { token } = (await one.ok('POST', '/api/1.3/tokens', { description: 'of the writers' })).body.response
    const { id } = (await one.ok('POST', '/api/1.3/divisions', { name: 'counter 0' })).body.response
    await elsewhere(one, two).ok('GET', `/api/1.3/divisions/${id}`)
    const before = one.service.services.workingSet.revision
    let left = commits
    const writer = async (server: TestServer): Promise<void> => {
      while (left > 0) {
        left -= 1
        for (;;) {
          const read = await server.get(`/api/1.3/divisions/${id}`)
          const count = Number(read.body.response[0].name.split(' ')[1])
          const wrote = await server.request(
            'PUT',
            `/api/1.3/divisions/${id}`,
            { name: `counter ${count + 1}` },
            { 'if-match': read.headers.get('etag')!, authorization: `Bearer ${token}` },
          )
          if (wrote.status === 200) break
          expect(wrote.status, wrote.text).to.equal(412)
        }
      }
    }
    await Promise.all([writer(one), writer(two), writer(one), writer(two)])
    await two.service.services.committer.catchUp(await one.service.services.store.head())
    const { body } = await two.get(`/api/1.3/divisions/${id}`)
    const end = Math.max(...[one, two].map(({ service }) => service.services.workingSet.revision))
    expect(Number(body.response[0].name.split(' ')[1])).to.equal(commits)
    expect(end - before).to.equal(commits)
    const entries = await one.service.services.store.entriesAfter(before, commits + 10)
    expect(entries.map(({ revision }) => revision)).to.deep.equal(
      Array.from({ length: commits }, (_, at) => before + 1 + at),
    )
  })

  for (const how of ['one after the other', 'all at once'] as const) {
    it(`loses no write of clients that always send one X-Request-Id, ${how}`, async () => {
      const before = two.service.services.workingSet.revision
      // One after the other, each write finds that the other instance was first.
      const each = how === 'all at once' ? 60 : 20
      const make = async (server: TestServer, name: string): Promise<string> => {
        const body = { name: `${how} ${name}` }
        const { status, text } = await server.request('POST', '/api/1.3/divisions', body, {
          'x-request-id': 'constant-id',
        })
        expect(status, text).to.equal(200)
        return body.name
      }
      const acknowledged: string[] = []
      if (how === 'all at once') {
        const both = Array.from({ length: each }, (_, at) => [make(one, `one ${at}`), make(two, `two ${at}`)])
        acknowledged.push(...(await Promise.all(both.flat())))
      } else {
        for (let at = 0; at < each; at++) acknowledged.push(await make(one, `one ${at}`), await make(two, `two ${at}`))
      }
      const { store } = two.service.services
      const head = await store.head()
      for (const { service } of [one, two]) await service.services.committer.catchUp(head)
      const [mine, other] = await Promise.all([one, two].map((server) => server.ok('GET', '/api/1.3/divisions')))
      expect(mine!.text === other!.text, 'both instances have the same').to.equal(true)
      const names = mine!.body.response.map(({ name }: { name: string }) => name)
      expect(names).to.include.members(acknowledged)
      const entries = (await store.entriesAfter(before, 1000)).filter(({ requestId }) => requestId === 'constant-id')
      expect(entries).to.have.length(2 * each)
      expect(new Set(entries.map(({ id }) => id)).size).to.equal(2 * each)
    })
  }

  it('answers 503 to writes while the store is gone, goes on reading, and recovers by itself', async function () {
    if (!mongodb) return this.skip()
    const path = '/api/1.3/divisions?name=soon'
    const { text } = await one.get(path)
    await mongodb.kill()
    const refused = await one.request('POST', '/api/1.3/divisions', { name: 'lost' })
    expect(refused.status).to.equal(503)
    expect(refused.body.alerts[0].level).to.equal('error')
    expect((await one.get(path)).text).to.equal(text)
    expect((await one.get('/api/1.3/divisions?name=lost')).body.response).to.deep.equal([])
    expect((await one.anonymous.get('/readyz')).status).to.equal(503)
    expect((await one.anonymous.get('/livez')).status).to.equal(200)
    await mongodb.restart()
    // Each finds its way back by itself, and says so.
    for (const { anonymous } of [one, two]) {
      while ((await anonymous.get('/readyz')).status !== 200) await new Promise((resolve) => setTimeout(resolve, 100))
    }
    await one.ok('POST', '/api/1.3/divisions', { name: 'found' })
    expect((await elsewhere(one, two).get('/api/1.3/divisions?name=found')).body.response).to.have.length(1)
    return undefined
  })
})
