import { expect } from 'chai'
import type { Endpoint } from '../api/operations/endpoint.js'
import type { Entry } from '../api/store/store.js'
import type { Client, TestServer } from './build.js'
import type { Write } from './everyWrite.js'
import { everyWrite } from './everyWrite.js'
import { routes } from './routes.js'
import { sampleServer } from './sampleServer.js'
import { changeNothing } from './writes/derived.js'

const routeOf = ({ method, path }: Endpoint) => `${method} ${path}`
const writing = routes.filter((endpoint) => endpoint.method !== 'GET' || endpoint.changes)

describe('the change log', () => {
  let server: TestServer
  let reader: Client
  const writes: Write[] = []
  const head = () => server.service.services.store.head()
  const entriesAfter = (revision: number): Promise<Entry[]> =>
    server.service.services.store.entriesAfter(revision, 1000)

  before(async function () {
    this.timeout(120_000)
    server = await sampleServer()
    reader = await server.as('read-only')
  })
  after(() => server.close())

  it('has one entry with its lines for every write, by whatever route', async () => {
    for await (const write of everyWrite(server)) {
      writes.push(write)
      const { route, path, body } = write
      const before = await head()
      const requestId = `request-of-a-client-${writes.length}`
      const answer = await server.request(route.split(' ')[0]!, path, body, { 'x-request-id': requestId })
      expect(answer.status, `${route}: ${answer.text.slice(0, 300)}`).to.equal(200)
      const [entry, ...more] = await entriesAfter(before)
      expect(more, route).to.deep.equal([])
      expect(entry, route).to.include({ user: 'admin', requestId })
      expect(entry!.changes, route).not.to.deep.equal([])
      expect(entry!.log, route).not.to.deep.equal([])
      for (const { level, message } of entry!.log) {
        expect(level, route).to.be.oneOf(['APICHANGE', 'OPER'])
        expect(message, route).to.match(/^\P{Cc}{4,2000}$/u)
      }
    }
  }).timeout(120_000)

  it('was tried on every route that writes', () => {
    const tried = new Set(writes.map(({ route }) => route))
    const all = writing.map(routeOf).filter((route) => !changeNothing.test(route))
    const missing = all.filter((route) => !tried.has(route))
    expect(missing, 'each wants a line in a file of test/writes/').to.deep.equal([])
    expect([...tried].filter((route) => !all.includes(route))).to.deep.equal([])
  })

  it('has nothing of writes that were refused', async () => {
    const before = await head()
    for (const { route, path, body } of writes) {
      const [method = ''] = route.split(' ')
      const { role } = writing.find((endpoint) => routeOf(endpoint) === route)!
      const { status } = await server.anonymous.request(method, path, body)
      expect(status, `${route} without a session`).to.equal(401)
      if (role !== 'any' && role !== 'checker')
        expect((await reader.request(method, path, body)).status, route).to.equal(403)
      if (method !== 'GET' && body !== undefined) {
        const malformed = await server.request(method, path, '{"half')
        expect(malformed.status, `${route}: ${malformed.text}`).to.equal(400)
      }
      const nowhere = path.replace(/(?<=[/=])\d+(?=[/&]|$)/g, '999999999').replaceAll('written', 'no-such')
      if (nowhere === path) continue
      const missing = await server.request(method, nowhere, method === 'GET' ? undefined : {})
      expect(missing.status, `${route} ${nowhere}: ${missing.text}`).to.be.within(400, 499)
    }
    expect(await entriesAfter(before)).to.deep.equal([])
  }).timeout(120_000)

  it('has nothing of dry runs', async () => {
    const before = await head()
    const { body } = await server.ok('POST', '/api/1.3/servers/queue_update?dryRun=true', {
      action: 'queue',
      type: 'EDGE',
    })
    expect(body.response.count).to.be.greaterThan(10)
    expect(body.changes).to.have.length(body.response.count)
    await server.ok('POST', '/api/1.3/divisions?dryRun=true', { name: 'never' })
    await server.ok('POST', '/update/edge-chi-01?dryRun=true', { updated: 0 })
    expect(await head()).to.equal(before)
  })

  describe('GET logs', () => {
    it('shows the newest first, in pages', async () => {
      const all = (await server.ok('GET', '/api/1.3/logs?limit=25')).body.response
      const ids = all.map(({ id }: { id: number }) => id)
      expect(ids).to.deep.equal(ids.toSorted((a: number, b: number) => b - a))
      const paged = []
      for (let page = 0, from = ''; page < 5; page++) {
        const { response } = (await server.ok('GET', `/api/1.3/logs?limit=5${from}`)).body
        paged.push(...response)
        from = `&before=${response.at(-1).id}`
      }
      expect(paged).to.deep.equal(all)
    })

    it('filters by user, level and days', async () => {
      const operator = await server.as('operations', { username: 'olga' })
      await operator.ok('POST', '/api/1.3/divisions', { name: 'of olga' })
      const own = (await server.ok('GET', '/api/1.3/logs?user=olga')).body.response
      expect(own.map(({ user, level }: { user: string; level: string }) => [user, level])).to.deep.equal([
        ['olga', 'APICHANGE'],
      ])
      expect(own[0].message).to.contain('of olga')
      const side = (await server.ok('GET', '/api/1.3/logs?level=OPER')).body.response
      expect(side.length).to.be.greaterThan(0)
      expect(side.every(({ level }: { level: string }) => level === 'OPER')).to.equal(true)
      expect((await server.ok('GET', '/api/1.3/logs/1/days')).body.response[0].message).to.equal(own[0].message)
      expect((await server.get('/api/1.3/logs?days=x')).status).to.equal(400)
      expect((await server.get('/api/1.3/logs?limit=-1')).status).to.equal(400)
    })

    it('counts what is new to each client', async () => {
      const first = await server.get('/api/1.1/logs.json?limit=1')
      const seen = first.headers
        .getSetCookie()
        .find((one) => one.startsWith('last_seen_log='))!
        .split(';')[0]!
      const count = async (path: string) =>
        (await server.get(path, { cookie: `${server.cookie()}; ${seen}` })).body.response.newLogcount
      expect(await count('/api/1.1/logs/newcount.json')).to.equal(0)
      await server.ok('POST', '/api/1.3/divisions', { name: 'newer' })
      await server.ok('POST', '/api/1.3/divisions', { name: 'newest' })
      expect(await count('/api/1.1/logs/newcount.json')).to.equal(2)
      expect(await count('/api/1.2/logs/newcount')).to.equal('2')
      expect((await server.get('/api/1.1/logs/newcount.json')).body.response.newLogcount).to.equal(0)
    })
  })

  describe('what is larger than an answer should be', function () {
    this.timeout(60_000)
    let since: number
    const divisions = Array.from({ length: 6000 }, (_, at) => ({ name: `division ${at} "],[{` }))

    before(async () => {
      since = await head()
      await server.ok('POST', '/api/1.3/import', { divisions })
      for (let at = 0; at < 30; at++) {
        await Promise.all(
          Array.from({ length: 50 }, (_, step) =>
            server.ok('POST', '/api/1.3/divisions', { name: `later ${at * 50 + step}` }),
          ),
        )
      }
    })

    it('is sent whole: lines of the log', async () => {
      const lines = (await server.ok('GET', '/api/1.3/logs?limit=200000')).body.response as { id: number }[]
      expect(lines.length).to.be.greaterThan(1500)
      expect(lines).to.deep.equal(lines.toSorted((a, b) => b.id - a.id))
      expect(new Set(lines.map(({ id }) => id)).size).to.equal(lines.length)
      expect((await server.ok('GET', '/api/1.3/logs/1/days')).body.response).to.have.length(lines.length)
      expect((await server.ok('GET', '/api/1.3/logs?limit=1207')).body.response).to.deep.equal(lines.slice(0, 1207))
      expect((await server.request('HEAD', '/api/1.3/logs?limit=200000')).text).to.equal('')
    })

    it('is sent whole: the changes of an entry, and pages of entries', async () => {
      const { body } = await server.ok('GET', `/api/1.3/changes?since=${since}&limit=1000`)
      expect(body.response[0].changes.map(({ after }: { after: Named }) => after!.name)).to.deep.equal(
        divisions.map(({ name }) => name),
      )
      expect(body.response).to.have.length(1000)
      expect(body).to.include({ next: since + 1000, revision: since + 1501 })
      const rest = (await server.ok('GET', `/api/1.3/changes?since=${body.next}&limit=1000`)).body
      expect(rest.response).to.have.length(501)
      expect(rest).to.include({ next: since + 1501 })
      const none = (await server.ok('GET', `/api/1.3/changes?since=${rest.next}`)).body
      expect(none).to.deep.equal({ response: [], revision: since + 1501, next: since + 1501 })
    })
  })

  describe('GET changes', () => {
    it('has each record before and after', async () => {
      const since = await head()
      const made = (await server.ok('POST', '/api/1.3/divisions', { name: 'first' })).body.response
      await server.ok('PUT', `/api/1.3/divisions/${made.id}`, { name: 'second' })
      await server.ok('DELETE', `/api/1.3/divisions/${made.id}`)
      const { body } = await server.ok('GET', `/api/1.3/changes?since=${since}`)
      const names = body.response.map(({ changes }: { changes: { before: Named; after: Named }[] }) =>
        changes.map(({ before, after }) => [before?.name ?? null, after?.name ?? null]),
      )
      expect(names).to.deep.equal([[[null, 'first']], [['first', 'second']], [['second', null]]])
      expect(body.response.map(({ revision }: Entry) => revision)).to.deep.equal([since + 1, since + 2, since + 3])
      expect(body).to.include({ revision: since + 3, next: since + 3 })
      const [, second] = body.response
      expect(second).to.include.keys('user', 'time', 'id', 'requestId', 'log')
      const page = (await server.ok('GET', `/api/1.3/changes?since=${since}&limit=2`)).body
      expect(page.next).to.equal(since + 2)
      expect((await server.get('/api/1.3/changes?since=x')).status).to.equal(400)
      expect((await reader.get('/api/1.3/changes')).status).to.equal(403)
    })

    it('tells nobody a secret, and that it changed', async () => {
      const since = await head()
      const secrets = [
        'ilo-secret-1',
        'ilo-secret-2',
        'value-secret-1',
        'value-secret-2',
        'A-password-that-nobody-sees',
      ]
      const { id } = (await server.ok('GET', '/api/1.3/servers?hostName=edge-nyc-01')).body.response[0]
      for (const iloPassword of secrets.slice(0, 2)) {
        const copy = (await server.ok('GET', `/api/1.3/servers/${id}`)).body.response[0]
        await server.ok('PUT', `/api/1.3/servers/${id}`, { ...copy, iloPassword })
      }
      const secret = { name: 'secret', configFile: 'x.config', value: secrets[2], secure: 1 }
      const parameter = (await server.ok('POST', '/api/1.3/parameters', secret)).body.response
      const parameterId = (Array.isArray(parameter) ? parameter[0] : parameter).id
      await server.ok('PUT', `/api/1.3/parameters/${parameterId}`, { value: secrets[3] })
      await server.ok('POST', '/api/1.3/users', {
        username: 'sealed',
        email: 's@example.net',
        fullName: 'S',
        role: (await server.ok('GET', '/api/1.3/roles?name=portal')).body.response[0].id,
        tenantId: (await server.ok('GET', '/api/1.3/tenants?name=root')).body.response[0].id,
        localPassword: secrets[4],
        confirmLocalPassword: secrets[4],
      })
      const { text, body } = await server.ok('GET', `/api/1.3/changes?since=${since}`)
      const logs = (await server.ok('GET', '/api/1.3/logs?limit=100')).text
      for (const hidden of secrets) expect(text + logs).not.to.contain(hidden)
      const shown = body.response
        .flatMap(({ changes }: { changes: { kind: string; after: object }[] }) => changes)
        .filter(({ kind }: { kind: string }) => kind === 'servers')
        .map(({ after }: { after: { iloPassword: string } }) => after.iloPassword)
      expect(shown.at(-1)).to.equal('******** (changed)')
      expect(JSON.stringify(await entriesAfter(since))).not.to.contain(secrets[4])
    })

    it('shows no private key, no hash and no token of the whole journal', async () => {
      const { catalogue } = server.service.services
      const stored = (await entriesAfter(0)).flatMap(({ changes }) => changes)
      const hidden = stored.flatMap(({ kind, before, after }) =>
        Object.entries(catalogue.has(kind) ? catalogue.of(kind).fields : {})
          .filter(([, { notes }]) => notes.hidden)
          .flatMap(([name]) => [before?.[name], after?.[name]])
          .filter((value) => typeof value === 'string' && value.length > 8 && !/^\d{4}-/.test(value)),
      ) as string[]
      expect(hidden.length).to.be.greaterThan(20)
      const { text } = await server.ok('GET', '/api/1.3/changes?limit=1000')
      expect(hidden.filter((value) => text.includes(value))).to.deep.equal([])
      expect(text).not.to.contain('PRIVATE KEY')
    })
  })
})

type Named = { readonly name?: string } | null
