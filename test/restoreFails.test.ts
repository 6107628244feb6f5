import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { type IncomingMessage, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { expect } from 'chai'
import type { ServedChild } from './servedChild.js'
import { serveInChild } from './servedChild.js'
import type { SmallDisk } from './store/smallDisk.js'
import { mountSmallDisk } from './store/smallDisk.js'
import { vaultKeyText } from './vaultKey.js'

const nightly = process.env.EDGEWRIGHT_NIGHTLY === '1'
const env = { VAULT_KEY: vaultKeyText, SHUTDOWN_SECONDS: '2' }

/** A restore over HTTP that is killed, or finds no room, leaves all that was there, or all of the backup. */
describe('restore over HTTP, cut short', function () {
  this.timeout(600_000)
  const served: ServedChild[] = []
  let folder: string
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'edgewright-cut-'))
  })
  afterEach(async () => {
    for (const one of served.splice(0)) await one.discard()
  })
  after(() => rmSync(folder, { recursive: true, force: true }))

  async function serve(dataDir: string) {
    const one = await serveInChild({ ...env, DATA_DIR: dataDir })
    served.push(one)
    const ask = (method: string, path: string, body?: string) =>
      fetch(`${one.url}/api/1.3${path}`, {
        method,
        headers: { cookie: one.cookie, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body }),
      })
    const write = (name: string) => ask('POST', '/divisions', JSON.stringify({ name }))
    return { ...one, ask, write }
  }
  type Served = Awaited<ReturnType<typeof serve>>

  /** What there is: the backup, or what was written after it. */
  async function held({ ask }: Served): Promise<'backup' | 'later'> {
    const { response } = (await (await ask('GET', '/parameters')).json()) as { response: unknown[] }
    expect(response.length).to.be.greaterThan(3000)
    const divisions = await (await ask('GET', '/divisions')).text()
    expect(divisions).to.contain('in the backup')
    return divisions.includes('after it') ? 'later' : 'backup'
  }

  async function filled(dataDir: string): Promise<{ first: Served; backup: string }> {
    const first = await serve(dataDir)
    const value = 'x'.repeat(2000)
    const parameters = Array.from({ length: 3000 }, (_, at) => ({ name: `name ${at}`, configFile: 'a', value }))
    expect((await first.ask('POST', '/import', JSON.stringify({ parameters }))).status).to.equal(200)
    expect((await first.write('in the backup')).status).to.equal(200)
    const backup = await (await first.ask('GET', '/backup')).text()
    expect((await first.write('after it')).status).to.equal(200)
    return { first, backup }
  }

  const workplaces = (dataDir: string): string[] => readdirSync(dataDir).filter((name) => name.startsWith('restoring'))

  it('by kill -9, at any moment', async () => {
    const dataDir = join(folder, 'killed')
    const { first, backup } = await filled(dataDir)
    let current = first
    const counts = { backup: 0, later: 0 }
    const kills = nightly ? 40 : 3
    let longest = 2500
    for (let count = 0; count < kills; count++) {
      const asked = performance.now()
      const answered = current.ask('POST', '/restore?force=true', backup).then(
        ({ status }) => status,
        () => null,
      )
      const isOver = await Promise.race([answered, delay((longest * count) / (kills - 1), 'killed' as const)])
      if (isOver === 200) longest = Math.min(longest, performance.now() - asked)
      current.child.kill('SIGKILL')
      await current.ended
      current = await serve(dataDir)
      const holds = await held(current)
      counts[holds] += 1
      if (isOver === 200) expect(holds).to.equal('backup')
      expect(workplaces(dataDir)).to.deep.equal([])
      if (holds === 'backup') expect((await current.write('after it')).status).to.equal(200)
    }
    expect(counts.later, JSON.stringify(counts)).to.be.greaterThan(0)
  })

  describe('by a full disk', () => {
    let disk: SmallDisk | null = null
    before(function () {
      // A restore is not begun with less than 256 MB.
      disk = mountSmallDisk(360)
      if (!disk) this.skip()
    })
    after(() => disk?.remove())

    it('and is answered so; writes go on', async () => {
      const dataDir = join(disk!.path, 'data')
      const { first, backup } = await filled(dataDir)
      const answers: number[] = []
      for (const megabytes of nightly ? [0, 1, 2, 3, 5, 7, 9, 12, 15, 18, 20, 22, 24, 26, 28, 30, 50] : [0, 9, 50]) {
        const begun = request(`${first.url}/api/1.3/restore?force=true`, {
          method: 'POST',
          headers: { cookie: first.cookie, 'content-length': Buffer.byteLength(backup) },
        })
        begun.write(backup.slice(0, -100_000))
        const arrived = () =>
          workplaces(dataDir).reduce(
            (sum, name) => sum + (statSync(join(dataDir, name, 'uploaded'), { throwIfNoEntry: false })?.size ?? 0),
            0,
          )
        while (arrived() < backup.length - 200_000) await delay(10)
        disk!.fill(megabytes * 2 ** 20)
        begun.end(backup.slice(-100_000))
        const [answer] = (await once(begun, 'response')) as [IncomingMessage]
        const said = await text(answer)
        answers.push(answer.statusCode!)
        expect([200, 507], said).to.include(answer.statusCode)
        expect(workplaces(dataDir)).to.deep.equal([])
        disk!.empty()
        if (answer.statusCode === 200) break
        expect((await first.write(`after ${megabytes}`)).status).to.equal(200)
        expect(await held(first)).to.equal('later')
      }
      expect(answers).to.include(507)
    })
  })
})
