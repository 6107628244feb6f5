import { Writable } from 'node:stream'
import { expect } from 'chai'
import pino from 'pino'
import { addressOf, subscriberOf, trustedProxies } from '../api/config/address.js'
import { system } from '../api/schema/privileges.js'
import type { Answered, TestServer } from './build.js'
import { buildServer } from './build.js'
import { sampleServer } from './sampleServer.js'

/** A service whose log is kept as the lines it wrote, and whose clock stands still unless it is set by hand. */
async function logged(build: typeof buildServer, env: Record<string, string>) {
  const lines: string[] = []
  const sink = new Writable({
    write: (chunk, _encoding, done) => {
      lines.push(...String(chunk).split('\n').filter(Boolean))
      done()
    },
  })
  const start = Date.now()
  const clock = { ahead: 0 }
  const server = await build({
    env,
    log: pino({ level: 'info' }, sink),
    now: () => new Date(start + clock.ahead),
  })
  // biome-ignore lint/suspicious/noExplicitAny: log lines of every shape
  const found = (msg: string): any[] => lines.map((line) => JSON.parse(line)).filter((line) => line.msg === msg)
  return { server, lines, found, clock }
}

const wrong = 'not-the-Password'

describe('guessing', function () {
  this.timeout(120_000)
  let world: Awaited<ReturnType<typeof logged>>
  let server: TestServer
  const from = (address: string) => ({ 'x-forwarded-for': address })
  const login = (u: string, p: string, address: string): Promise<Answered> =>
    server.anonymous.request('POST', '/api/1.3/user/login', { u, p }, from(address))
  const owner = (address: string) => login(server.admin.username, server.admin.password, address)
  const count = (answers: readonly Answered[], status: number) => answers.filter((one) => one.status === status).length

  before(async () => {
    world = await logged(buildServer, { TRUST_PROXY: '1' })
    server = world.server
  })
  after(() => server.close())

  it('is counted before it is checked, however many come together, and locks nobody out elsewhere', async () => {
    const guesses = await Promise.all(Array.from({ length: 400 }, () => login('admin', wrong, '192.0.2.1')))
    expect(count(guesses, 401)).to.equal(10)
    expect(count(guesses, 429)).to.equal(390)
    for (const { status, headers } of guesses) {
      if (status === 429) expect(Number(headers.get('retry-after'))).to.be.within(1, 90)
    }
    expect((await owner('192.0.2.1')).status, 'where the guesses come from').to.equal(429)
    expect((await owner('192.0.2.2')).status, 'elsewhere').to.equal(200)
    world.clock.ahead += 90_000
    expect((await owner('192.0.2.1')).status, 'there, a minute and a half later').to.equal(200)
  })

  it('of many names from one address is bounded, too', async () => {
    const guesses: Answered[] = []
    for (let at = 0; at < 100; at++) guesses.push(await login(`name-${at}`, wrong, '192.0.2.3'))
    expect(count(guesses, 401)).to.equal(50)
    expect((await owner('192.0.2.3')).status).to.equal(429)
    const network = Array.from({ length: 60 }, (_, at) => login(`other-${at}`, wrong, `2001:db8:1:2::${at + 1}`))
    expect(count(await Promise.all(network), 401), 'addresses of one subscriber').to.be.at.most(50)
    expect((await login('other', wrong, '2001:db8:1:3::1')).status).to.equal(401)
  })

  it('of one name from many addresses only delays those who were never seen', async () => {
    await owner('198.51.100.1')
    const guesses: Answered[] = []
    for (let at = 0; at < 45; at++) guesses.push(await login('admin', wrong, `203.0.113.${at}`))
    expect([count(guesses, 401), count(guesses, 429)]).to.deep.equal([30, 15])
    expect((await owner('198.51.100.1')).status, 'known here').to.equal(200)
    const unknown = await owner('198.51.100.2')
    expect(unknown.status, 'never seen').to.equal(429)
    const wait = Number(unknown.headers.get('retry-after'))
    expect(wait).to.be.within(1, 3)
    world.clock.ahead += wait * 1000
    expect((await owner('198.51.100.2')).status, 'a moment later').to.equal(200)
  })

  it('is not what a fleet does that logs in at once, from one address and with one password', async () => {
    expect((await owner('192.0.2.40')).status).to.equal(200)
    const fleet = await Promise.all(Array.from({ length: 300 }, () => owner('192.0.2.40')))
    expect(count(fleet, 200)).to.equal(300)
    expect((await login('admin', wrong, '192.0.2.40')).status).to.equal(401)
  })

  it('is not what a fleet does that logs in at once before anybody of it did', async () => {
    await server.ok('POST', '/api/1.3/users', {
      username: 'fleet',
      email: 'fleet@example.net',
      fullName: 'Caches',
      role: (await server.ok('GET', '/api/1.3/roles?name=ort')).body.response[0].id,
      localPassword: server.admin.password,
      confirmLocalPassword: server.admin.password,
    })
    // Others are being looked at meanwhile, so that all of the fleet come before the first of it is through.
    const others = Array.from({ length: 25 }, (_, at) => login(`stranger-${at}`, wrong, `192.0.2.${100 + at}`))
    const fleet = Array.from({ length: 100 }, () => login('fleet', server.admin.password, '192.0.2.46'))
    expect(count(await Promise.all(fleet), 200)).to.equal(100)
    expect(count(await Promise.all(others), 401)).to.equal(25)
  })

  it('with other names does not hold up a name that got in from the same address', async () => {
    world.clock.ahead += 60_000
    expect((await owner('192.0.2.41')).status).to.equal(200)
    for (let at = 0; at < 60; at++) await login(`misspelt-${at % 8}`, wrong, '192.0.2.41')
    expect((await login('never-seen', wrong, '192.0.2.41')).status).to.equal(429)
    expect((await owner('192.0.2.41')).status).to.equal(200)
  })

  it('between right logins of the same name and address is bounded as well', async () => {
    world.clock.ahead += 60_000
    const guesses: Answered[] = []
    for (let at = 0; at < 80; at++) {
      await owner('192.0.2.42')
      guesses.push(await login('admin', wrong, '192.0.2.42'))
    }
    expect(count(guesses, 401)).to.equal(50)
    expect((await owner('192.0.2.42')).status).to.equal(429)
  })

  it('with a password of before is wrong, however often it was right', async () => {
    world.clock.ahead += 1800_000
    await server.as('operations', { username: 'renewer' })
    const [{ id, ...user }] = (await server.ok('GET', '/api/1.3/users?username=renewer')).body.response
    expect((await login('renewer', server.admin.password, '192.0.2.43')).status).to.equal(200)
    const renewed = { localPassword: 'another-Password-1', confirmLocalPassword: 'another-Password-1' }
    await server.ok('PUT', `/api/1.3/users/${id}`, { ...user, ...renewed })
    expect((await login('renewer', server.admin.password, '192.0.2.43')).status).to.equal(401)
    expect((await login('renewer', 'another-Password-1', '192.0.2.43')).status).to.equal(200)
  })

  it('of tokens and resets is slowed down as well; those who know theirs go on', async () => {
    world.clock.ahead += 60_000
    const made = await server.ok('POST', '/api/1.3/tokens', { description: 'agent', scopes: ['read'] })
    const { token } = made.body.response
    const input = (bearer: string) =>
      server.anonymous.get('/api/1.3/cdns', { ...from('192.0.2.9'), authorization: `Bearer ${bearer}` })
    const guesses = await Promise.all(Array.from({ length: 80 }, (_, at) => input(`guess-${at}`)))
    expect([count(guesses, 401), count(guesses, 429)]).to.deep.equal([50, 30])
    expect((await input(token)).status).to.equal(200)
    expect((await owner('192.0.2.9')).status, 'a stale token locks no password out').to.equal(200)

    const posted = (path: string, body: object, address: string) =>
      server.anonymous.request('POST', path, body, from(address))
    const one = await Promise.all(
      Array.from({ length: 80 }, (_, at) => posted('/api/1.3/user/login/token', { t: `guess-${at}` }, '192.0.2.10')),
    )
    expect([count(one, 401), count(one, 429)]).to.deep.equal([50, 30])
    const resets = await Promise.all(
      Array.from({ length: 30 }, () => posted('/api/1.3/user/reset_password', { email: 'a@b.example' }, '192.0.2.11')),
    )
    expect([count(resets, 200), count(resets, 429)]).to.deep.equal([10, 20])
  })

  it('is written into the log, with who and from where, on a line of its own whatever was sent', async () => {
    const name = 'x\n{"level":60,"msg":"forged"}\r\u2028'
    const id = 'a-request-of-mine'
    const body = { u: name, p: wrong }
    await server.anonymous.request('POST', '/api/1.3/user/login', body, { ...from('192.0.2.20'), 'x-request-id': id })
    const [line] = world.found('failed login').filter(({ address }) => address === '192.0.2.20')
    expect(line).to.include({ username: name, kind: 'password', requestId: id })
    expect(world.found('forged')).to.deep.equal([])
    expect(world.lines.join('\n')).not.to.contain(wrong)
  })
})

