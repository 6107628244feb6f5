import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { importInto } from '../api/cli/transfer.js'
import { packageRoot } from '../api/config/packageRoot.js'
import { makeSampleKeys } from '../api/demo/keys.js'
import { sampleCdn } from '../api/demo/sampleCdn.js'
import type { TestServer } from './build.js'
import { buildServer } from './build.js'

const remap = '/api/1.3/servers/edge-chi-01/configfiles/cachesw/remap.config'

describe('when the disk is full', function () {
  this.timeout(60_000)
  let disk: string
  let mounted = false
  let server: TestServer | undefined

  before(async function () {
    disk = mkdtempSync(join(tmpdir(), 'edgewright-disk-'))
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=48m', 'tmpfs', disk], { stdio: 'ignore' })
      mounted = true
    } catch {
      console.log('    SKIPPED: a small disk cannot be mounted without the right to')
      return this.skip()
    }
    server = await buildServer({ dataDir: join(disk, 'data') })
    await importInto(server.service, sampleCdn)
    return undefined
  })
  after(async () => {
    await server?.close()
    if (mounted) execFileSync('umount', ['-l', disk])
    rmSync(disk, { recursive: true, force: true })
  })

  it('refuses writes and changes nothing, goes on serving, says so, and recovers by itself', async () => {
    const { request, get, anonymous } = server!
    const before = await get(remap)
    expect(before.status).to.equal(200)
    const ballast = join(disk, 'ballast')
    const { bavail, bsize } = statfsSync(disk)
    writeFileSync(ballast, Buffer.alloc(bavail * bsize))

    // What the store set aside may still take some writes; then none, and none by half.
    const write = (number: number, records = 150) =>
      request(
        'POST',
        '/api/1.3/parameters',
        Array.from({ length: records }, (_, at) => ({
          name: `ballast ${number}`,
          configFile: `file-${at}`,
          value: 'x'.repeat(4000),
          secure: 0,
        })),
      )
    let taken = 0
    let refused = await write(0)
    while (refused.status === 200 && taken < 200) {
      taken += 1
      refused = await write(taken)
    }
    expect(refused.status, refused.text.slice(0, 200)).to.equal(503)
    expect(refused.headers.get('retry-after')).to.match(/^\d+$/)
    const count = async () => (await get(`/api/1.3/parameters?name=ballast ${taken}`)).body.response.length
    expect(await count()).to.equal(0)
    expect((await get(remap)).text).to.equal(before.text)
    expect((await get('/api/1.3/servers?hostName=edge-chi-01')).body.response).to.have.length(1)
    // A large entry does not fit any more; the service is unready once ever smaller ones do not either.
    for (let one = 0; (await write(1000 + one, 1)).status === 200; one++) expect(one).to.be.lessThan(5000)
    for (
      let small = 0;
      (await request('POST', '/api/1.3/divisions', { name: `small ${small}` })).status === 200;
      small++
    ) {
      expect(small).to.be.lessThan(5000)
    }
    expect((await anonymous.get('/readyz')).status).to.equal(503)
    expect((await anonymous.get('/livez')).status).to.equal(200)
    expect((await get(remap)).text).to.equal(before.text)

    rmSync(ballast)
    expect((await anonymous.get('/readyz')).status).to.equal(200)
    expect((await write(taken)).status).to.equal(200)
    expect(await count()).to.equal(150)
  })
})

describe('when a template is broken', function () {
  this.timeout(30_000)
  let server: TestServer
  let templateFolder: string
  const path = '/api/1.3/profiles/EDGE_ATS9/configfiles/cachesw/sysctl.conf'
  const generation = () => server.service.services.templates().generation
  const until = async (condition: () => boolean | Promise<boolean>): Promise<void> => {
    while (!(await condition())) await new Promise((resolve) => setImmediate(resolve))
  }

  before(async () => {
    templateFolder = mkdtempSync(join(tmpdir(), 'edgewright-templates-'))
    cpSync(join(packageRoot, 'templates'), templateFolder, { recursive: true })
    server = await buildServer({ templateFolder })
    await importInto(server.service, sampleCdn)
    await makeSampleKeys(server.service.services)
  })
  after(async () => {
    await server.close()
    rmSync(templateFolder, { recursive: true, force: true })
  })

  it('refuses one that does not compile, keeps the last good one, and says which', async () => {
    const file = join(templateFolder, 'sysctl.conf.hbs')
    const good = readFileSync(file, 'utf8')
    const before = await server.ok('GET', path)
    writeFileSync(file, '{{#each lines}}')
    await until(async () => (await server.anonymous.get('/readyz')).body.brokenTemplates.includes('sysctl.conf'))
    expect((await server.get(path)).text).to.equal(before.text)
    expect((await server.anonymous.get('/metrics')).text).to.match(/edgewright_broken_templates 1/)
    writeFileSync(file, good)
    await until(async () => (await server.anonymous.get('/readyz')).body.brokenTemplates.length === 0)
    expect((await server.get(path)).text).to.equal(before.text)
  })

  it('answers 500 that names the file when it fails while laying out, and nothing stale; the others go on', async () => {
    const file = join(templateFolder, 'sysctl.conf.hbs')
    const good = readFileSync(file, 'utf8')
    const before = await server.ok('GET', path)
    const first = generation()
    writeFileSync(file, `{{nothingOfThisName}}\n${good}`)
    await until(() => generation() > first)
    const failed = await server.get(path)
    expect(failed.status).to.equal(500)
    expect(failed.body.alerts[0].text).to.contain('sysctl.conf').and.to.contain('EDGE_ATS9')
    expect((await server.get(remap)).status).to.equal(200)
    const second = generation()
    writeFileSync(file, good)
    await until(() => generation() > second)
    const again = await server.get(path)
    expect(again.text).to.equal(before.text)
    expect(again.headers.get('etag')).to.equal(before.headers.get('etag'))
  })

  it('names a file whole that fails, whatever its name is, and not why', async () => {
    const name = 'a: odd, could not be compiled: b.txt'
    const profileId = (await server.ok('GET', '/api/1.3/profiles?name=EDGE_ATS9')).body.response[0].id
    const parameter = { name: 'line', configFile: name, value: 'x', secure: false }
    const { id } = (await server.ok('POST', '/api/1.3/parameters', parameter)).body.response[0]
    await server.ok('POST', '/api/1.3/profileparameters', { profileId, parameterId: id })
    const first = generation()
    writeFileSync(join(templateFolder, 'unknown.hbs'), '{{nothingOfThisName}}\n')
    await until(() => generation() > first)
    const path = `/api/1.3/servers/edge-chi-01/configfiles/cachesw/${encodeURIComponent(name)}`
    const { status, body } = await server.get(path)
    const text = `${name} for edge-chi-01 could not be compiled`
    expect([status, body]).to.deep.equal([500, { alerts: [{ level: 'error', text }] }])
  })
})

