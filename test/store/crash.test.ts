import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import { expect } from 'chai'
import { childArguments } from '../childArguments.js'
import { replay, sorted } from './entries.js'
import type { MongodbServer } from './mongodbServer.js'
import { startMongodbServer } from './mongodbServer.js'
import type { Place } from './places.js'
import { embeddedPlace, mongoPlace } from './places.js'
import { stormEntry, wholeJournal } from './storm.js'

const nightly = process.env.EDGEWRIGHT_NIGHTLY === '1'
const child = childArguments('test/store/stormChild')

/**
 * Runs a storm, and `end` from its first line of this word on: `start`, or `done` for one that is in full swing.
 * Resolves with the largest revision it was told to be durable, 0 if it came to none.
 */
async function stormUntil(
  args: string[],
  from: 'start' | 'done',
  end: (process: ChildProcess) => Promise<void>,
): Promise<number> {
  const storm = spawn(process.execPath, [...child, ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
  const exited = new Promise((resolve) => storm.once('exit', resolve))
  let acknowledged = 0
  let ending: Promise<void> | undefined
  for await (const line of createInterface({ input: storm.stdout })) {
    const [word, revision] = line.split(' ')
    if (word === 'done') acknowledged = Math.max(acknowledged, Number(revision))
    if (word === from) ending ??= end(storm)
  }
  await exited
  await ending
  expect(storm.signalCode, 'a storm ends only by being killed').to.equal('SIGKILL')
  return acknowledged
}

/** One kill in three or so hits the beginning, the others the middle. */
function swing(count: number): 'start' | 'done' {
  return count % 3 === 0 ? 'start' : 'done'
}

/** A random time in ms, often short: some kills hit the first write and others the middle of many. */
function moment(longest: number): number {
  return Math.random() ** 2 * longest
}

/** Writes the first entry in peace: the test server is broken for good when it ends while it makes a collection. */
async function madeCollections(place: Place): Promise<number> {
  const store = await place.open()
  await store.append([stormEntry(1)])
  await store.settled()
  await store.close()
  return 1
}

/** Whatever was acknowledged is there, in full; nothing else than whole entries is; both copies of the records agree. */
async function expectWhole(place: Place, acknowledged: number, isWide = false): Promise<number> {
  const store = await place.open()
  try {
    let loaded = await store.load()
    let entries = await wholeJournal(store)
    // What a killed process had sent may still be on its way in the server when it is read for the first time.
    for (let tries = 0; entries.length > loaded.revision && tries < 10; tries++) {
      loaded = await store.load()
      entries = await wholeJournal(store)
    }
    expect(loaded.revision, 'an acknowledged entry is missing').to.be.at.least(acknowledged)
    expect(entries.map(({ revision }) => revision)).to.deep.equal(entries.map((_, index) => index + 1))
    for (const { revision, changes } of entries) expect(changes).to.deep.equal(stormEntry(revision, isWide).changes)
    expect(sorted(loaded)).to.deep.equal(replay(entries))
    await store.settled()
    expect(sorted(await store.load())).to.deep.equal(replay(entries))
    return loaded.revision
  } finally {
    await store.close()
  }
}

describe('crash, embedded', () => {
  const kills = nightly ? 50 : 8
  const place = embeddedPlace()
  after(() => place.remove())

  it(`keeps what it acknowledged through ${kills} kills`, async () => {
    let reached = 0
    for (let count = 0; count < kills; count++) {
      const acknowledged = await stormUntil(['embedded', place.directory], swing(count), async (storm) => {
        await delay(moment(250))
        storm.kill('SIGKILL')
      })
      reached = await expectWhole(place, Math.max(acknowledged, reached))
    }
    expect(reached).to.be.greaterThan(kills / 3)
  }).timeout(600_000)

  it(`keeps entries of thousands of changes whole through ${kills} kills`, async () => {
    const own = embeddedPlace()
    let reached = 0
    for (let count = 0; count < kills; count++) {
      const acknowledged = await stormUntil(['embedded', own.directory, 'wide'], 'start', async (storm) => {
        await delay(20 + moment(500))
        storm.kill('SIGKILL')
      })
      reached = await expectWhole(own, Math.max(acknowledged, reached), true)
    }
    expect(reached).to.be.greaterThan(1)
    await own.remove()
  }).timeout(600_000)
})

describe('crash, MongoDB-compatible server', () => {
  const kills = nightly ? 50 : 4
  let server: MongodbServer | null

  before(async function () {
    this.timeout(600_000)
    server = await startMongodbServer()
    if (!server) this.skip()
  })
  after(() => server?.remove())

  it(`keeps what it acknowledged through ${kills} kills, every other one of the server as well`, async () => {
    // Databases grow slow on this server: it reads a collection from end to end.
    const perDatabase = 10
    for (let begun = 0; begun < kills; begun += perDatabase) {
      const place = mongoPlace(server!.uri)
      let reached = await madeCollections(place)
      for (let count = begun; count < Math.min(kills, begun + perDatabase); count++) {
        const acknowledged = await stormUntil(['mongo', place.uri], swing(count), async (storm) => {
          await delay(moment(3000))
          if (count % 2 === 1) {
            await server!.kill()
            await delay(moment(250))
          }
          storm.kill('SIGKILL')
          if (count % 2 === 1) await server!.restart()
        })
        reached = await expectWhole(place, Math.max(acknowledged, reached))
      }
      expect(reached).to.be.greaterThan(1)
      await place.remove()
    }
  }).timeout(1_800_000)
})
