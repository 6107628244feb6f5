import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import type { TestServer } from './build.js'
import { buildServer } from './build.js'
import { startMongodbServer } from './store/mongodbServer.js'
import { wholeJournal } from './store/storm.js'
import { vaultKeyText } from './vaultKey.js'

/** A clock that goes on from a time. */
function clockFrom(iso: string): () => Date {
  const ahead = Date.parse(iso) - Date.now()
  return () => new Date(Date.now() + ahead)
}

async function expectRising({ service }: TestServer, least: string): Promise<void> {
  const times = (await wholeJournal(service.services.store)).map(({ time }) => time)
  expect(times).to.deep.equal([...times].sort())
  expect(times.at(-1)! >= least, times.at(-1)).to.equal(true)
}

describe('the times in the journal', function () {
  this.timeout(120_000)

  it('do not go back over a restart, though the clock did', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'edgewright-times-'))
    try {
      for (const start of ['2031-05-01T00:00:00Z', '2029-01-01T00:00:00Z', '2030-01-01T00:00:00Z']) {
        const server = await buildServer({ dataDir, now: clockFrom(start) })
        const made = await server.ok('POST', '/api/1.3/divisions', { name: `at ${start}` })
        expect(made.body.response.lastUpdated).to.match(/^2031-05-01 /)
        await expectRising(server, '2031-05-01')
        await server.close()
      }
    } finally {
      rmSync(dataDir, { recursive: true, force: true })
    }
  })

  it('do not go back from an instance whose clock is ahead to one whose clock is not, nor over its restart', async function () {
    const mongodb = await startMongodbServer()
    if (!mongodb) return this.skip()
    const env = {
      MONGODB_URI: `${mongodb.uri}edgewright-times-${process.pid}`,
      SESSION_SECRET: 'a secret that both know',
      VAULT_KEY: vaultKeyText,
    }
    const behind = await buildServer({ env, now: clockFrom('2029-01-01T00:00:00Z') })
    const ahead = await buildServer({ env, now: clockFrom('2029-01-01T01:00:00Z') })
    for (let round = 0; round < 3; round++) {
      for (const server of [ahead, behind]) {
        const name = `${round} ${server === ahead ? 'ahead' : 'behind'}`
        await server.ok('POST', '/api/1.3/divisions', { name })
      }
    }
    await expectRising(behind, '2029-01-01T01')
    await Promise.all([ahead.close(), behind.close()])
    const again = await buildServer({ env, now: clockFrom('2028-01-01T00:00:00Z') })
    await again.ok('POST', '/api/1.3/divisions', { name: 'again' })
    await expectRising(again, '2029-01-01T01')
    await again.close()
    return mongodb.remove()
  })
})
