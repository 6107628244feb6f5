import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import type { TestServer } from './build.js'
import { buildServer } from './build.js'
import { childArguments } from './childArguments.js'

const day = 24 * 3600 * 1000

/** What is old leaves the journal when an installation wants it so; nothing else is lost with it. */
describe('a journal that is trimmed', function () {
  this.timeout(120_000)
  let dataDir: string
  let now: number
  let app: TestServer
  beforeEach(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'edgewright-trim-'))
    now = Date.now() - 100 * day
    app = await start()
  })
  afterEach(async () => {
    await app.close()
    rmSync(dataDir, { recursive: true, force: true })
  })

  const start = () => buildServer({ dataDir, now: () => new Date(now) })
  const revision = async (): Promise<number> => (await app.get('/readyz')).body.revision
  const write = async (name: string): Promise<number> => {
    await app.ok('POST', '/api/1.3/divisions', { name })
    return revision()
  }
  const keepDays = (value: string) =>
    app.ok('POST', '/api/1.3/profiles/name/GLOBAL/parameters', {
      name: 'journal.keepDays',
      configFile: 'global',
      value,
      secure: false,
    })
  const change = async (name: string, value: string) => {
    const [{ id }] = (await app.ok('GET', `/api/1.3/parameters?name=${name}`)).body.response
    await app.ok('PUT', `/api/1.3/parameters/${id}`, { name, configFile: 'global', value, secure: false })
  }
  /** Ninety days on, started anew: the start trims, as every hour after it does. */
  async function ninetyDaysLater(): Promise<void> {
    await app.close()
    now += 90 * day
    app = await start()
  }
  const settled = async (base: number): Promise<void> => {
    while ((await app.service.services.store.base()) !== base) await new Promise((resolve) => setTimeout(resolve, 10))
  }
  const command = (...words: string[]) => {
    const main = childArguments('api/main')
    const env = { PATH: process.env.PATH, DATA_DIR: dataDir, WORKERS: '1', PORT: '0' }
    const { status, stdout, stderr } = spawnSync(process.execPath, [...main, 'journal', 'trim', ...words], {
      env,
      encoding: 'utf8',
    })
    return { code: status, said: stdout + stderr }
  }

  it('answers 410 for what is gone, and everything else as before', async () => {
    await write('old')
    await keepDays('30')
    const last = await revision()
    const divisions = (await app.ok('GET', '/api/1.3/divisions')).body
    await ninetyDaysLater()
    await settled(last - 1)
    expect((await app.ok('GET', '/api/1.3/divisions')).body).to.deep.equal(divisions)

    for (const since of [0, 1, last - 2]) {
      for (const path of ['changes', 'watch']) {
        const answer = await app.get(`/api/1.3/${path}?since=${since}`)
        expect(answer.status, `${path} since ${since}`).to.equal(410)
        expect(answer.body.alerts[0].text).to.contain(`The journal begins after revision ${last - 1}`)
      }
    }
    expect((await app.get('/api/1.3/watch', { 'last-event-id': '1' })).status).to.equal(410)
    const all = (await app.ok('GET', '/api/1.3/changes')).body
    expect(all.response.map((entry: { revision: number }) => entry.revision)).to.deep.equal([last])
    expect((await app.ok('GET', `/api/1.3/changes?since=${last - 1}`)).body).to.deep.equal(all)
    expect((await app.ok('GET', '/api/1.3/logs?days=3650')).body.response).to.have.length(1)

    const next = await write('new')
    expect(next).to.equal(last + 1)
    const ids = (await app.ok('GET', '/api/1.3/divisions')).body.response.map((row: { id: number }) => row.id)
    expect(ids).to.have.members([1, 2])
  })

  it('keeps everything without the parameter, and with one that is no number of days', async () => {
    await write('old')
    for (const value of [null, 'a while', '0', '-1', '1e9']) {
      if (value === 'a while') await keepDays(value)
      else if (value !== null) await change('journal.keepDays', value)
      await ninetyDaysLater()
      await app.ok('GET', '/api/1.3/changes?since=0')
      expect(await app.service.services.store.base(), String(value)).to.equal(0)
    }
  })

  it('is trimmed from the command line, which says before what it would do', async () => {
    await write('old')
    const last = await revision()
    await app.close()
    const none = command()
    expect(none.code).to.equal(1)
    expect(none.said).to.contain('journal.keepDays').and.to.contain('--days')
    expect(command('--days', '0').said).to.contain('--days must be')
    expect(command('--days', '365').said).to.contain('No entry is older than 365 days')
    for (const words of [['--dry-run'], []]) {
      const done = command('--days', '30', ...words)
      expect(done.code, done.said).to.equal(0)
      expect(done.said).to.contain(`${last - 1} entries, revisions 1 to ${last - 1}`)
    }
    expect(command('--days', '30').said).to.contain('No entry is older')
    app = await start()
    expect((await app.get('/api/1.3/changes?since=0')).status).to.equal(410)
    expect((await app.ok('GET', '/api/1.3/divisions')).body.response).to.have.length(1)
  })
})
