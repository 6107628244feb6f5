import { setTimeout as delay } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect } from 'chai'
import { system } from '../api/schema/privileges.js'
import { Budget } from '../compiler/core/budget.js'
import type { TestServer } from './build.js'
import { buildServer } from './build.js'
import { sampleServer } from './sampleServer.js'

describe('one bound for several caches', () => {
  const sized = () => ({ size: (value: string) => value.length })

  it('holds over all of them, and the largest gives what it used longest ago', () => {
    let pressed = 0
    const budget = new Budget(100, () => {
      pressed += 1
    })
    const [small, large] = [budget.cache<string>('small', sized()), budget.cache<string>('large', sized())]
    small.set('a', 'x'.repeat(30))
    for (const key of ['b', 'c', 'd']) large.set(key, 'x'.repeat(20))
    budget.trim()
    expect([budget.bytes, pressed]).to.deep.equal([90, 0])
    large.get('b')
    large.set('e', 'x'.repeat(20))
    budget.trim()
    expect([budget.bytes, pressed]).to.deep.equal([90, 1])
    expect([small.has('a'), large.has('b'), large.has('c')]).to.deep.equal([true, true, false])
    expect([...budget.shares()]).to.deep.equal([
      ['small', 30],
      ['large', 60],
    ])
  })

  it('takes in nothing that is larger than itself', () => {
    const budget = new Budget(100)
    const cache = budget.cache<string>('one', sized())
    cache.set('a', 'x'.repeat(101))
    budget.trim()
    expect([budget.bytes, cache.has('a')]).to.deep.equal([0, false])
  })
})

describe('a service that is closed', () => {
  it('leaves nothing of its data in memory', async () => {
    setFlagsFromString('--expose-gc')
    const collect = runInNewContext('gc') as () => void
    const closed = await Promise.all(
      [1, 2, 3].map(async () => {
        const { service, close } = await buildServer()
        const { workingSet } = service.services
        await close()
        return new WeakRef(workingSet)
      }),
    )
    const left = () => closed.filter((one) => one.deref() !== undefined).length
    for (let tries = 0; tries < 50 && left() > 0; tries++) {
      // What was looked at stays until this turn of the loop is over.
      await delay(100)
      collect()
    }
    expect(left()).to.equal(0)
  }).timeout(60_000)
})