describe('when a client misbehaves', () => {
  let server: TestServer
  before(async () => {
    server = await buildServer()
  })
  after(() => server.close())

  it('refuses bodies that are too large, malformed, packed or not UTF-8, with an alert', async () => {
    const { request } = server
    const large = await request('POST', '/api/1.3/divisions', JSON.stringify({ name: 'x'.repeat(10 * 2 ** 20) }))
    expect(large.status).to.equal(413)
    expect((await request('POST', '/api/1.3/divisions', '{"name":')).status).to.equal(400)
    expect((await request('POST', '/api/1.3/divisions', '[]')).status).to.equal(400)
    expect((await request('POST', '/api/1.3/divisions', 'null')).status).to.equal(400)
    expect((await request('POST', '/api/1.3/divisions', 'name=x', { 'content-type': 'text/plain' })).status).to.equal(
      400,
    )
    expect((await request('POST', '/api/1.3/divisions', '{}', { 'content-encoding': 'gzip' })).status).to.equal(415)
    for (const body of ['{"__proto__":{"name":"x"}}', '{"constructor":{"prototype":{"name":"x"}}}', '{}']) {
      const refused = await request('POST', '/api/1.3/divisions', body)
      expect(refused.status).to.equal(400)
      expect(refused.body.alerts).to.deep.equal([{ level: 'error', text: 'name is required' }])
    }
    expect(({} as { name?: string }).name).to.equal(undefined)
    expect((await server.get('/api/1.3/divisions')).body.response).to.deep.equal([])
  })

  it('outlives clients that hang up in the middle', async () => {
    const { port } = new URL(server.url)
    for (const bytes of [
      'GET /api/1.3/cdns HTTP/1.1\r\nHost: x\r\n',
      'POST /api/1.3/divisions HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"na',
      '\0\0\0\r\n\r\n',
    ]) {
      await new Promise<void>((resolve) => {
        const socket = connect(Number(port), '127.0.0.1', () => socket.write(bytes, () => socket.destroy()))
        socket.once('close', () => resolve())
      })
    }
    expect((await server.anonymous.get('/readyz')).status).to.equal(200)
  })

  it('slows down guessing, and tells nobody whether a user exists', async () => {
    const attempt = (u: string) => server.anonymous.request('POST', '/api/1.3/user/login', { u, p: 'wrong' })
    const known = await attempt('admin')
    const unknown = await attempt('nobody')
    expect([known.status, unknown.status]).to.deep.equal([401, 401])
    expect(known.text).to.equal(unknown.text)
    let last = unknown
    for (let i = 0; i < 12; i++) last = await attempt('nobody')
    expect(last.status).to.equal(429)
    expect(Number(last.headers.get('retry-after'))).to.be.greaterThan(0)
  })

  it('ends a session with the password that began it, and forged ones at once', async () => {
    const user = await server.as('read-only', { username: 'reader' })
    expect((await user.get('/api/1.3/user/current')).body.response.username).to.equal('reader')
    const other = await server.login('reader', 'a-Password-of-tests')
    await user.ok('PUT', '/api/1.3/user/current', {
      user: { localPassword: 'another-Password', confirmLocalPassword: 'another-Password' },
    })
    expect((await user.get('/api/1.3/user/current')).status).to.equal(200)
    expect((await other.get('/api/1.3/user/current')).status).to.equal(401)
    const [, payload, signature] = /=(.*)--(.*)/.exec(user.cookie())!
    const forged = Buffer.from(
      Buffer.from(payload!, 'base64url')
        .toString()
        .replace(/"u":\d+/, '"u":1'),
    ).toString('base64url')
    for (const cookie of [
      `mojolicious=${forged}--${signature}`,
      `mojolicious=${payload}--${'0'.repeat(64)}`,
      'mojolicious=',
      'mojolicious=x--y',
    ]) {
      expect((await server.anonymous.get('/api/1.3/cdns', { cookie })).status).to.equal(401)
    }
  })
})
