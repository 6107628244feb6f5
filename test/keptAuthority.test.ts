import { randomUUID } from 'node:crypto'
import { expect } from 'chai'
import { tokenHash } from '../api/middleware/access/credentials.js'
import { system } from '../api/schema/privileges.js'
import type { TestServer } from './build.js'
import { buildServer } from './build.js'
import type { ColdService } from './coldService.js'
import { coldService } from './coldService.js'
import { everyGet } from './gets.js'
import { rawGet } from './rawGet.js'
import { sampleServer } from './sampleServer.js'
import { seededRandom } from './seededRandom.js'

type Headers = Readonly<Record<string, string>>
type Callers = Record<string, Headers>
interface Pair {
  readonly who: string
  readonly headers: Headers
  readonly path: string
}

const now = () => new Date('2030-01-01T12:00:00Z')
const ofCache = 'config:read:server=edge-chi-01'

/**
 * Every GET and every kind of caller: what is answered from memory is what a service answers that remembers nothing,
 * whoever asked the same before, and whatever became of the right to ask.
 */
describe('what is kept, and who may ask for it', function () {
  this.timeout(600_000)
  let server: TestServer
  let cold: ColdService
  let callers: Callers
  let paths: string[]

  before(async () => {
    server = await sampleServer({ now })
    cold = await coldService(server.service)
    callers = await everyCaller(server)
    paths = await everyGet(server)
    await server.ok('PUT', '/api/1.3/snapshot/stream')
  })
  after(async () => {
    await cold.close()
    await server.close()
  })

  const pairsOf = (asking: Callers, of: readonly string[]): Pair[] =>
    Object.entries(asking).flatMap(([who, headers]) => of.map((path) => ({ who, headers, path })))

  /** What each is answered by a service that remembers nothing. */
  const coldAnswers = async (pairs: readonly Pair[]): Promise<Map<Pair, string>> => {
    const answers = new Map<Pair, string>()
    for (const pair of pairs) answers.set(pair, await refusalOr(cold.url, pair))
    return answers
  }

  /** What differs from a cold answer when every pair is asked in an order of chance; again for each seed. */
  const differences = async (expected: ReadonlyMap<Pair, string>, seeds: readonly number[]): Promise<string[]> => {
    const wrong: string[] = []
    for (const seed of seeds) {
      for (const pair of shuffled([...expected.keys()], seed)) {
        const { who, path } = pair
        const warm = await refusalOr(server.url, pair)
        const right = expected.get(pair)!
        if (warm !== right) wrong.push(`${who} ${path}: ${warm.slice(0, 120)} instead of ${right.slice(0, 120)}`)
      }
    }
    return wrong
  }

  // In the first order everybody comes again when all have asked; in the second others are first.
  for (const [at, seeds] of [[101, 102], [201]].entries()) {
    it(`is the same warm as cold, in the order ${at + 1}`, async () => {
      expect(await differences(await coldAnswers(pairsOf(callers, paths)), seeds)).to.deep.equal([])
      await cold.close()
      await server.service.close()
      server = { ...(await buildServer({ dataDir: server.dataDir, now })), cookie: server.cookie }
      cold = await coldService(server.service)
    })
  }

  it('is asked for by callers of whom some may and some may not', async () => {
    const statuses = new Set<string>()
    for (const [who, headers] of Object.entries(callers)) {
      for (const path of ['/api/1.3/users', '/api/1.3/servers/edge-chi-01/configfiles/ats', '/api/1.3/parameters']) {
        statuses.add(`${who.split(' ')[0]} ${(await rawGet(server.url, path, headers)).status}`)
      }
    }
    const said = [...statuses].join(', ')
    for (const one of ['nobody 401', 'read-only 200', 'read-only 403', 'token 200', 'token 403', 'token 401']) {
      expect(said).to.contain(one)
    }
  })

  it('leaves a cache without the signing keys of a profile that it left', async () => {
    const { headers, keys } = await cacheWithKeys(server)
    for (const file of keys) expect((await rawGet(server.url, file, headers)).status).to.equal(200)
    await moveTo(server, 'MID_ATS9')
    for (const file of keys) {
      for (const url of [server.url, cold.url]) expect((await rawGet(url, file, headers)).status, file).to.equal(403)
    }
    await moveTo(server, 'EDGE_ATS9')
  })

  it('ends the waiting of a cache for the signing keys of a profile that it leaves', async () => {
    const { headers, keys } = await cacheWithKeys(server)
    const { etag } = await rawGet(server.url, keys[0]!, headers)
    const waiting = rawGet(server.url, `${keys[0]}?wait=30s`, { ...headers, 'if-none-match': etag! })
    while (!/^edgewright_long_polls 1$/m.test((await server.anonymous.get('/metrics')).text));
    await moveTo(server, 'MID_ATS9')
    expect((await waiting).status).to.equal(403)
    await moveTo(server, 'EDGE_ATS9')
  })

  it('is not given any more when what permitted it has changed', async () => {
    const asking = Object.fromEntries(
      Object.entries(callers).filter(([who]) => /config:read|media-house|agent|token read of/.test(who)),
    )
    expect(Object.keys(asking)).to.have.length.above(5)
    const concerned = paths.filter((path) =>
      /configfiles|\/ort\/|update|users|tenants|services$|origins|jobs/.test(path),
    )
    expect(concerned).to.have.length.above(20)
    const pairs = pairsOf(asking, concerned)
    expect(await differences(await coldAnswers(pairs), [1])).to.deep.equal([])
    for (const [at, [what, change]] of Object.entries(changes).entries()) {
      await change(server)
      expect(await differences(await coldAnswers(pairs), [2 + at]), what).to.deep.equal([])
    }
  })
})

