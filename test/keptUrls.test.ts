import { expect } from 'chai'
import type { TestServer } from './build.js'
import type { ColdService } from './coldService.js'
import { coldService } from './coldService.js'
import { oddUrl, pick } from './oddUrls.js'
import { rawGet } from './rawGet.js'
import { sampleServer } from './sampleServer.js'
import { seededRandom } from './seededRandom.js'

const input = process.env.EDGEWRIGHT_NIGHTLY === '1' ? 100_000 : 3000

describe('what is kept of an answer', function () {
  this.timeout(600_000)
  let server: TestServer
  let cold: ColdService

  before(async () => {
    server = await sampleServer({ now: () => new Date('2030-01-01T12:00:00Z') })
    cold = await coldService(server.service)
  })
  after(async () => {
    await cold.close()
    await server.close()
  })

  it('is never given for another question: the same parameter once as a wish and once as something else', async () => {
    const headers = { cookie: server.cookie() }
    for (const resource of ['cdns', 'servers', 'profiles', 'divisions', 'types', 'statuses', 'parameters']) {
      const path = `/api/1.3/${resource}`
      for (const poison of ['?wait=0s&wait=?&name=zzz', '?wait=0s&wait=?&id=999999', '?wait=0s&rev=0&name=zzz']) {
        await server.get(path + poison)
        const expected = await rawGet(cold.url, path, headers)
        for (const _round of [1, 2]) expect(await rawGet(server.url, path, headers), poison).to.deep.equal(expected)
      }
    }
  })

  it(`is what a service would say that was never asked before, whatever was asked before (${input} URLs)`, async () => {
    const seed = Number(process.env.SEED ?? Math.floor(Date.now() / 86_400_000))
    const chance = seededRandom(seed)
    const callers = [
      server,
      await server.as('read-only'),
      await server.as('operations', { tenant: 'media-house' }),
      await server.as('read-only'),
    ]
    const paths = [
      ...['cdns', 'servers', 'profiles', 'types', 'deliveryservices', 'users', 'user/current', 'tokens', 'tenants'],
      ...['cdns/1', 'cdns/name/stream', 'parameters/1', 'servers/details', 'profiles/1/parameters', 'divisions/name/x'],
      ...['servers/edge-chi-01/configfiles/ats', 'cdns/stream/configs/monitoring', 'cdns/stream/snapshot'],
      ...['servers/edge-chi-01/configfiles/cachesw/remap.config', 'profiles/EDGE_ATS9/configfiles/ats/records.config'],
      ...['servers/edge-chi-01/update_status', 'about', 'nothing'],
    ].map((path) => `/api/1.3/${path}`)
    paths.push(
      '/CRConfig-Snapshots/stream/CRConfig.json',
      '/health/stream',
      '/api/openapi.json',
      '/ort/edge-chi-01/packages',
    )
    const wrong: string[] = []
    const statuses = new Map<number, number>()
    for (let i = 0; i < input && wrong.length < 5; i++) {
      const url = chance() < 0.3 ? pick(paths, chance) : oddUrl(paths, chance)
      const method = chance() < 0.1 ? 'HEAD' : 'GET'
      const headers = { cookie: pick(callers, chance).cookie() }
      const expected = await rawGet(cold.url, url, headers, method)
      // The first may come by way of Koa, the second by the fast path.
      for (const round of [1, 2]) {
        const warm = await rawGet(server.url, url, headers, method)
        if (JSON.stringify(warm) !== JSON.stringify(expected)) {
          wrong.push(`seed ${seed}, URL ${i}, ${round}: ${method} ${url}: ${said(warm)} instead of ${said(expected)}`)
        }
      }
      statuses.set(expected.status, (statuses.get(expected.status) ?? 0) + 1)
    }
    expect(wrong).to.deep.equal([])
    expect(statuses.get(200), 'most questions have an answer').to.be.greaterThan(input / 3)
  })
})

const said = ({ status, body }: { status: number; body: string }) => `${status} ${body.slice(0, 150)}`
