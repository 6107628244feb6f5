import { setTimeout as delay } from 'node:timers/promises'
import { expect } from 'chai'
import type { MeasuredService } from './eventLoopService.js'
import { measuredService } from './eventLoopService.js'
import type { MongodbServer } from './store/mongodbServer.js'
import { startMongodbServer } from './store/mongodbServer.js'
import { vaultKeyText } from './vaultKey.js'

/** The longest, in ms, that one client may hold the event loop. */
const bound = 50
/** The best of so many counts: machines that run tests do other things as well. */
const rounds = 3

/** What a large import is for the store that is asked over the network: one entry, and thousands of documents. */
describe('the event loop under a large import into a MongoDB', function () {
  this.timeout(600_000)
  let mongodb: MongodbServer | null
  let service: MeasuredService

  before(async function () {
    mongodb = await startMongodbServer()
    if (!mongodb) return this.skip()
    service = await measuredService({
      MONGODB_URI: `${mongodb.uri}edgewright-loop`,
      SESSION_SECRET: 'a secret of tests',
      VAULT_KEY: vaultKeyText,
    })
    return undefined
  })
  after(async () => {
    await service?.close()
    await mongodb?.remove()
  })

  const call = async (method: string, path: string, body?: object) => {
    const response = await fetch(`${service.url}${path}`, {
      method,
      headers: { cookie: service.cookie, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    expect(response.status, `${method} ${path}: ${text.slice(0, 300)}`).to.equal(200)
    return JSON.parse(text)
  }

  const staysFree = async (round: (number: number) => Promise<void>): Promise<void> => {
    const delays: string[] = []
    for (let number = 0; number < rounds; number++) {
      const longest = await service.longestDelay(async () => {
        await round(number)
        // The records are written behind the entry, which is the commit.
        await delay(3000)
      })
      const { isFree, said } = await service.isWithin(longest, bound)
      delays.push(said)
      console.log(`      ${delays.at(-1)}`)
      if (isFree) return
    }
    expect.fail(`the event loop was held for ${delays.join(', ')}`)
  }

  it('is free while the entry and its records are written', () =>
    staysFree(async (round) => {
      const parameters = Array.from({ length: 20_000 }, (_, at) => ({
        name: `parameter ${round}-${at}`,
        configFile: `file${at % 40}.config`,
        value: `value ${at} ${'x'.repeat(1000)}`,
      }))
      const { response } = await call('POST', '/api/1.3/import', { parameters })
      expect(response.created).to.equal(parameters.length)
    }))

  it('is free while records that name each other are brought into order', () =>
    staysFree(async (round) => {
      const name = (at: number) => `group-${round}-${at}`
      const cachegroups = Array.from({ length: 30_000 }, (_, at) => ({
        name: name(at),
        shortName: name(at),
        typeName: 'EDGE_LOC',
        ...(at % 100 === 99 ? {} : { parentCachegroupName: name(at + 1) }),
      }))
      await call('POST', '/api/1.3/import?dryRun=true', { cachegroups })
    }))
})
