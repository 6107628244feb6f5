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
      expect(answer.status, `${route}: ${answer.text.slice(0, 300)}`).to.be.oneOf([200, 302])
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

    it('searches text, records and times', async () => {
      const messages = async (query: string): Promise<string[]> => {
        const { response } = (await server.ok('GET', `/api/1.3/logs?${query}`)).body
        return response.map(({ message }: { message: string }) => message)
      }
      const started = new Date().toISOString()
      const made = (await server.ok('POST', '/api/1.3/divisions', { name: 'Pier-1' })).body.response
      await server.ok('POST', '/api/1.3/divisions', { name: 'Pier-10' })
      await server.ok('PUT', `/api/1.3/divisions/${made.id}`, { name: 'Pier-1b' })
      expect(await messages('text=PIER-1&limit=9')).to.have.length(3)
      expect(await messages('record=pier-1')).to.have.length(1)
      const line = `Updated division with name Pier-1b (id ${made.id}): name`
      expect((await messages(`record=${made.id}&text=pier`))[0]).to.equal(line)
      expect(await messages(`from=${started}&text=pier`)).to.have.length(3)
      expect(await messages(`until=${started}&text=pier`)).to.deep.equal([])
      expect(await messages('from=2020-01-01 00:00:00+00&limit=1')).to.have.length(1)
      expect(await messages('text=%')).to.deep.equal([])
      for (const wrong of ['from=yesterday', 'until=5', `text=${'x'.repeat(300)}`])
        expect((await server.get(`/api/1.3/logs?${wrong}`)).status, wrong).to.equal(400)
    })

    it('names the fields that a write changed, and of secrets only that they were given', async () => {
      const [cache] = (await server.ok('GET', '/api/1.3/servers?hostName=edge-chi-02')).body.response
      const last = async (body: object): Promise<string> => {
        await server.ok('PATCH', `/api/1.3/servers/${cache.id}`, body)
        return (await server.ok('GET', '/api/1.3/logs?limit=1')).body.response[0].message
      }
      const begins = `Updated server with hostName edge-chi-02 (id ${cache.id}): `
      expect(await last({ rack: 'R77', status: 'OFFLINE', tcpPort: cache.tcpPort })).to.equal(`${begins}status, rack`)
      expect(await last({ iloPassword: 'one', rack: 'R78' })).to.equal(`${begins}rack, iloPassword`)
      expect(await last({ iloPassword: 'one', rack: 'R79' })).to.equal(`${begins}rack, iloPassword`)
      await server.ok('PATCH', `/api/1.3/servers/${cache.id}`, { status: cache.status })
      const [service] = (await server.ok('GET', '/api/1.3/deliveryservices')).body.response
      await server.ok('PUT', `/api/1.3/deliveryservices/${service.id}/safe`, { longDesc: 'said', infoUrl: 'http://i' })
      const [{ message }] = (await server.ok('GET', '/api/1.3/logs?limit=1')).body.response
      expect(message).to.match(/: longDesc, infoUrl$/)
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
    it('filters by record, user and time, and shows the newest first', async () => {
      const since = await head()
      const ann = await server.as('operations', { username: 'ann' })
      const { id } = (await ann.ok('POST', '/api/1.3/divisions', { name: 'of ann' })).body.response
      for (const name of ['a', 'b', 'c']) await server.ok('PUT', `/api/1.3/divisions/${id}`, { name: `ann ${name}` })
      await ann.ok('DELETE', `/api/1.3/divisions/${id}`)
      const asked = async (query: string) =>
        (await server.ok('GET', `/api/1.3/changes?since=${since}&${query}`)).body as { response: Entry[]; next: number }
      const revisions = ({ response }: { response: Entry[] }) => response.map(({ revision }) => revision)
      const all = revisions(await asked(''))
      expect(revisions(await asked('sortOrder=desc'))).to.deep.equal(all.toReversed())
      const own = await asked(`record=divisions/${id}`)
      expect(own.response).to.have.length(5)
      expect(own.response.every(({ changes }) => changes.length === 1 && changes[0]!.id === id)).to.equal(true)
      expect(revisions(await asked('user=ann'))).to.deep.equal([revisions(own)[0], revisions(own)[4]])
      const pages: number[] = []
      for (let before = ''; pages.length < 5; ) {
        const page = await asked(`record=divisions/${id}&sortOrder=desc&limit=2${before}`)
        pages.push(...revisions(page))
        before = `&before=${page.next}`
      }
      expect(pages).to.deep.equal(revisions(own).toReversed())
      const { time } = own.response[2]!
      expect(revisions(await asked(`from=2020-01-01 00:00:00&until=${new Date().toISOString()}`))).to.deep.equal(all)
      expect(revisions(await asked('until=2020-01-01 00:00:00'))).to.deep.equal([])
      expect(revisions(await asked(`from=${time}`))).to.include(revisions(own)[2])
      expect(revisions(await asked('record=divisions/nowhere'))).to.deep.equal([])
      const named = (await server.ok('GET', '/api/1.3/changes?record=servers/edge-chi-02&sortOrder=desc&limit=1')).body
      expect(named.response).to.have.length(1)
      for (const wrong of ['record=7', 'record=nothing/7', 'from=x', 'before=x'])
        expect((await server.get(`/api/1.3/changes?${wrong}`)).status, wrong).to.equal(400)
    })

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
