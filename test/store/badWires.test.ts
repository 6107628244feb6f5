import { setTimeout as delay } from 'node:timers/promises'
import { expect } from 'chai'
import type { TestServer } from '../build.js'
import { buildServer } from '../build.js'
import { seededRandom } from '../seededRandom.js'
import { vaultKeyText } from '../vaultKey.js'
import type { FaultyWire, WireFault } from './faultyWire.js'
import { faultyWire } from './faultyWire.js'
import type { MongodbServer } from './mongodbServer.js'
import { startMongodbServer } from './mongodbServer.js'
import { wholeJournal } from './storm.js'
import type { Told } from './truth.js'
import { expectTruth, tell } from './truth.js'

const nightly = process.env.EDGEWRIGHT_NIGHTLY === '1'

describe('two instances on bad wires to one MongoDB', () => {
  const storms = nightly ? 12 : 1
  const milliseconds = nightly ? 20_000 : 4500
  let mongodb: MongodbServer | null

  before(async function () {
    this.timeout(600_000)
    mongodb = await startMongodbServer()
    if (!mongodb) this.skip()
  })
  after(() => mongodb?.remove())

  async function storm(seed: number): Promise<void> {
    const random = seededRandom(seed)
    const wires = [await faultyWire(mongodb!.uri), await faultyWire(mongodb!.uri)] as const
    const env = { SESSION_SECRET: 'a secret that both know', VAULT_KEY: vaultKeyText }
    const servers: TestServer[] = []
    for (const { uri } of wires)
      servers.push(await buildServer({ env: { ...env, MONGODB_URI: `${uri}edgewright-wires-${process.pid}-${seed}` } }))
    const until = performance.now() + milliseconds
    const told: Told[] = []
    const writers = servers.flatMap((server, at) =>
      [0, 1, 2].map((writer) => write(server, `${at}-${writer}`, until, told)),
    )
    const shakers = wires.map((wire) => shake(wire, until, random))
    await Promise.all([...writers, ...shakers])

    for (const server of servers) while ((await server.anonymous.get('/readyz')).status !== 200) await delay(100)
    const journal = await wholeJournal(servers[0]!.service.services.store)
    expect(journal.map(({ revision }) => revision)).to.deep.equal(journal.map((_, index) => index + 1))
    const { done, nothing, unknown } = expectTruth(told, journal)
    expect(done, `seed ${seed}`).to.be.greaterThan(10)
    console.log(`      seed ${seed}: ${done} done, ${nothing} not done, ${unknown} unknown`)
    const lists = []
    for (const server of servers) {
      await server.service.services.committer.catchUp(journal.length)
      lists.push((await server.ok('GET', '/api/1.3/divisions')).text)
    }
    expect(lists[0] === lists[1], 'both instances have the same').to.equal(true)
    for (const server of servers) await server.close()
    for (const wire of wires) await wire.close()
  }

  it(`are told what became of every write, and agree in the end, in ${storms} storms`, async () => {
    const first = nightly ? Date.now() % 1_000_000 : 7
    for (let count = 0; count < storms; count++) await storm(first + count)
  }).timeout(nightly ? 1_800_000 : 120_000)
})

async function write(server: TestServer, writer: string, until: number, told: Told[]): Promise<void> {
  for (let count = 0; performance.now() < until; count++) told.push(await tell(server, `storm ${writer} ${count}`))
}

/** Makes a wire bad in turns, now for a moment and now for longer than a write is waited for; good in the end. */
async function shake(wire: FaultyWire, until: number, random: () => number): Promise<void> {
  const faults: readonly WireFault[] = ['hold', 'lose', 'lose answers', { delay: 30 }, { delay: 300 }]
  while (performance.now() < until) {
    await delay(random() * 500)
    if (random() < 0.4) wire.cut()
    else wire.fault(faults[Math.floor(random() * faults.length)]!)
    await delay(Math.min(random() ** 3 * 12_000, Math.max(0, until - performance.now())))
    if (random() < 0.3) wire.cut()
    wire.fault('none')
  }
}
