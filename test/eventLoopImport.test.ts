import { setTimeout as delay } from 'node:timers/promises'
import { expect } from 'chai'
import type { MeasuredService } from './eventLoopService.js'
import { measuredService } from './eventLoopService.js'
import { largeDocument } from './largeDocument.js'

/** The longest, in ms, that one client may hold the event loop. */
const bound = 50
/** The best of so many counts: machines that run tests do other things as well. */
const rounds = 3

/** While one client imports a great deal, everybody else is answered as ever. */
describe('the event loop under a large import', () => {
  let service: MeasuredService
  before(async () => {
    service = await measuredService()
  })
  after(() => service.close())

  const call = async (method: string, path: string, body?: string) => {
    const response = await fetch(`${service.url}${path}`, {
      method,
      headers: { cookie: service.cookie, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body }),
    })
    return { status: response.status, text: await response.text() }
  }

  /** Asks for what needs nobody and for what is kept, every few ms, until `work` is done. */
  const askedMeanwhile = async (work: Promise<void>): Promise<number> => {
    let isDone = false
    let input = 0
    const done = work.finally(() => {
      isDone = true
    })
    while (!isDone) {
      for (const path of ['/livez', '/api/1.3/cdns']) expect((await call('GET', path)).status).to.equal(200)
      input += 1
      await delay(5)
    }
    await done
    return input
  }

  /** One round holds the loop for no longer than the bound; each must do what it says. */
  const staysFree = async (round: (number: number) => Promise<void>): Promise<void> => {
    const delays: string[] = []
    for (let number = 0; number < rounds; number++) {
      const longest = await service.longestDelay(async () => {
        expect(await askedMeanwhile(round(number))).to.be.greaterThan(5)
      })
      const { isFree, said } = await service.isWithin(longest, bound)
      if (isFree) return
      delays.push(said)
    }
    expect.fail(`the event loop was held for ${delays.join(', ')}`)
  }

  const imported = async (path: string, [document, records]: [string, number]) => {
    const answer = await call('POST', `/api/1.3/import${path}`, document)
    expect(answer.status, answer.text.slice(0, 300)).to.equal(200)
    const { created, unchanged } = JSON.parse(answer.text).response
    expect(created + unchanged).to.equal(records)
  }

  it('of 50,000 records of many kinds', () => staysFree((round) => imported('', largeDocument(round)))).timeout(300_000)

  it('that changes nothing', () => {
    const first = largeDocument(0)
    return staysFree(() => imported('', first))
  }).timeout(300_000)

  it('that is only tried', () => {
    const tried = largeDocument(rounds)
    return staysFree(() => imported('?dryRun=true', tried))
  }).timeout(300_000)

  it('that would remove many records', async () => {
    const configFile = 'many.config'
    const parameters = Array.from({ length: 20_000 }, (_, at) => ({ name: `name ${at}`, configFile, value: 'x' }))
    await imported('', [JSON.stringify({ parameters }), parameters.length])
    await staysFree(async () => {
      const answer = await call('POST', '/api/1.3/import?dryRun=true&prune=true', JSON.stringify({ parameters: [] }))
      expect(answer.status, answer.text.slice(0, 300)).to.equal(200)
      expect(JSON.parse(answer.text).response.removed).to.be.at.least(parameters.length)
    })
  }).timeout(300_000)

  it('into many records that only their content tells apart', async () => {
    const summary = (at: number) => ({
      cdnName: 'all',
      deliveryServiceName: 'all',
      statName: 'kbps',
      statValue: String(at),
      summaryTime: '2030-01-01 00:00:00',
      statDate: '2030-01-01 00:00:00',
    })
    const many = Array.from({ length: 60_000 }, (_, at) => summary(at))
    await imported('', [JSON.stringify({ statsSummaries: many }), many.length])
    await staysFree(async (round) => {
      const document = JSON.stringify({ statsSummaries: [summary(5), summary(70_000 + round)] })
      for (let time = 0; time < 3; time++) await imported('', [document, 2])
    })
  }).timeout(300_000)
})