/** Who shows the same wrong token again and again is told to wait, which is as good as a refusal. */
async function refusalOr(url: string, { path, headers }: Pair): Promise<string> {
  const { status, etag, type, body } = await rawGet(url, path, headers)
  return [401, 429].includes(status) ? 'refused' : `${status} ${etag} ${type} ${body}`
}

async function everyCaller(server: TestServer): Promise<Callers> {
  const callers: Callers = { nobody: {}, admin: { cookie: server.cookie() } }
  const users = [
    ...['read-only', 'ort', 'portal', 'steering', 'federation', 'operations', 'admin'].map((role) => [role, 'root']),
    ['read-only', 'media-house'],
    ['operations', 'media-house'],
    ['admin', 'media-house'],
    ['operations', 'media-house-sports'],
    ['operations', 'software-vendor'],
  ] as const
  for (const [role, tenant] of users) {
    const client = await server.as(role!, { tenant: tenant! })
    callers[`${role} of ${tenant}`] = { cookie: client.cookie() }
    if (role === 'read-only') callers[`${role} of ${tenant}, another`] = { cookie: (await server.as(role)).cookie() }
  }
  callers['agent of one cache'] = { cookie: (await server.as('ort')).cookie() }
  const tokens: [owner: string, tenant: string, scopes: readonly string[], expires: string | null][] = [
    ['operations', 'root', [], null],
    ['operations', 'root', ['read'], null],
    ['operations', 'root', ['read', ofCache], null],
    ['operations', 'root', [ofCache], null],
    ['ort', 'root', [ofCache], null],
    ['admin', 'root', [], null],
    ['admin', 'root', ['read'], null],
    ['read-only', 'root', ['read'], null],
    ['admin', 'media-house', ['read'], null],
    ['operations', 'root', ['read'], '2029-12-31T00:00:00.000Z'],
    ['operations', 'root', ['write:servers'], null],
    ['operations', 'root', ['checks'], null],
  ]
  for (const [owner, tenant, scopes, expires] of tokens) {
    const username = `owner-${Object.keys(callers).length}`
    await server.as(owner, { tenant, username })
    const name = `token ${scopes.join(' ') || 'without scopes'} of ${owner} of ${tenant}${expires ? ', expired' : ''}`
    callers[name] = await tokenOf(server, username, scopes, expires)
  }
  const revoked = await tokenOf(server, 'owner-30', ['read'], null).catch(() => null)
  callers['token that is none'] = revoked ?? { authorization: 'Bearer ew_nobody' }
  return callers
}

/** A token as it lies in the store, whoever let it in. */
async function tokenOf(
  { service }: TestServer,
  username: string,
  scopes: readonly string[],
  expires: string | null,
): Promise<Headers> {
  const token = `ew_${randomUUID()}`
  await service.services.committer.write({ user: system, requestId: randomUUID() }, (transaction) => {
    const userId = transaction.data.ids('users', 'username', username)[0]!
    const values = { description: 'test', userId, scopes: [...scopes], expires, hash: tokenHash(token) }
    transaction.create('apiTokens', values as never)
  })
  return { authorization: `Bearer ${token}` }
}

async function cacheWithKeys(server: TestServer): Promise<{ headers: Headers; keys: string[] }> {
  const username = `owner-of-a-cache-${randomUUID()}`
  await server.as('operations', { username })
  const headers = await tokenOf(server, username, [ofCache], null)
  const listing = JSON.parse((await rawGet(server.url, '/api/1.3/servers/edge-chi-01/configfiles/ats', headers)).body)
  const files: { fnameOnDisk: string; apiUri: string }[] = listing.configFiles
  const keys = files.filter(({ fnameOnDisk }) => /^(url_sig|uri_signing)_/.test(fnameOnDisk))
  expect(keys).to.have.length.above(1)
  return { headers, keys: keys.map(({ apiUri }) => apiUri) }
}

async function edit(server: TestServer, kind: string, filter: string, fields: object): Promise<void> {
  const [record] = (await server.ok('GET', `/api/1.3/${kind}?${filter}`)).body.response
  await server.ok('PUT', `/api/1.3/${kind}/${record.id}`, { ...record, ...fields })
}

async function moveTo(server: TestServer, profile: string): Promise<void> {
  const [{ id }] = (await server.ok('GET', `/api/1.3/profiles?name=${profile}`)).body.response
  await edit(server, 'servers', 'hostName=edge-chi-01', { profileId: id, profile })
}

/** What takes away a right that a caller had, or gives another. */
const changes: Record<string, (server: TestServer) => Promise<void>> = {
  'the cache goes to another profile': (server) => moveTo(server, 'MID_ATS9'),
  'the cache comes back': (server) => moveTo(server, 'EDGE_ATS9'),
  'the cache is called otherwise': (server) => edit(server, 'servers', 'hostName=edge-chi-01', { hostName: 'edge-x' }),
  'another cache is called as it was': (server) =>
    edit(server, 'servers', 'hostName=edge-chi-02', { hostName: 'edge-chi-01' }),
  'a profile is called otherwise': (server) => edit(server, 'profiles', 'name=EDGE_ATS9', { name: 'EDGE_OTHER' }),
  'a tenant is switched off': (server) => edit(server, 'tenants', 'name=media-house', { active: false }),
  'a tenant is switched on': (server) => edit(server, 'tenants', 'name=media-house', { active: true }),
  'a tenant is moved': (server) => edit(server, 'tenants', 'name=media-house-sports', { parentId: 1 }),
}

function shuffled<T>(items: readonly T[], seed: number): T[] {
  const random = seededRandom(seed)
  return items
    .map((item) => ({ item, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item)
}