describe('whoever has not logged in', function () {
  this.timeout(60_000)
  let server: TestServer
  before(async () => {
    server = await buildServer({ env: { SMTP_URL: 'smtp://127.0.0.1:9' } })
  })
  after(() => server.close())

  it('is not told by how long a reset takes whether the address is known', async () => {
    await server.as('read-only', { username: 'known' })
    const { committer } = server.service.services
    let isHeld = true
    // Every write waits for this one.
    const holding = committer.writeInSteps({ user: system, requestId: 'held' }, function* () {
      while (isHeld) yield
    })
    const reset = (name: string) =>
      server.anonymous.request('POST', '/api/1.3/user/reset_password', { email: `${name}@example.net` })
    const late = new Promise<null>((resolve) => setTimeout(resolve, 5000, null))
    const answers = await Promise.race([Promise.all([reset('unknown'), reset('known')]), late])
    isHeld = false
    await holding
    expect(answers?.map(({ status }) => status)).to.deep.equal([200, 200])
    const said = async () => (await server.ok('GET', '/api/1.3/logs')).text
    while (!(await said()).includes('Sent a password reset to user known'));
  })

  it('sends no more than a login needs, for objects of many forms take long to parse', async () => {
    const login = (text: string) => server.anonymous.request('POST', '/api/1.3/user/login', { u: 'admin', p: text })
    expect((await login('x'.repeat(15_000))).status).to.equal(401)
    expect((await login('x'.repeat(17_000))).status).to.equal(413)
    const { status } = await server.request('POST', '/api/1.3/divisions', { name: 'd', text: 'x'.repeat(17_000) })
    expect(status).to.equal(200)
  })
})

