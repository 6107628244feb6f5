import { setTimeout as delay } from 'node:timers/promises'
import { expect } from 'chai'
import type { Answered, Client, TestServer } from './build.js'
import { buildServer } from './build.js'
import { fleetServer } from './snapshotServer.js'
import type { FaultyWire } from './store/faultyWire.js'
import { faultyWire } from './store/faultyWire.js'
import type { MongodbServer } from './store/mongodbServer.js'
import { startMongodbServer } from './store/mongodbServer.js'
import { wholeJournal } from './store/storm.js'
import type { Told } from './store/truth.js'
import { expectTruth, tell } from './store/truth.js'
import { vaultKeyText } from './vaultKey.js'

/** The bounds that the README gives, and a little for a machine that has much to do. */
const longestRead = 8_000
const longestWrite = 13_000

interface Timed extends Answered {
  readonly milliseconds: number
}

async function timed(answer: Promise<Answered>): Promise<Timed> {
  const started = performance.now()
  return Object.assign(await answer, { milliseconds: performance.now() - started })
}

describe('a MongoDB that stalls', function () {
  this.timeout(120_000)
  let mongodb: MongodbServer | null
  let wire: FaultyWire
  let server: TestServer

  before(async function () {
    mongodb = await startMongodbServer()
    if (!mongodb) return this.skip()
    const env = { SESSION_SECRET: 'a secret that both know', VAULT_KEY: vaultKeyText }
    wire = await faultyWire(mongodb.uri)
    const path = `edgewright-stalls-${process.pid}`
    const first = await fleetServer({ env: { ...env, MONGODB_URI: `${mongodb.uri}${path}` } })
    await first.ok('PUT', '/api/1.3/snapshot/fleet')
    await first.ok('PUT', '/api/1.3/servers/1', (await first.ok('GET', '/api/1.3/servers/1')).body.response[0])
    await first.service.services.store.settled()
    await first.close()
    server = await buildServer({ env: { ...env, MONGODB_URI: `${wire.uri}${path}` } })
    return undefined
  })
  after(async () => {
    wire?.fault('none')
    await server?.close()
    await wire?.close()
    await mongodb?.remove()
  })

  /** A session that wrote elsewhere what this instance cannot know yet. */
  function fromElsewhere(): Client {
    const { sessions, workingSet, data, now } = server.service.services
    const [, value] = server.cookie().split('=')
    const session = sessions.verify(value!)!
    expect(data.get('users', session.userId)).to.not.equal(undefined)
    const ahead = { ...session, expires: now().getTime() + 3_600_000, revision: workingSet.revision + 1 }
    return server.withCookie(`mojolicious=${sessions.sign(ahead)}`)
  }

  /** Once the store is back: what was told is true, and the service knows no other truth. */
  async function expectTold(told: readonly Told[]) {
    while ((await server.anonymous.get('/readyz')).status !== 200) await delay(100)
    const { store, committer, workingSet } = server.service.services
    const journal = await wholeJournal(store)
    await committer.catchUp(journal.length)
    expect(workingSet.revision).to.equal(journal.length)
    return expectTruth(told, journal)
  }

  it('waits for a while for what it sent, so that most clients are told how it went', async () => {
    wire.fault('hold')
    const writes = [1, 2, 3].map((at) => tell(server, `late ${at}`))
    await delay(4000)
    wire.fault('none')
    expect(await expectTold(await Promise.all(writes))).to.include({ done: 3 })
  })

  it('comes back whenever all of its connections end at once', async () => {
    // The driver alone may not: mongoConnection.ts.
    for (let round = 0; round < 8; round++) {
      const busy = Array.from({ length: 8 }, () => server.get('/api/1.3/logs?limit=1'))
      const write = tell(server, `cut ${round}`)
      await delay(5 * round)
      wire.cut()
      for (const { status } of await Promise.all(busy)) expect(status).to.be.oneOf([200, 503])
      const started = performance.now()
      await expectTold([await write])
      expect(performance.now() - started).to.be.lessThan(25_000)
    }
  })

  it('says that the outcome is unknown when it is, where to look, and that nothing was changed when nothing was', async () => {
    const { revision } = server.service.services.workingSet
    // So that there are connections on which it is sent: a new one is not made without an answer.
    await Promise.all(Array.from({ length: 10 }, () => server.ok('GET', '/api/1.3/logs?limit=1')))
    wire.fault('lose answers')
    const started = performance.now()
    const sent = tell(server, 'unheard')
    await delay(1000)
    const waiting = [1, 2].map((at) => tell(server, `waiting ${at}`))
    const told = await Promise.all([sent, ...waiting])
    expect(performance.now() - started).to.be.lessThan(longestWrite + longestRead)
    wire.fault('none')
    expect(await expectTold(told)).to.deep.equal({ done: 0, nothing: 2, unknown: 1 })
    // As the alert says it is found out.
    const [{ answer }] = told as [Told]
    const path = /GET (\S+)/.exec(answer.body.alerts[0].text)![1]!
    const found = (await server.ok('GET', path)).body.response[0]
    expect(found).to.include({ revision: revision + 1, id: answer.headers.get('x-edgewright-entry') })
  })

  it('answers what it knows, says 503 for what only the store knows, and 500 for nothing', async () => {
    const warm = await server.ok('GET', '/api/1.3/servers')
    const { revision } = server.service.services.workingSet
    wire.fault('hold')
    const known = [
      server.get('/api/1.3/servers'),
      server.get('/api/1.3/servers?hostName=nobody'),
      server.get('/api/1.3/cdns/fleet/snapshots'),
      server.get('/api/1.3/servers/1/configfiles/ats/records.config'),
      server.anonymous.get('/livez'),
      server.anonymous.get('/metrics'),
    ]
    const asking = [
      server.get('/api/1.3/logs'),
      server.get('/api/1.3/logs?user=admin&limit=1'),
      server.get('/api/1.3/changes'),
      server.get('/api/1.3/cdns/fleet/snapshots/1'),
      server.get(`/api/1.3/servers?wait=1s&rev=${revision + 1}`),
      fromElsewhere().get('/api/1.3/servers'),
      server.request('PUT', '/api/1.3/snapshot/fleet'),
      server.request('POST', '/api/1.3/cdns/fleet/snapshots/1/activate'),
    ]
    const writes = [1, 2, 3].map((at) => tell(server, `stalled ${at}`))
    const answers = await Promise.all(known.map(timed))
    expect(answers[0]!.text === warm.text).to.equal(true)
    for (const [at, { status, text }] of answers.entries()) expect(status, `${at} ${text}`).to.be.oneOf([200, 404])
    const input = await Promise.all(asking.map(timed))
    for (const { status, headers, milliseconds, body } of input) {
      expect(status, JSON.stringify(body)).to.equal(503)
      expect(headers.get('retry-after')).to.equal('5')
      expect(milliseconds).to.be.lessThan(longestWrite)
    }
    for (const { milliseconds } of input.slice(0, 6)) expect(milliseconds).to.be.lessThan(longestRead)
    expect((await server.anonymous.get('/readyz')).status).to.equal(503)
    wire.fault('none')
    await expectTold(await Promise.all(writes))
  })
})
