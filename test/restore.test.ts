import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { expect } from 'chai'
import { readSettings } from '../api/config/settings.js'
import { partsOf } from '../api/operations/backup/format.js'
import { restoreStore } from '../api/store/open.js'
import type { Answered, TestServer } from './build.js'
import { buildServer } from './build.js'
import { everything, lived } from './lived.js'
import { onMongodb } from './store/onMongodb.js'
import type { Place } from './store/places.js'
import { embeddedPlace, mongoPlace } from './store/places.js'
import { vaultKeyText } from './vaultKey.js'

const secrets = { SESSION_SECRET: 'of-the-tests-of-restores', VAULT_KEY: vaultKeyText }
type EnvPlace = Place & { readonly env: Record<string, string> }

async function restore(
  { url }: { url: string },
  body: string | Uint8Array,
  headers: Record<string, string>,
  query = '?force=true',
): Promise<{ status: number; text: string }> {
  const answer = await fetch(`${url}/api/1.3/restore${query}`, { method: 'POST', headers, body })
  return { status: answer.status, text: await answer.text() }
}

function describeRestore(title: string, newPlace: () => EnvPlace): void {
  describe(`restore over HTTP, ${title}`, function () {
    this.timeout(300_000)
    const now = () => new Date('2026-06-01T12:00:00.000Z')
    let folder: string
    let dataDir: string
    let env: Record<string, string>
    let app: TestServer
    let token: Record<string, string>
    let backup: string
    const places: EnvPlace[] = []
    const started = (env: Record<string, string>) =>
      buildServer({ env: { SHUTDOWN_SECONDS: '2', ...secrets, ...env }, now, dataDir })
    const place = (): EnvPlace => {
      const made = newPlace()
      places.push(made)
      return made
    }
    const names = async (): Promise<string[]> =>
      (await app.anonymous.get('/api/1.3/divisions', token)).body.response.map((row: { name: string }) => row.name)
    const write = (name: string): Promise<Answered> =>
      app.anonymous.request('POST', '/api/1.3/divisions', { name }, token)

    before(async () => {
      folder = mkdtempSync(join(tmpdir(), 'edgewright-restore-'))
      const own = place()
      dataDir = own.env.DATA_DIR ?? join(folder, 'data')
      env = own.env
      app = await started(env)
      await lived(app)
      const made = (await app.ok('POST', '/api/1.3/tokens', { description: 'of tests' })).body.response
      token = { authorization: `Bearer ${made.token}` }
      backup = (await app.ok('GET', '/api/1.3/backup')).text
    })
    after(async () => {
      await app.close()
      for (const one of places) await one.remove()
      rmSync(folder, { recursive: true, force: true })
    })

    it('puts an older backup in place while clients read, wait and write', async () => {
      expect((await write('gone with the restore')).status).to.equal(200)
      const strange: string[] = []
      const acknowledged: { name: string; phase: string }[] = []
      let phase = 'before'
      let isDone = false
      const others = new AbortController()
      const strangeUnless = (what: string, { status, text }: Answered, allowed: readonly number[]): void => {
        if (!allowed.includes(status)) strange.push(`${what}: ${status} ${text.slice(0, 200)}`)
      }
      const writer = async (number: number): Promise<void> => {
        for (let count = 0; !isDone; count++) {
          const name = `written ${number}-${count}`
          const input = phase
          const answer = await write(name)
          strangeUnless('a write', answer, [200, 503])
          if (answer.status === 503) expect(answer.headers.get('retry-after')).to.not.equal(null)
          if (answer.status === 200) acknowledged.push({ name, phase: input })
        }
      }
      /** Once the old content was not served any more, it never is again. */
      const reader = async (path: string): Promise<void> => {
        let wasGone = false
        let rev = 0
        while (!isDone) {
          const answer = await app.anonymous.get(path.replace('REV', String(rev)), token)
          strangeUnless(path, answer, [200, 503])
          if (answer.status !== 200) continue
          rev = Number(answer.headers.get('x-edgewright-revision') ?? 0)
          const isOld = answer.text.includes('gone with the restore')
          if (isOld && wasGone) strange.push(`${path} served the old content again`)
          wasGone ||= !isOld
        }
      }
      const watcher = async (): Promise<void> => {
        while (!isDone) {
          const stream = await fetch(`${app.url}/api/1.3/watch`, { headers: token, signal: others.signal }).catch(
            () => null,
          )
          await stream?.text().catch(() => '')
        }
      }
      const alive = async (): Promise<void> => {
        while (!isDone) strangeUnless('/livez', await app.anonymous.get('/livez'), [200])
      }
      const all = [
        ...[1, 2, 3].map(writer),
        reader('/api/1.3/divisions'),
        reader('/api/1.3/divisions?wait=1s&rev=REV'),
        watcher(),
        alive(),
      ]
      await delay(300)
      const { status, text } = await restore(app, backup, token)
      phase = 'after'
      expect(status, text).to.equal(200)
      const { revision } = JSON.parse(backup.split('\n').find((line) => line.startsWith('{"state"'))!).state
      expect(JSON.parse(text).response.revision).to.equal(revision)
      const isAfter = (one: { phase: string }): boolean => one.phase === 'after'
      while (acknowledged.filter(isAfter).length < 5) await delay(50)
      isDone = true
      others.abort()
      await Promise.all(all)
      expect(strange).to.deep.equal([])

      const present = new Set(await names())
      expect(present.has('gone with the restore')).to.equal(false)
      const after = acknowledged.filter(isAfter).map(({ name }) => name)
      expect(after.filter((name) => !present.has(name))).to.deep.equal([])
      // A client's writes up to some moment are gone, and all behind it are there.
      for (const number of [1, 2, 3]) {
        const kept = acknowledged
          .filter(({ name }) => name.startsWith(`written ${number}-`))
          .map(({ name }) => present.has(name))
        expect(kept.slice(kept.indexOf(true)).every(Boolean), `writer ${number}`).to.equal(true)
        expect(kept[0]).to.equal(false)
      }
      const unasked = [...present].filter((name) => name.startsWith('written '))
      expect(unasked.filter((name) => !acknowledged.some((one) => one.name === name))).to.deep.equal([])

      await app.close()
      app = await started(env)
      expect(new Set(await names())).to.deep.equal(present)
      expect(leftovers()).to.deep.equal([])
    })

    it('answers everything afterwards as a fresh service on that backup does', async () => {
      expect((await restore(app, gzipSync(backup), token)).status).to.equal(200)
      const file = join(folder, 'backup')
      writeFileSync(file, backup)
      const fresh: Record<string, string> = { ...secrets, ...place().env }
      await restoreStore(readSettings(fresh), { force: false }, partsOf(file))
      const other = await buildServer({ env: fresh, now, dataDir: join(folder, 'other') })
      try {
        const same = { ...app, ...(await app.login(app.admin.username, app.admin.password)) }
        const expected = await everything(other)
        const got = await everything(same)
        for (const [url, said] of expected) expect(got.get(url), url).to.equal(said)
        const again = await everything(same)
        for (const [url, said] of expected) expect(again.get(url), `${url}, kept`).to.equal(said)
        const made = []
        for (const server of [other, same])
          made.push((await server.ok('POST', '/api/1.3/divisions', { name: 'n' })).text)
        expect(made[1]).to.equal(made[0])
        expect((await same.ok('GET', '/metrics')).text).to.match(/edgewright_revision \d+/)
      } finally {
        await other.close()
      }
    })

    it('ends every session, and gives none back that was ended before', async () => {
      const { cookie } = await app.login(app.admin.username, app.admin.password)
      const ended = await app.login(app.admin.username, app.admin.password)
      const endedCookie = ended.cookie()
      const taken = (await app.anonymous.get('/api/1.3/backup', token)).text
      await ended.ok('POST', '/api/1.3/user/logout')
      expect((await restore(app, taken, { cookie: cookie() })).status).to.equal(200)
      for (const one of [cookie(), endedCookie])
        expect((await app.withCookie(one).get('/api/1.3/cdns')).status).to.equal(401)
      const back = await app.login(app.admin.username, app.admin.password)
      await back.ok('GET', '/api/1.3/cdns')
    })

    it('tells clients that come with a revision of another past', async () => {
      const of = (path: string) => app.anonymous.get(path, token)
      const head = Number((await of('/api/1.3/changes?limit=1')).body.revision)
      for (let count = 0; count < 5; count++) expect((await write(`later ${count}`)).status).to.equal(200)
      expect((await restore(app, backup, token)).status).to.equal(200)
      const began = performance.now()
      expect((await of(`/api/1.3/divisions?wait=30s&rev=${head + 5}`)).status).to.equal(200)
      expect(performance.now() - began).to.be.lessThan(5000)
      expect((await of(`/api/1.3/changes?since=${head + 5}`)).status).to.equal(410)
      expect((await of(`/api/1.3/watch?since=${head + 5}`)).status).to.equal(410)
    })

    it('is refused in one error, and changes nothing, when the file or the place is not right', async () => {
      const before = await names()
      const { cookie } = await app.login(app.admin.username, app.admin.password)
      const altered = backup.replace('"name":"root"', '"name":"toor"')
      expect(altered).to.not.equal(backup)
      const foreign = JSON.parse(backup.slice(0, backup.indexOf('\n')))
      const lines = [JSON.stringify({ ...foreign, vaultKey: 'another' }), ...backup.trimEnd().split('\n').slice(1, -1)]
      const bodies: [number, string | Uint8Array, string?][] = [
        [409, backup, ''],
        [409, backup, '?force=1'],
        [400, ''],
        [400, '{}'],
        [400, 'not a backup\n'],
        [400, backup.slice(0, -1)],
        [400, backup.slice(0, backup.length / 2)],
        [400, altered],
        [400, gzipSync(backup).subarray(0, 5000)],
        [409, await sealedOf(lines)],
        [
          400,
          await sealedOf([
            lines[0]!.replace('"another"', 'null'),
            '{"state":{"revision":0,"lastIds":{}}}',
            '{"journal":{"base":0}}',
          ]),
        ],
      ]
      for (const [expected, body, query] of bodies) {
        const { status, text } = await restore(app, body, token, query)
        expect(status, `${text} of ${String(body).slice(0, 50)}`).to.equal(expected)
        expect(JSON.parse(text).alerts).to.have.length(1)
        expect(text).to.not.contain(dataDir)
      }
      const dry = await restore(app, backup, token, '?dryRun=true')
      expect(dry.status).to.equal(200)
      expect(dry.text).to.contain('Nothing was changed')
      const page = { cookie: cookie(), 'sec-fetch-site': 'cross-site' }
      expect((await restore(app, backup, page)).status).to.equal(403)
      expect((await restore(app, backup, {})).status).to.equal(401)
      const reader = (
        await app.anonymous.request('POST', '/api/1.3/tokens', { description: 'r', scopes: ['read'] }, token)
      ).body.response
      expect((await restore(app, backup, { authorization: `Bearer ${reader.token}` })).status).to.equal(403)
      expect(await names()).to.deep.equal(before)
      expect(await app.withCookie(cookie()).get('/api/1.3/cdns')).to.include({ status: 200 })
      expect(leftovers()).to.deep.equal([])
    })

    it('is given up when the client hangs up, or loses the right to it, while the file arrives', async () => {
      expect((await write('still there')).status).to.equal(200)
      const half = backup.slice(0, backup.length / 2)
      const begin = (headers: string) => {
        const socket = connect(Number(new URL(app.url).port), '127.0.0.1')
        const host = `POST /api/1.3/restore?force=true HTTP/1.1\r\nHost: x\r\n${headers}`
        socket.write(`${host}Content-Length: ${Buffer.byteLength(backup)}\r\n\r\n${half}`)
        return socket
      }
      const hungUp = begin(`Authorization: ${token.authorization}\r\n`)
      while (leftovers().length === 0) await delay(20)
      expect((await restore(app, backup, token)).status, 'while another arrives').to.equal(409)
      hungUp.destroy()
      while (leftovers().length > 0) await delay(20)

      const { id } = (await app.anonymous.get('/api/1.3/tenants?name=root', token)).body.response[0]
      const role = (await app.anonymous.get('/api/1.3/roles?name=admin', token)).body.response[0].id
      const password = { localPassword: 'a-Password-of-tests', confirmLocalPassword: 'a-Password-of-tests' }
      const user = { username: 'demoted', email: 'd@example.net', fullName: 'd', role, tenantId: id, ...password }
      const made = (await app.anonymous.request('POST', '/api/1.3/users', user, token)).body.response
      const demoted = await app.login('demoted', 'a-Password-of-tests')
      const socket = begin(`Cookie: ${demoted.cookie()}\r\n`)
      let answer = ''
      socket.on('data', (bytes) => {
        answer += bytes
      })
      while (leftovers().length === 0) await delay(20)
      const least = (await app.anonymous.get('/api/1.3/roles?name=read-only', token)).body.response[0].id
      const changed = { username: 'demoted', email: 'd@example.net', fullName: 'd', role: least, tenantId: id }
      const done = await app.anonymous.request('PUT', `/api/1.3/users/${made.id}`, changed, token)
      expect(done.status, done.text).to.equal(200)
      socket.write(backup.slice(backup.length / 2))
      while (!answer.includes('\r\n\r\n')) await delay(20)
      socket.destroy()
      expect(answer).to.match(/^HTTP\/1.1 40[13] /)
      expect(await names()).to.include('still there')
    })

    it('is done by one of several that come at once', async () => {
      const answers = await Promise.all([1, 2, 3].map(() => restore(app, backup, token)))
      const statuses = answers.map(({ status }) => status).sort()
      expect(statuses[0]).to.equal(200)
      for (const status of statuses.slice(1)) expect(status).to.be.oneOf([409, 503])
      expect((await write('after one of three')).status).to.equal(200)
    })

    it('does not wait for ever for those who read slowly', async () => {
      const socket = connect(Number(new URL(app.url).port), '127.0.0.1')
      socket.write(`GET /api/1.3/backup HTTP/1.1\r\nHost: x\r\nAuthorization: ${token.authorization}\r\n\r\n`)
      await new Promise((resolve) => socket.once('data', resolve))
      socket.pause()
      expect((await restore(app, backup, token)).status).to.equal(200)
      socket.destroy()
      expect((await write('after a slow reader')).status).to.equal(200)
    })

    it('leaves a store that opens when the process is asked to end meanwhile', async () => {
      for (const wait of [0, 800, 2000]) {
        const restoring = restore(app, backup, token).catch(() => null)
        await delay(wait)
        await app.close()
        await restoring
        app = await started(env)
        await app.ok('GET', '/api/1.3/divisions')
        expect(leftovers()).to.deep.equal([])
      }
    })

    function leftovers(): string[] {
      return readdirSync(dataDir).filter((name) => name.startsWith('restoring'))
    }
  })
}

async function sealedOf(lines: readonly string[]): Promise<string> {
  const { sealed } = await import('../api/operations/backup/format.js')
  let text = ''
  async function* pieces(): AsyncGenerator<string> {
    yield `${lines.join('\n')}\n`
  }
  for await (const piece of sealed(pieces())) text += piece
  return text
}

describeRestore('embedded', () => {
  const place = embeddedPlace()
  return { ...place, env: { DATA_DIR: place.directory } }
})
onMongodb('restore over HTTP', (mongodb) =>
  describeRestore('MongoDB', () => {
    const place = mongoPlace(mongodb().uri)
    return { ...place, env: { MONGODB_URI: place.uri } }
  }),
)