describe('the address of a client', () => {
  const table: [trust: string, socket: string, forwarded: string | undefined, address: string][] = [
    ['0', '192.0.2.1', '198.51.100.1', '192.0.2.1'],
    ['0', '::ffff:192.0.2.1', undefined, '192.0.2.1'],
    ['1', '192.0.2.1', undefined, '192.0.2.1'],
    ['1', '192.0.2.1', '198.51.100.1', '198.51.100.1'],
    ['1', '192.0.2.1', 'forged, 203.0.113.9,198.51.100.1', '198.51.100.1'],
    ['2', '192.0.2.1', '203.0.113.9, 198.51.100.1', '203.0.113.9'],
    ['2', '192.0.2.1', '"; drop, 198.51.100.1', '198.51.100.1'],
    ['10.0.0.0/8', '192.0.2.1', '198.51.100.1', '192.0.2.1'],
    ['10.0.0.0/8,2001:db8::/32', '10.1.2.3', '203.0.113.9, 198.51.100.1, 2001:db8::5', '198.51.100.1'],
    ['10.0.0.0/8', '::ffff:10.1.2.3', '198.51.100.1', '198.51.100.1'],
    ['10.1.2.3', '10.1.2.3', '10.1.2.4', '10.1.2.4'],
  ]
  for (const [trust, remoteAddress, forwarded, address] of table) {
    it(`is ${address} for '${forwarded}' by way of ${remoteAddress}, trusting ${trust}`, () => {
      const request = { socket: { remoteAddress }, headers: { 'x-forwarded-for': forwarded } } as unknown
      expect(addressOf(request as Parameters<typeof addressOf>[0], trustedProxies(trust)!)).to.equal(address)
    })
  }

  it('must be configured in words that mean something', () => {
    for (const text of ['yes', '10.0.0.0/33', '300.1.1.1', '1,2', '::1/129', 'example.net'])
      expect(trustedProxies(text), text).to.equal(null)
  })

  it('is one of a network where subscribers get one', () => {
    expect(subscriberOf('192.0.2.1')).to.equal('192.0.2.1')
    for (const [address, network] of [
      ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
      ['2001:db8:1:2::6', '2001:db8:1:2::/64'],
      ['2001:db8::6', '2001:db8:0:0::/64'],
      ['::1', '0:0:0:0::/64'],
    ] as const)
      expect(subscriberOf(address)).to.equal(network)
  })
})

