import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { expect } from 'chai'
import { backupText } from '../../api/operations/backup/backup.js'
import type { Loaded } from '../../api/store/store.js'
import { StoreRefused } from '../../api/store/store.js'
import { childArguments } from '../childArguments.js'
import { vaultKeyText } from '../vaultKey.js'
import { created, entryAt, sorted, timeAt } from './entries.js'
import type { MongodbServer } from './mongodbServer.js'
import { startMongodbServer } from './mongodbServer.js'
import type { Place } from './places.js'
import { embeddedPlace, mongoPlace } from './places.js'

const nightly = process.env.EDGEWRIGHT_NIGHTLY === '1'

/** A restore that is killed leaves a store that is refused, or the one from before, or all of the backup. */
describe('restore, killed', function () {
  this.timeout(600_000)
  let folder: string
  let file: string
  let whole: Loaded
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'edgewright-restore-'))
    file = join(folder, 'backup')
    const place = embeddedPlace()
    const store = await place.open()
    for (let revision = 1; revision <= 40; revision++) {
      const changes = Array.from({ length: 100 }, (_, at) => {
        const [id, name] = [revision * 100 + at, `${revision} ${at}`]
        const lastUpdated = timeAt(revision)
        const more = { configFile: 'a', value: 'x'.repeat(1000), secure: false }
        return created(at % 2 ? 'divisions' : 'parameters', { id, name, lastUpdated, ...(at % 2 ? {} : more) })
      })
      await store.append([entryAt(revision, { changes })])
      await store.putBlob({ hash: `blob ${revision}`, bytes: Buffer.alloc(50_000, revision) })
    }
    let text = ''
    for await (const piece of backupText({ store, vaultKey: null, now: () => new Date() })) text += piece
    writeFileSync(file, text)
    whole = sorted(await store.load())
    await store.close()
    await place.remove()
  })
  after(() => rmSync(folder, { recursive: true, force: true }))

  const restore = (env: Record<string, string>, words: string[] = []) => {
    const main = [...childArguments('api/main'), 'restore', file, ...words]
    const child = spawn(process.execPath, main, {
      env: { PATH: process.env.PATH, ...env },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    let said = ''
    child.stderr!.on('data', (chunk) => {
      said += chunk
    })
    const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
    return { child, ended, said: () => said }
  }

  /** What somebody finds who starts now. */
  async function found(place: Place): Promise<'refused' | 'empty' | 'whole'> {
    const store = await place.open().catch((error: unknown) => error as Error)
    if (store instanceof Error) {
      expect(store).to.be.instanceOf(StoreRefused)
      expect(store.message).to.contain('edgewright restore')
      return 'refused'
    }
    const loaded = sorted(await store.load())
    await store.close()
    if (loaded.revision === 0) return 'empty'
    expect(loaded).to.deep.equal(whole)
    return 'whole'
  }

  /** Kills restores at moments from before the first write to after the last. */
  async function killed(
    place: Place,
    env: Record<string, string>,
    { kills, longest, started }: { kills: number; longest: number; started: () => Promise<boolean> | boolean },
  ): Promise<Record<string, number>> {
    const counts: Record<string, number> = { refused: 0, empty: 0, whole: 0 }
    for (let count = 0; count < kills; count++) {
      const { child, ended } = restore(env, counts.whole ? ['--force'] : [])
      const isOver = ended.then(() => true)
      while (!(await started()) && !(await Promise.race([isOver, delay(5, false)])));
      await Promise.race([isOver, delay((longest * count) / kills)])
      child.kill('SIGKILL')
      await ended
      const now = await found(place)
      if (counts.whole === 0 && now === 'empty')
        expect(await started(), 'a begun restore is no empty store').to.equal(false)
      counts[now]! += 1
    }
    const last = restore(env, ['--force'])
    expect(await last.ended, last.said()).to.equal(0)
    expect(await found(place)).to.equal('whole')
    return counts
  }

  it('embedded', async () => {
    const place = embeddedPlace()
    try {
      const started = () => existsSync(join(place.directory, 'restoring.mdb'))
      const env = { DATA_DIR: place.directory }
      const counts = await killed(place, env, { kills: nightly ? 40 : 8, longest: 500, started })
      expect(counts.refused, JSON.stringify(counts)).to.be.greaterThan(0)
    } finally {
      await place.remove()
    }
  })

  it('MongoDB-compatible server', async function () {
    const server: MongodbServer | null = await startMongodbServer()
    if (!server) this.skip()
    const place = mongoPlace(server.uri)
    try {
      const store = await place.open()
      await store.close()
      const env = {
        MONGODB_URI: place.uri,
        SESSION_SECRET: 'a secret of the tests',
        VAULT_KEY: vaultKeyText,
      }
      const started = async () => {
        const store = await place.open().catch(() => null)
        await store?.close()
        return store === null
      }
      const counts = await killed(place, env, { kills: nightly ? 20 : 4, longest: 2500, started })
      expect(counts.refused, JSON.stringify(counts)).to.be.greaterThan(0)
    } finally {
      await place.remove()
      await server.remove()
    }
  })
})
