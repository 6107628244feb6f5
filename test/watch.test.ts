import { randomUUID } from 'node:crypto'
import { get as httpGet, type IncomingMessage } from 'node:http'
import { expect } from 'chai'
import type { TestServer } from './build.js'
import { buildServer } from './build.js'

interface Event {
  readonly id: number
  readonly data: { revision: number; kinds: string[]; cdns: string[] | null }
}

/** A minimal reader of server-sent events. */
class Watcher {
  readonly events: Event[] = []
  #waiting: (() => void)[] = []
  #text = ''

  constructor(readonly response: IncomingMessage) {
    response.setEncoding('utf8')
    response.on('data', (chunk: string) => {
      this.#text += chunk
      const parts = this.#text.split('\n\n')
      this.#text = parts.pop()!
      for (const part of parts) {
        const id = /^id: (\d+)$/m.exec(part)
        const data = /^data: (.*)$/m.exec(part)
        if (id && data) this.events.push({ id: Number(id[1]), data: JSON.parse(data[1]!) })
      }
      for (const wake of this.#waiting.splice(0)) wake()
    })
    response.on('error', () => undefined)
  }

  static open(server: TestServer, query = '', headers: Record<string, string> = {}): Promise<Watcher> {
    return new Promise((resolve, reject) => {
      httpGet(
        `${server.url}/api/1.3/watch${query}`,
        { headers: { cookie: server.cookie(), ...headers } },
        (response) => {
          if (response.statusCode === 200) resolve(new Watcher(response))
          else {
            response.resume()
            reject(new Error(String(response.statusCode)))
          }
        },
      ).on('error', reject)
    })
  }

  async until(count: number): Promise<Event[]> {
    while (this.events.length < count) await new Promise<void>((wake) => this.#waiting.push(wake))
    return this.events
  }

  close(): void {
    this.response.destroy()
  }
}

describe('the change stream', function () {
  this.timeout(30_000)
  let server: TestServer
  const revision = () => server.service.services.workingSet.revision
  let number = 0
  const division = () => server.ok('POST', '/api/1.3/divisions', { name: `division ${number++}` })

  before(async () => {
    server = await buildServer()
    for (const name of ['east', 'west']) {
      await server.ok('POST', '/api/1.3/cdns', { name, domainName: `${name}.example.net`, dnssecEnabled: false })
    }
  })
  after(() => server.close())

  it('tells of every change, once and in order', async () => {
    const watcher = await Watcher.open(server)
    const from = revision()
    for (let i = 0; i < 5; i++) await division()
    const events = await watcher.until(5)
    expect(events.map(({ id }) => id)).to.deep.equal([1, 2, 3, 4, 5].map((step) => from + step))
    expect(events[0]!.data.kinds).to.deep.equal(['divisions'])
    watcher.close()
  })

  it('resumes where a client left off, also with what came meanwhile', async () => {
    const from = revision()
    for (let i = 0; i < 3; i++) await division()
    const watcher = await Watcher.open(server, '', { 'last-event-id': String(from) })
    await division()
    const events = await watcher.until(4)
    expect(events.map(({ id }) => id)).to.deep.equal([1, 2, 3, 4].map((step) => from + step))
    watcher.close()
  })

  it('loses and doubles nothing over reconnects while writes go on', async () => {
    const from = revision()
    const writes = 60
    const writing = (async () => {
      for (let i = 0; i < writes; i++) await division()
    })()
    const seen: number[] = []
    while (seen.length < writes) {
      const watcher = await Watcher.open(server, '', { 'last-event-id': String(seen.at(-1) ?? from) })
      await watcher.until(1)
      seen.push(...watcher.events.slice(0, 7).map(({ id }) => id))
      watcher.close()
    }
    await writing
    expect(seen.slice(0, writes)).to.deep.equal(Array.from({ length: writes }, (_, at) => from + 1 + at))
  })

  it('tells a client that is thousands of events behind, at the pace it reads', async () => {
    const from = revision()
    const count = 3000
    for (let made = 0; made < count; made += 100) await Promise.all(Array.from({ length: 100 }, division))
    const all = Array.from({ length: count }, (_, at) => from + 1 + at)
    const [fast, slow] = await Promise.all([0, 1].map(() => Watcher.open(server, `?since=${from}`)))
    slow!.response.pause()
    expect((await fast!.until(count)).map(({ id }) => id)).to.deep.equal(all)
    await division()
    slow!.response.resume()
    expect((await slow!.until(count + 1)).map(({ id }) => id)).to.deep.equal([...all, from + count + 1])
    for (const watcher of [fast, slow]) watcher!.close()
  })

  it('names what an entry concerns, however many changes it has', async () => {
    const from = revision()
    const live = await Watcher.open(server)
    const many = (kind: string) => Array.from({ length: 700 }, (_, at) => ({ name: `${kind} ${at} of ${from}` }))
    await server.ok('POST', '/api/1.3/import', { divisions: many('division') })
    const later = await Watcher.open(server, `?since=${from}`)
    for (const watcher of [live, later]) {
      const [event] = await watcher.until(1)
      expect(event).to.deep.include({ id: from + 1 })
      expect(event!.data).to.deep.include({ revision: from + 1, kinds: ['divisions'], cdns: null })
      watcher.close()
    }
  })

  it('goes on after a restart of the instance', async () => {
    const from = revision()
    await division()
    await server.service.close()
    server = await buildServer({ dataDir: server.dataDir })
    await division()
    const watcher = await Watcher.open(server, '', { 'last-event-id': String(from) })
    expect((await watcher.until(2)).map(({ id }) => id)).to.deep.equal([from + 1, from + 2])
    watcher.close()
  })

  it('tells a watcher of one CDN only what concerns it', async () => {
    const watcher = await Watcher.open(server, '?cdn=east')
    const all = (await server.get('/api/1.3/cdns')).body.response
    for (const name of ['west', 'east']) {
      const cdn = all.find((one: { name: string }) => one.name === name)
      await server.ok('PUT', `/api/1.3/cdns/${cdn.id}`, { ...cdn, domainName: `${name}.example.org` })
    }
    const [event] = await watcher.until(1)
    expect(event!.id).to.equal(revision())
    expect(event!.data.cdns).to.deep.equal(['east'])
    watcher.close()
  })

  describe('of somebody who is barred', () => {
    const bars: Record<string, (who: Barred) => Promise<unknown>> = {
      'ends with the role': async ({ id, body }) => {
        const [none] = (await server.ok('GET', '/api/1.3/roles?name=disallowed')).body.response
        await server.ok('PUT', `/api/1.3/users/${id}`, { ...body, role: none.id })
      },
      'ends with what the role may do': async ({ body }) => {
        const [role] = (await server.ok('GET', `/api/1.3/roles?id=${body.role}`)).body.response
        await server.ok('PUT', `/api/1.3/roles?id=${role.id}`, { ...role, privLevel: 0 })
      },
      'ends with the password': async ({ id, body }) => {
        const password = { localPassword: 'another horse', confirmLocalPassword: 'another horse' }
        await server.ok('PUT', `/api/1.3/users/${id}`, { ...body, ...password })
      },
      'ends with the session': ({ client }) => client.ok('POST', '/api/1.3/user/logout'),
      'ends with the token': async ({ tokenId }) => {
        await server.ok('DELETE', `/api/1.3/tokens/${tokenId}`)
      },
    }
    for (const [what, bar] of Object.entries(bars)) {
      it(`${what}, and tells of nothing after it`, async () => {
        const who = await barred(server)
        const headers: Record<string, string> = what.endsWith('token') ? who.withToken : { cookie: who.client.cookie() }
        const watcher = await Watcher.open(server, '', headers)
        const other = await Watcher.open(server)
        const waiting = server.anonymous.get(`/api/1.3/cdns?wait=30s&rev=${revision()}`, headers)
        while (server.service.services.changeFeed.watchers < 3) await new Promise((resolve) => setImmediate(resolve))
        const ended = new Promise((resolve) => watcher.response.on('end', resolve))
        await bar(who)
        await ended
        await division()
        await other.until(2)
        expect(watcher.events.map(({ id }) => id)).to.deep.equal([])
        expect((await waiting).status).to.equal(401)
        other.close()
      })
    }
  })

  it('refuses unknown CDNs and bad revisions before it begins', async () => {
    const status = (query: string) =>
      Watcher.open(server, query).then(
        () => 200,
        (error: Error) => Number(error.message),
      )
    expect(await status('?cdn=nowhere')).to.equal(404)
    expect(await status('?since=soon')).to.equal(400)
    expect((await server.anonymous.get('/api/1.3/watch')).status).to.equal(401)
  })

  it('lets go of watchers that leave', async () => {
    const watchers = await Promise.all(Array.from({ length: 50 }, () => Watcher.open(server)))
    expect(server.service.services.changeFeed.watchers).to.be.at.least(50)
    for (const watcher of watchers) watcher.close()
    while (server.service.services.changeFeed.watchers > 0) await new Promise((resolve) => setImmediate(resolve))
  })
})

type Barred = Awaited<ReturnType<typeof barred>>

/** A user with a role, a session and a token of their own. */
async function barred(server: TestServer) {
  const name = `barred-${randomUUID().slice(0, 8)}`
  await server.ok('POST', '/api/1.3/roles', { name, description: name, privLevel: 20, capabilities: [] })
  const client = await server.as(name, { username: name })
  const [body] = (await server.ok('GET', `/api/1.3/users?username=${name}`)).body.response
  const { response } = (await client.ok('POST', '/api/1.3/tokens', { description: name, scopes: ['read'] })).body
  const withToken = { authorization: `Bearer ${response.token}`, cookie: '' }
  return { client, id: body.id, body, tokenId: response.id, withToken }
}
