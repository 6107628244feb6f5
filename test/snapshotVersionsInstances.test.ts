import { expect } from 'chai'
import type { TestServer } from './build.js'
import { buildServer } from './build.js'
import { fleetServer } from './snapshotServer.js'
import type { MongodbServer } from './store/mongodbServer.js'
import { startMongodbServer } from './store/mongodbServer.js'
import { vaultKeyText } from './vaultKey.js'

const bare = '/CRConfig-Snapshots/fleet/CRConfig.json'

describe('snapshot versions of two instances on one MongoDB', function () {
  this.timeout(120_000)
  let mongodb: MongodbServer | null
  let one: TestServer
  let two: TestServer

  before(async function () {
    const given = process.env.MONGODB_TEST_URI
    mongodb = given ? null : await startMongodbServer()
    if (!given && !mongodb) return this.skip()
    const env = {
      MONGODB_URI: `${given ?? mongodb!.uri.replace(/\/$/, '')}/edgewright-snapshots-${process.pid}`,
      SESSION_SECRET: 'a secret that both know',
      VAULT_KEY: vaultKeyText,
    }
    one = await fleetServer({ env })
    two = await buildServer({ env })
    return undefined
  })
  after(async () => {
    await Promise.all([one?.close(), two?.close()])
    await mongodb?.remove()
  })

  it('are all whole when both freeze at once, and have dates that rise', async () => {
    const freezes = [one, two, one, two, one, two].map((server) => server.request('PUT', '/api/1.3/snapshot/fleet'))
    const answers = await Promise.all(freezes)
    expect(answers.map(({ status, text }) => (status === 200 ? 200 : text))).eql([200, 200, 200, 200, 200, 200])
    const { response } = (await two.withCookie(one.cookie()).ok('GET', '/api/1.3/cdns/fleet/snapshots')).body
    expect(response.map(({ version }: { version: number }) => version)).eql([6, 5, 4, 3, 2, 1])
    const dates = response.map(({ date }: { date: number }) => date)
    expect(dates).eql([...new Set(dates as number[])].sort((a, b) => b - a))
    for (const version of [1, 2, 3, 4, 5, 6]) await two.ok('GET', `/api/1.3/cdns/fleet/snapshots/${version}`)
  })

  it('are seen at the other instance by those who wait for them, in the same bytes', async () => {
    const first = await two.ok('GET', bare)
    const waiting = two.get(`${bare}?wait=30s`, { 'if-none-match': first.headers.get('etag')! })
    await one.ok('PUT', '/api/1.3/snapshot/fleet')
    const start = performance.now()
    const second = await waiting
    expect(second.status).equal(200)
    expect(performance.now() - start, 'milliseconds until it was seen').lessThan(2000)
    const mine = await one.ok('GET', bare)
    expect(second.text).equal(mine.text)
    expect(second.headers.get('etag')).equal(mine.headers.get('etag'))
  })
})