describe('what is logged of requests', function () {
  this.timeout(60_000)
  let world: Awaited<ReturnType<typeof logged>>
  before(async () => {
    world = await logged(sampleServer, { ACCESS_LOG: '1' })
  })
  after(() => world.server.close())

  it('names whoever reads private keys', async () => {
    const { server, found } = world
    const [service] = (await server.ok('GET', '/api/1.3/deliveryservices?limit=1')).body.response
    const [cdn] = (await server.ok('GET', '/api/1.3/cdns?name=stream')).body.response
    const { xmlId } = service
    for (const path of [
      `/cdns/name/${cdn.name}/sslkeys`,
      `/cdns/name/${cdn.name}/dnsseckeys`,
      `/deliveryservices/xmlId/${xmlId}/sslkeys`,
      `/deliveryservices/xmlId/${xmlId}/urlkeys`,
      `/deliveryservices/${service.id}/urlkeys`,
      `/deliveryservices/${xmlId}/urisignkeys`,
    ]) {
      const before = found('private keys were read').length
      const { status } = await server.get(`/api/1.3${path}`, { 'x-request-id': 'reads-keys-1' })
      expect(status, path).to.equal(200)
      const line = found('private keys were read')[before]
      expect(line, path).to.include({ user: 'admin', address: '127.0.0.1', requestId: 'reads-keys-1' })
    }
  })

  it('is a line per request, of both lanes alike, without what was in query, headers and body', async () => {
    const { server, found, lines } = world
    const path = '/api/1.3/cdns'
    for (let time = 0; time < 3; time++)
      await server.get(`${path}?name=a-Secret-thing`, { 'x-request-id': 'twice-over' })
    await server.anonymous.get('/api/1.3/nothing%0Ahere')
    await server.anonymous.request('POST', '/api/1.3/user/login', { u: 'admin', p: 'a-Secret-thing' })
    await new Promise((resolve) => setTimeout(resolve, 50))
    const own = found('request').filter(({ requestId }) => requestId === 'twice-over')
    expect(own).to.have.length(3)
    for (const line of own) {
      expect(line).to.include({ method: 'GET', path, user: 'admin', address: '127.0.0.1', status: 200 })
      expect(line.query).to.deep.equal(['name'])
      expect(line.bytes).to.be.greaterThan(200)
      expect(line.ms).to.be.greaterThan(0)
    }
    const refused = found('request').filter(({ path }) => path === '/api/1.3/nothing%0Ahere')
    expect(refused[0]).to.include({ status: 401, user: null })
    expect(lines.join('\n')).not.to.contain('a-Secret-thing')
  })
})
