import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { expect } from 'chai'
import { MongoClient } from 'mongodb'
import pino from 'pino'
import { readSettings } from '../api/config/settings.js'
import { partsOf } from '../api/operations/backup/format.js'
import { openService } from '../api/server.js'
import { openMongo } from '../api/store/mongo/mongo.js'
import { restoreStore } from '../api/store/open.js'
import type { TestServer } from './build.js'
import { buildServer } from './build.js'
import { childArguments } from './childArguments.js'
import { entryAt } from './store/entries.js'
import { onMongodb } from './store/onMongodb.js'
import type { Place } from './store/places.js'
import { mongoPlace } from './store/places.js'
import { vaultKeyText } from './vaultKey.js'

/** A backup that is restored by one of several instances, or by the command line, is what all of them go on with. */
onMongodb('a restore under several instances', (mongodb) => {
  let folder: string
  let place: Place & { readonly uri: string }
  let env: Record<string, string>
  let one: TestServer
  let two: TestServer
  let token: Record<string, string>
  let backup: string

  before(async function () {
    this.timeout(120_000)
    folder = mkdtempSync(join(tmpdir(), 'edgewright-restored-'))
    place = mongoPlace(mongodb().uri)
    env = { MONGODB_URI: place.uri, SESSION_SECRET: 'a secret that both know', VAULT_KEY: vaultKeyText }
    one = await buildServer({ env, dataDir: join(folder, 'one') })
    two = await buildServer({ env, dataDir: join(folder, 'two') })
    const made = (await one.ok('POST', '/api/1.3/tokens', { description: 'of tests' })).body.response
    token = { authorization: `Bearer ${made.token}` }
    backup = (await one.ok('GET', '/api/1.3/backup')).text
    // A token says of no revision, so another instance knows it only once it has followed.
    await two.service.services.committer.catchUp(one.service.services.workingSet.revision)
  })
  after(async () => {
    await Promise.all([one?.close(), two?.close()])
    rmSync(folder, { recursive: true, force: true })
  })

  const names = async (at: TestServer): Promise<string[]> =>
    (await at.anonymous.get('/api/1.3/divisions', token)).body.response.map((row: { name: string }) => row.name)
  const historyOf = (at: TestServer): string => at.service.services.store.history
  const ready = async (at: TestServer, before: string): Promise<void> => {
    while (historyOf(at) === before) await delay(50)
    while ((await at.anonymous.get('/readyz')).status !== 200) await delay(50)
  }

  /** Both write all the while; whatever either acknowledged once the new content was there is in it. */
  async function underWriters(restore: () => Promise<void>): Promise<void> {
    let isDone = false
    const strange: string[] = []
    const round = Math.random().toString(36).slice(2)
    const acknowledged = [one, two].map(async (server, number) => {
      const written: string[] = []
      for (let count = 0; !isDone; count++) {
        const name = `${round} ${number}-${count}`
        const { status, text } = await server.anonymous.request('POST', '/api/1.3/divisions', { name }, token)
        if (status === 200) written.push(name)
        else if (status !== 503) strange.push(`${status} ${text}`)
        // Both, and the server of the database, share a few cores with the restore.
        await delay(40)
      }
      return written
    })
    try {
      await delay(300)
      const before = historyOf(one)
      await restore()
      await Promise.all([one, two].map((at) => ready(at, before)))
      await delay(1000)
    } finally {
      isDone = true
    }
    const written = await Promise.all(acknowledged)
    expect(strange).to.deep.equal([])
    await two.service.services.committer.catchUp(one.service.services.workingSet.revision)
    await one.service.services.committer.catchUp(two.service.services.workingSet.revision)
    const present = await names(one)
    expect(await names(two)).to.deep.equal(present)
    for (const [number, list] of written.entries()) {
      const kept = list.map((name) => present.includes(name))
      const from = kept.indexOf(true)
      expect(kept[0], `writer ${number} wrote before the restore`).to.equal(false)
      expect(from, `writer ${number} wrote after the restore`).to.be.greaterThan(0)
      expect(list.slice(from).filter((name) => !present.includes(name))).to.deep.equal([])
    }
    const unknown = present.filter((name) => name.startsWith(round) && !written.flat().includes(name))
    expect(unknown).to.deep.equal([])
  }

  it('over HTTP, at one of two: both go on with it, and neither takes a write into the old store', async () => {
    await underWriters(async () => {
      const given = { method: 'POST', headers: token, body: backup }
      const answer = await fetch(`${one.url}/api/1.3/restore?force=true`, given)
      expect(answer.status, await answer.text()).to.equal(200)
    })
  }).timeout(120_000)

  it('by the command line: both go on with it', async () => {
    const file = join(folder, 'backup')
    writeFileSync(file, backup)
    await underWriters(async () => {
      await restoreStore(readSettings(env), { force: true }, partsOf(file))
    })
  }).timeout(120_000)

  it('over HTTP, at both at once: one of them', async () => {
    const given = { method: 'POST', headers: token, body: backup }
    const before = historyOf(one)
    const statuses = await Promise.all(
      [one, two].map(async ({ url }) => (await fetch(`${url}/api/1.3/restore?force=true`, given)).status),
    )
    expect(statuses, String(statuses)).to.include(200)
    for (const status of statuses) expect(status).to.be.oneOf([200, 409, 503])
    await Promise.all([one, two].map((at) => ready(at, before)))
    expect(await names(two)).to.deep.equal(await names(one))
  }).timeout(120_000)

  it('while another instance starts: that one begins anew with it', async () => {
    const file = join(folder, 'while starting')
    writeFileSync(file, backup)
    const empty = mongoPlace(mongodb().uri)
    const emptyEnv = { ...env, MONGODB_URI: empty.uri }
    const settings = readSettings({ ...emptyEnv, DATA_DIR: join(folder, 'starting'), LOG_LEVEL: 'silent' })
    const restored: string[] = []
    const beforeFirstStart = (): void => {
      const words = [...childArguments('api/main'), 'restore', '--force', file]
      // The first fills what is empty; the second ends that history, and puts another in its place.
      for (let round = 0; round < 2; round++) {
        const { status, stderr } = spawnSync(process.execPath, words, { env: { ...process.env, ...emptyEnv } })
        restored.push(`${status} ${stderr}`)
      }
    }
    const late = await openService(settings, { log: pino({ level: 'silent' }), beforeFirstStart })
    for (const how of restored) expect(how).to.match(/^0 /)
    // What it loaded first has ended, and nothing of that may be left that follows it: it would tell of its end.
    await delay(1000)
    const { store, data } = late.services
    const opened = await openMongo({ uri: empty.uri })
    expect(store.history).to.equal(opened.history)
    expect(data.all('users').map(({ username }) => username)).to.include('admin')
    await opened.close()
    await late.close()
    await empty.remove()
  }).timeout(120_000)

  it('is found by who held on to the old store meanwhile: it commits nothing there', async () => {
    const behind = await openMongo({ uri: place.uri })
    const { revision } = await behind.load()
    const file = join(folder, 'again')
    writeFileSync(file, backup)
    await restoreStore(readSettings(env), { force: true }, partsOf(file))
    expect(await behind.append([entryAt(revision + 1)])).to.equal(0)
    const error = await behind.entriesAfter(revision, 10).catch((cause) => cause)
    expect(error.name).to.equal('HistoryReplaced')
    await behind.close()
    const opened = await openMongo({ uri: place.uri })
    expect(opened.history).to.not.equal(behind.history)
    await opened.close()
  }).timeout(60_000)

  it('goes on where it was cut short between the end of the old store and the mark of the new one', async () => {
    const client = new MongoClient(place.uri)
    const marks = client.db().collection<{ _id: string; prefix: string; name: string; replaced?: string }>('marks')
    const mark = await marks.findOne({ _id: 'history' })
    const head = await headOf(place.uri)
    await marks.updateOne({ _id: 'history' }, { $set: { prefix: mark!.replaced!, name: mark!.replaced! } })
    expect(await headOf(place.uri)).to.equal(head)
    expect((await marks.findOne({ _id: 'history' }))!.prefix).to.equal(mark!.prefix)
    await client.close()
  }).timeout(60_000)

  async function headOf(uri: string): Promise<number> {
    const store = await openMongo({ uri })
    const { revision } = await store.load()
    await store.close()
    return revision
  }
})
