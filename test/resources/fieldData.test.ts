import { expect } from 'chai'
import type { TestServer } from '../build.js'
import { sampleServer } from '../sampleServer.js'

/** Values that the field's own databases hold (clients.md), written by its API and by a document alike. */
describe("the field's data", () => {
  let app: TestServer
  before(async () => {
    app = await sampleServer()
  })
  after(() => app.close())

  const first = async (path: string) => (await app.ok('GET', `/api/1.3${path}`)).body.response[0]

  it('has tabs in values: services to switch on are told unharmed, secret values kept so', async () => {
    const server = await first('/servers?type=EDGE&limit=1')
    const levels = '0:off\t1:off\t2:on\t3:on\t4:on\t5:on\t6:off'
    const named = (name: string, value: string, secure = 0) => ({ name, configFile: 'chkconfig', value, secure })
    const path = `/api/1.2/profiles/${server.profileId}/parameters`
    await app.ok('POST', path, [named('trafficserver', levels), named('hidden', 'a\tb', 1)])
    const told = (await app.ok('GET', `/ort/${server.hostName}/chkconfig`)).body as { name: string; value: string }[]
    expect(told.map(({ name, value }) => [name, value])).to.deep.include.members([
      ['trafficserver', levels],
      ['hidden', 'a\tb'],
    ])
    for (const value of ['a\nb', 'a\rb', 'a\0b', 'a\u0085b', 'a\u2028b'])
      expect((await app.request('POST', path, named('forged', value))).status, JSON.stringify(value)).to.equal(400)
    const tabbed = { parameters: [{ name: 'x', configFile: 'records.config', value: 'INT\t1' }] }
    await app.ok('POST', '/api/1.3/import', tabbed)
    expect((await first('/parameters?name=x')).value).to.equal('INT\t1')
  })

  it('has types for tables of its own, and profiles of its cache in Go', async () => {
    await app.ok('POST', '/api/1.2/types', { name: 'TOPOLOGY_X', description: 'd', useInTable: 'topology_node' })
    expect((await first('/types?useInTable=topology_node')).name).to.equal('TOPOLOGY_X')
    await app.ok('POST', '/api/1.2/profiles', { name: 'GROVE', description: 'grove', type: 'GROVE_PROFILE' })
  })

  it('has servers without an address, where nobody is told of it', async () => {
    const { id: _, updPending: __, ...edge } = await first('/servers?type=EDGE&limit=1')
    const nameless = { ...edge, hostName: 'no-address', xmppId: null, ipAddress: '', ipNetmask: null, ipGateway: '' }
    const refused = await app.request('POST', '/api/1.3/servers', { ...nameless, ip6Address: null })
    const texts = refused.body.alerts.map(({ text }: { text: string }) => text)
    expect(texts).to.deep.equal(['ipAddress is required', 'ipNetmask is required', 'ipGateway is required'])
    for (const typeName of ['INFLUXDB', 'ORG']) {
      const { id: typeId } = await first(`/types?name=${typeName}`)
      const hostName = `no-address-${typeName.toLowerCase()}`
      const body = { ...nameless, hostName, ip6Address: null, typeId, type: typeName }
      const { response } = (await app.ok('POST', '/api/1.3/servers', body)).body
      expect(response).to.include({ ipAddress: null, ipNetmask: null, ipGateway: null, type: typeName })
      const { info } = (await app.ok('GET', `/api/1.3/servers/${hostName}/configfiles/cachesw`)).body
      expect(info.serverIpv4).to.equal('')
    }
    await app.ok('GET', `/api/1.3/cdns/${edge.cdnName}/snapshot/new`)
    await app.ok('GET', `/api/1.3/cdns/${edge.cdnName}/configs/monitoring`)
  })
})
