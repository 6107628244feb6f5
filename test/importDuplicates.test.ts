import { expect } from 'chai'
import type { TestServer } from './build.js'
import { buildServer } from './build.js'
import type { Network } from './resources/smallNetwork.js'
import { smallNetwork } from './resources/smallNetwork.js'

type Shape = Record<string, unknown>

/** A document either says everything it means once, or is refused with both places named; nothing is dropped silently. */
describe('import documents that say something twice', () => {
  let app: TestServer
  let net: Network
  before(async () => {
    app = await buildServer()
    net = await smallNetwork(app)
    await net.addServer({ hostName: 'first' })
  })
  after(() => app.close())

  const post = (document: unknown) => app.request('POST', '/api/1.3/import', document)
  const refused = async (document: unknown): Promise<string[]> => {
    const { revision } = (await app.get('/readyz')).body
    const answer = await post(document)
    expect(answer.status, answer.text.slice(0, 300)).to.equal(400)
    expect((await app.get('/readyz')).body.revision).to.equal(revision)
    return answer.body.alerts.map(({ text }: { text: string }) => text)
  }
  const exported = async (): Promise<Record<string, Shape[]>> => (await app.ok('GET', '/api/1.3/export')).body
  const server = async (own: Shape): Promise<Shape> => ({ ...(await exported()).servers![0]!, ...own })

  it('one name', async () => {
    const divisions = [{ name: 'north' }, { name: 'south' }, { name: 'north' }]
    expect(await refused({ divisions })).to.deep.equal(['divisions[2]: means the same division as divisions[0]'])
  })

  it('one address and profile under two host names', async () => {
    const servers = [await server({ hostName: 'one', ipAddress: '192.0.2.71' })]
    servers.push({ ...servers[0], hostName: 'two' })
    expect(await refused({ servers })).to.deep.equal(['servers[1]: means the same server as servers[0]'])
  })

  it('one record that is there already, by its name and by its address', async () => {
    const there = await server({})
    const texts = await refused({ servers: [there, { ...there, hostName: 'another' }] })
    expect(texts).to.deep.equal(['servers[1]: means the same server as servers[0]'])
  })

  it('one combination of fields', async () => {
    const parameter = { name: 'a', configFile: 'b.config', value: 'c' }
    const texts = await refused({ parameters: [parameter, { ...parameter, secure: true }] })
    expect(texts).to.deep.equal(['parameters[1]: means the same parameter as parameters[0]'])
  })

  it('what hangs on one record', async () => {
    await net.addService('hung')
    const keys = [
      { server: 'first', deliveryServices: ['hung'] },
      { server: 'first', deliveryServices: [] },
    ]
    const texts = await refused({ deliveryServiceServers: keys })
    expect(texts).to.have.length(1)
    expect(texts[0]).to.match(/^deliveryServiceServers\[1\]: means the same .* as deliveryServiceServers\[0\]$/)
  })

  it('one id of the document', async () => {
    const divisions = [
      { id: 4711, name: 'east' },
      { id: 4711, name: 'west' },
    ]
    expect(await refused({ divisions })).to.deep.equal(['divisions[1]: has the same id 4711 as divisions[0]'])
  })

  it('two servers of one host name are two, and stay two when they come again', async () => {
    const twins = [
      await server({ hostName: 'twin', ipAddress: '192.0.2.81' }),
      await server({ hostName: 'twin', ipAddress: '192.0.2.82' }),
    ]
    expect((await post({ servers: twins })).body.response).to.deep.equal({
      created: 2,
      updated: 0,
      unchanged: 0,
      removed: 0,
    })
    for (const document of [{ servers: twins }, { servers: twins.toReversed() }, await exported()]) {
      expect((await post(document)).body.response).to.include({ created: 0, updated: 0 })
    }
    const racked = twins.map((twin) => ({ ...twin, rack: 'r1' }))
    expect((await post({ servers: racked })).body.response).to.deep.equal({
      created: 0,
      updated: 2,
      unchanged: 0,
      removed: 0,
    })
  })

  it('equal rows of a kind that has no key are as many as they are', async () => {
    const row = {
      cdnName: 'all',
      deliveryServiceName: 'hung',
      statName: 'kbps',
      statValue: 1.5,
      statDate: '2026-01-01 00:00:00',
      summaryTime: '2026-01-02 00:00:00',
    }
    const first = await post({ statsSummaries: [row, row, row] })
    expect(first.body.response, first.text).to.deep.equal({ created: 3, updated: 0, unchanged: 0, removed: 0 })
    expect((await post({ statsSummaries: [row, row, row] })).body.response).to.include({ created: 0, unchanged: 3 })
    expect((await post({ statsSummaries: [row, row, row, row] })).body.response).to.include({
      created: 1,
      unchanged: 3,
      removed: 0,
    })
    expect((await exported()).statsSummaries).to.have.length(4)
    expect((await post(await exported())).body.response).to.include({ created: 0, updated: 0 })
  })

  it('lists the first thousand faults and says how many more there are', async () => {
    const divisions = Array.from({ length: 3001 }, () => ({ name: 'many' }))
    const texts = await refused({ divisions })
    expect(texts).to.have.length(1001)
    expect(texts.at(-1)).to.equal('and 2000 more faults')
  })
})
