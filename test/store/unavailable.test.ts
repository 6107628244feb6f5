import { execFileSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, rmSync, statSync, unlinkSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { expect } from 'chai'
import { openEmbedded } from '../../api/store/lmdb/embedded.js'
import type { Store } from '../../api/store/store.js'
import { AppendFailed, StoreUnavailable } from '../../api/store/store.js'
import { created, entryAt, replay, sorted } from './entries.js'
import type { MongodbServer } from './mongodbServer.js'
import { startMongodbServer } from './mongodbServer.js'
import { mongoPlace } from './places.js'
import { wholeJournal } from './storm.js'

async function refused(work: Promise<unknown>): Promise<void> {
  expect(await work.catch((error: unknown) => error)).to.be.instanceOf(StoreUnavailable)
}

describe('a full disk', () => {
  const padded = (revision: number) =>
    entryAt(revision, { changes: [created('cdns', { id: revision, text: 'x'.repeat(20_000) })] })

  /** Writes until it fails; resolves with the newest revision. */
  async function fill(store: Store): Promise<number> {
    for (let revision = (await store.head()) + 1; ; revision++) {
      const outcome = await store.append([padded(revision)]).catch((error: unknown) => error)
      if (outcome === 1) continue
      expect(outcome).to.be.instanceOf(StoreUnavailable)
      return revision - 1
    }
  }

  async function expectRecovery(dataDir: string, takeSpace: () => void, giveSpace: () => void): Promise<void> {
    let store = await openEmbedded({ dataDir })
    opened = () => store.close()
    expect(await store.append([entryAt(1)])).to.equal(1)
    for (let round = 0; round < 3; round++) {
      takeSpace()
      const full = await fill(store)
      for (let attempt = 0; attempt < 20; attempt++) await refused(store.append([padded(full + 1)]))
      await refused(store.putBlob({ hash: 'a', bytes: Buffer.alloc(2_000_000) }))
      await refused(store.ping())
      expect(await store.head()).to.equal(full)
      const entries = await wholeJournal(store)
      expect(entries).to.have.length(full)
      expect(sorted(await store.load())).to.deep.equal(replay(entries))
      expect((await store.log({ limit: 1 }))[0]?.revision).to.equal(full)

      giveSpace()
      await store.ping()
      expect(await store.append([padded(full + 1)])).to.equal(1)
      await store.close()
      store = await openEmbedded({ dataDir })
      expect(sorted(await store.load())).to.deep.equal(replay(await wholeJournal(store)))
    }
  }

  let directory: string
  let opened = async () => {}
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'edgewright-full-'))
    opened = async () => {}
  })
  afterEach(() => rmSync(directory, { recursive: true, force: true }))

  it('refuses writes and changes nothing, at the limit of a file’s size', async function () {
    const limit = (bytes: number | 'unlimited') =>
      execFileSync('prlimit', ['--pid', String(process.pid), `--fsize=${bytes}:`], { stdio: 'ignore' })
    try {
      limit('unlimited')
    } catch {
      console.log('    SKIPPED: there is no prlimit to bound the size of a file with')
      this.skip()
    }
    try {
      const file = join(directory, 'store.mdb')
      await expectRecovery(
        directory,
        () => limit(statSync(file).size + 300_000),
        () => limit('unlimited'),
      )
    } finally {
      limit('unlimited')
      await opened()
    }
  }).timeout(60_000)

  it('refuses writes and changes nothing, on a small file system', async function () {
    const disk = join(directory, 'disk')
    try {
      execFileSync('mkdir', [disk])
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=24m', 'tmpfs', disk], { stdio: 'ignore' })
    } catch {
      console.log('    SKIPPED: no small file system can be mounted here')
      this.skip()
    }
    const filler = join(disk, 'filler')
    const takeSpace = () => {
      const descriptor = openSync(filler, 'w')
      try {
        for (;;) writeSync(descriptor, Buffer.alloc(4096))
      } catch (error) {
        expect((error as NodeJS.ErrnoException).code).to.equal('ENOSPC')
      } finally {
        closeSync(descriptor)
      }
    }
    try {
      await expectRecovery(join(disk, 'data'), takeSpace, () => unlinkSync(filler))
    } finally {
      await opened()
      execFileSync('umount', ['-l', disk])
    }
  }).timeout(120_000)
})

describe('a MongoDB that is away', () => {
  /** What is certain is said soon; for what is not, the outcome is waited for. */
  const soon = 6000
  const longest = 12_500

  async function expectOutage(store: Store, begin: () => Promise<void>, end: () => Promise<void>): Promise<void> {
    const head = (await store.head()) + 1
    expect(await store.append([entryAt(head)])).to.equal(1)
    // The test server is broken for good when it ends while it makes a collection.
    await store.settled()
    await begin()
    const started = performance.now()
    const failed = await Promise.all(
      [entryAt(head + 1), entryAt(head + 2)].map((entry) => store.append([entry]).catch((error: unknown) => error)),
    )
    // It was sent before anybody could know.
    for (const error of failed) {
      expect(error).to.be.instanceOf(AppendFailed)
      expect(error).to.include({ committed: 0, outcome: 'unknown' })
    }
    expect(performance.now() - started).to.be.lessThan(longest)
    const known = performance.now()
    const never = entryAt(head + 1)
    const certain = await store.append([never]).catch((error: unknown) => error)
    expect(certain).to.be.instanceOf(StoreUnavailable)
    if (certain instanceof AppendFailed) expect(certain.outcome).to.equal('none')
    expect(performance.now() - known).to.be.lessThan(soon)
    for (const ask of [
      () => store.head(),
      () => store.log({ limit: 1 }),
      () => store.getBlob('a'),
      () => store.ping(),
    ]) {
      const input = performance.now()
      await refused(ask())
      expect(performance.now() - input).to.be.lessThan(soon)
    }

    await end()
    const ended = performance.now()
    while (
      !(await store.ping().then(
        () => true,
        () => false,
      ))
    ) {
      expect(performance.now() - ended).to.be.lessThan(longest)
      await delay(100)
    }
    // They may have been done after all: nobody could know, so one looks before one appends again.
    const after = await store.head()
    expect(after - head).to.be.oneOf([0, 1, 2])
    expect(await store.append([entryAt(after + 1)])).to.equal(1)
    await store.settled()
    const entries = await wholeJournal(store)
    expect(entries).to.have.length(after + 1)
    expect(entries.map(({ id }) => id)).not.to.include(never.id)
    expect(sorted(await store.load())).to.deep.equal(replay(entries))
  }

  type Act = (server: MongodbServer) => Promise<void>
  const outages: Record<string, [Act, Act]> = {
    'was killed': [(server) => server.kill(), (server) => server.restart()],
    hung: [
      async (server) => {
        process.kill(server.pid, 'SIGSTOP')
        // Not every thread of it stops in the same moment.
        await delay(200)
      },
      async (server) => void process.kill(server.pid, 'SIGCONT'),
    ],
  }

  it('refuses writes in time, says what is certain, and recovers by itself, when it was killed and when it hung', async function () {
    const through = async ([begin, end]: [Act, Act]): Promise<void> => {
      const server = await startMongodbServer()
      if (!server) return this.skip()
      const place = mongoPlace(server.uri)
      const store = await place.open()
      await expectOutage(
        store,
        () => begin(server),
        () => end(server),
      )
      await store.close()
      await place.remove()
      return server.remove()
    }
    await Promise.all(Object.values(outages).map(through))
  }).timeout(600_000)
})