describe('what a service keeps', function () {
  this.timeout(120_000)
  let server: TestServer
  beforeEach(async () => {
    server = await sampleServer()
  })
  afterEach(() => server.close())

  /** What `/metrics` says of the bytes of each cache. */
  async function kept(): Promise<Record<string, number>> {
    const { text } = await server.get('/metrics')
    const found = text.matchAll(/^edgewright_cache_bytes\{cache="(\w+)"\} (\d+)$/gm)
    return Object.fromEntries([...found].map(([, cache, bytes]) => [cache, Number(bytes)]))
  }

  const gauge = async (name: string): Promise<number> =>
    Number(new RegExp(`^${name} (\\d+)$`, 'm').exec((await server.get('/metrics')).text)![1])

  /** The same file in its plain and compressed forms, by two names, as it is after an edit of one of its services. */
  async function editAndFetch(dscp: number): Promise<void> {
    const [service] = (await server.ok('GET', '/api/1.3/deliveryservices?xmlId=vod')).body.response
    await server.ok('PUT', `/api/1.3/deliveryservices/${service.id}`, { ...service, dscp })
    const [edge] = (await server.ok('GET', '/api/1.3/servers?hostName=edge-chi-01')).body.response
    for (const encoding of ['identity', 'gzip', 'br']) {
      for (const name of [edge.id, edge.hostName]) {
        const path = `/api/1.3/servers/${name}/configfiles/cachesw/remap.config`
        const { status, text } = await server.get(path, { 'accept-encoding': encoding })
        expect([status, text.includes(`set_dscp_${dscp}.config`)]).to.deep.equal([200, true])
      }
    }
  }

  it('loses the bodies and forms of a file when it is compiled again', async () => {
    await editAndFetch(8)
    const before = await kept()
    expect(Object.keys(before)).to.include.members(['bodies', 'forms', 'answers', 'artifacts', 'parts'])
    expect(before.forms).to.be.greaterThan(1000)
    for (let round = 0; round < 20; round++) await editAndFetch(round % 2 === 0 ? 10 : 12)
    const after = await kept()
    for (const cache of ['bodies', 'forms', 'digests', 'artifacts']) {
      expect(after[cache], cache).to.be.within(before[cache]! * 0.8, before[cache]! * 1.2)
    }
  })

  it('keeps a body as long as another file has it', async () => {
    const path = (file: string, name: string) => `/api/1.3/profiles/${name}/configfiles/cachesw/${file}`
    const { services } = server.service
    const [one, two] = services.data.all('profiles').filter(({ type }) => type === 'ATS_PROFILE')
    // Of two profiles neither of which has parameters for it, both files are the header and nothing else.
    const file = 'sysctl.conf'
    for (const { name } of [one!, two!]) await server.ok('GET', path(file, name))
    const jobs = [one!, two!].map(({ id }) => ({ file, scope: 'profiles' as const, subjectId: id }))
    await server.ok('PUT', `/api/1.3/profiles/${one!.id}`, { ...one, name: `${one!.name}_X` })
    const again = await services.artifacts.get(jobs[0]!)
    const other = services.artifacts.peek(jobs[1]!)
    expect([again, other].map((artifact) => artifact && services.artifacts.bytes(artifact) !== null)).to.deep.equal([
      true,
      true,
    ])
  })

  it('forgets what nobody asks for any more, and which dependencies moved before that', async () => {
    const before = await kept()
    for (let at = 0; at < 200; at++) await server.ok('GET', `/api/1.3/divisions?limit=5&offset=${at}`)
    expect((await kept()).answers! - before.answers!).to.be.greaterThan(200 * 2000)
    await divisions(3300)
    // Seven of a new division, and what the last 1,100 writes moved is remembered at most.
    expect(await gauge('edgewright_remembered_dependencies')).to.be.lessThan(1100 * 7)
    expect((await kept()).answers!).to.be.lessThan(before.answers! + 100 * 2000)
  })

  /** So many journal entries, some of them made durable together. */
  async function divisions(count: number): Promise<void> {
    for (let at = 0; at < count; at += 100) {
      await Promise.all(
        Array.from({ length: 100 }, (_, i) => server.ok('POST', '/api/1.3/divisions', { name: `division ${at + i}` })),
      )
    }
  }

  it('says so when a file is larger than all there is room for, instead of compiling it for ever', async () => {
    await server.close()
    server = await sampleServer({ env: { CACHE_MB: '4' } })
    const { committer, data } = server.service.services
    const profile = data.all('profiles').find(({ type }) => type === 'ATS_PROFILE')!
    const value = 'x'.repeat(4000)
    await committer.write({ user: system, requestId: 'large' }, (transaction) => {
      for (let at = 0; at < 1000; at++) {
        transaction.create('parameters', {
          name: `name ${at}`,
          configFile: 'records.config',
          value,
          secure: false,
          profiles: [profile.id],
        })
      }
    })
    const path = `/api/1.3/profiles/${profile.id}/configfiles/cachesw`
    const compiles = server.service.services.artifacts.counts().compiles
    const { status } = await server.get(`${path}/sysctl.conf`)
    expect(status).to.equal(200)
    const large = await server.get(`${path}/records.config`)
    expect(large.status).to.equal(500)
    expect(server.service.services.artifacts.counts().compiles - compiles).to.be.lessThan(10)
  })

  it('stays within CACHE_MB, whoever asks for what', async () => {
    await server.close()
    server = await sampleServer({ env: { CACHE_MB: '4' } })
    for (let at = 0; at < 600; at++) await server.ok('GET', `/api/1.3/servers?limit=20&offset=${at % 5}&page=${at}`)
    const bytes = Object.values(await kept()).reduce((sum, one) => sum + one, 0)
    expect(bytes).to.be.within(2 ** 20, 3 * 2 ** 20)
    await editAndFetch(14)
  })
})
