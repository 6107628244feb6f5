import { expect } from 'chai'
import { importInto } from '../api/cli/transfer.js'
import type { TestServer } from './build.js'
import { buildServer } from './build.js'
import { fleetDocument } from './fleet.js'

interface Link {
  readonly deliveryService: number
  readonly server: number
  readonly lastUpdated: string
}

describe('the list of which server carries which delivery service', function () {
  this.timeout(60_000)
  let server: TestServer
  before(async () => {
    server = await buildServer()
    await importInto(server.service, fleetDocument({ size: 'S', share: 0.5, alike: 0 }))
  })
  after(() => server.close())

  it('has all of them in the order asked for, in pages of any size', async () => {
    const links = server.service.services.data
      .all('deliveryServiceServers')
      .flatMap(({ id, deliveryServices }) =>
        deliveryServices.map((deliveryService) => ({ deliveryService, server: id })),
      )
    expect(links.length).to.be.greaterThan(200)
    const list = async (query: string): Promise<Link[]> =>
      (await server.ok('GET', `/api/1.3/deliveryserviceserver?${query}`)).body.response
    for (const by of ['deliveryService', 'server'] as const) {
      for (const [order, sign] of [
        ['asc', 1],
        ['desc', -1],
      ] as const) {
        const wanted = links.toSorted((a, b) => sign * (a[by] - b[by]))
        const query = `orderby=${by}&sortOrder=${order}`
        const all = await list(`${query}&limit=100000`)
        expect(all.map(({ deliveryService, server }) => ({ deliveryService, server }))).to.deep.equal(wanted)
        const paged: Link[] = []
        for (let page = 1; paged.length < links.length; page++)
          paged.push(...(await list(`${query}&limit=37&page=${page}`)))
        expect(paged).to.deep.equal(all)
        expect(await list(`${query}&limit=5&offset=11`)).to.deep.equal(all.slice(11, 16))
      }
    }
    expect(await list('')).to.have.length(20)
    expect(await list('page=100000')).to.deep.equal([])
    expect((await server.get('/api/1.3/deliveryserviceserver?limit=x')).status).to.equal(400)
  })
})
