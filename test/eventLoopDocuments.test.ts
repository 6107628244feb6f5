import { expect } from 'chai'
import type { MeasuredFleet } from './measuredFleet.js'
import { measuredFleet } from './measuredFleet.js'

/** The documents of a CDN of 3,000 servers and 2,000 services: tens of megabytes. */
describe('the event loop under documents of a very large CDN', function () {
  this.timeout(300_000)
  let fleet: MeasuredFleet

  before(async () => {
    fleet = await measuredFleet('XL')
  })
  after(() => fleet.close())

  /** Nothing that was made of the CDN before is known any more. */
  const change = async () => {
    const body = JSON.stringify({ name: 'fleet', domainName: `${Date.now()}.example.net` })
    expect(await fleet.ask('PUT', '/api/1.3/cdns/2', body)).to.include({ status: 200 })
  }
  const input = async (method: string, path: string) =>
    expect(await fleet.ask(method, path), path).to.include({ status: 200 })

  for (const path of ['configs/monitoring', 'configs/routing', 'snapshot/new']) {
    it(`is free while ${path} is made`, () =>
      fleet.holdsNobodyUp(path, async () => {
        await change()
        await input('GET', `/api/1.3/cdns/fleet/${path}`)
      }))
  }

  it('is free while it is asked what keeps it from serving', () =>
    fleet.holdsNobodyUp('checking', async () => {
      await change()
      await input('GET', '/api/1.3/cdns/fleet/check')
    }))

  it('is free while the first version would be frozen, of which all is new, and is', async () => {
    await fleet.holdsNobodyUp('trying to', () => input('PUT', '/api/1.3/snapshot/fleet?dryRun=true'))
    await fleet.holdsNobodyUp('the first version', () => input('PUT', '/api/1.3/snapshot/fleet'))
  })

  it('is free while a version is frozen, looked at, made active and compared', async () => {
    await fleet.holdsNobodyUp('freezing', async () => {
      await change()
      await input('PUT', '/api/1.3/snapshot/fleet')
    })
    await fleet.holdsNobodyUp('trying to', () => input('PUT', '/api/1.3/snapshot/fleet?dryRun=true'))
    await fleet.holdsNobodyUp('comparing', () => input('GET', '/api/1.3/cdns/fleet/snapshots/diff?from=1&to=live'))
    await fleet.holdsNobodyUp('reading', (round) => input('GET', `/api/1.3/cdns/fleet/snapshots/${round + 1}`))
  })
})
