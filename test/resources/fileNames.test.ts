import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { compileFleet } from '../../api/cli/fleet.js'
import { serviceFiles } from '../../compiler/cdn/serviceFiles.js'
import { catalogue } from '../../compiler/listing/configFiles.js'
import type { TestServer } from '../build.js'
import { buildServer } from '../build.js'
import type { Network } from './smallNetwork.js'
import { smallNetwork } from './smallNetwork.js'

/** Two records never share a file: a cache would have one of the two, whichever came last. */
describe('files named after records', () => {
  let app: TestServer
  let net: Network

  before(async () => {
    app = await buildServer()
    net = await smallNetwork(app)
  })
  after(() => app.close())

  const words = ['a', 'mid', 'qstring', 'remap', 'rw', 'revalidate', 'sig', 'X', '1']
  const parts = words.flatMap((one) => [one, ...words.slice(0, 4).flatMap((two) => [`${one}_${two}`, `${one}-${two}`])])
  const xmlIds = [...parts, 'mid_mid_a', 'mid_mid_mid_a', 'mid_', 'mid_qstring', 'qstring_mid', 'a.config', 'hdr_rw_a']

  it('are of one delivery service each, of those whose names are taken', async () => {
    const taken: string[] = []
    const refused: string[] = []
    for (const xmlId of xmlIds) {
      const answer = await app.request('POST', '/api/1.3/deliveryservices', await net.serviceBody(xmlId))
      expect(answer.status, answer.text).to.be.oneOf([200, 400, 409])
      if (answer.status === 200) taken.push(xmlId)
      else refused.push(xmlId)
    }
    expect(taken).to.have.length.above(xmlIds.length / 2)
    expect(refused).to.include('qstring').and.include('mid_a').and.include('a.config')
    const owners = new Map<string, string>()
    for (const xmlId of taken) {
      for (const [what, file] of Object.entries(serviceFiles(xmlId))) {
        expect(owners.get(file), `${file} of ${xmlId}`).to.equal(undefined)
        owners.set(file, xmlId)
        const { definition, parts } = catalogue.resolve(file)!
        expect(definition.name, file).to.be.an.instanceOf(RegExp)
        expect(parts.xmlId, file).to.equal(what === 'midRewrite' ? `mid_${xmlId}` : xmlId)
      }
    }
  })

  it('say which file of the cache it is that a delivery service would have', async () => {
    const body = await net.serviceBody('qstring')
    const { status, body: said } = await app.request('POST', '/api/1.3/deliveryservices', body)
    expect([status, said.alerts[0].text]).to.deep.equal([
      400,
      "xmlId: qstring would have the file cacheurl_qstring.config, which is no service's",
    ])
  })

  it('are of one host each where they hold certificates', async () => {
    const hosts = ['a-b', 'a\\.b', 'a-b\\.c', 'a\\.b-c', 'a-b-c', 'a\\.b\\.c', 'plain']
    const type = await net.typeId('HOST_REGEXP')
    for (const [at, host] of hosts.entries()) {
      const { id } = await net.addService(`tls-${at}`, { protocol: 1 })
      const [{ id: regex }] = (await app.ok('GET', `/api/1.3/deliveryservices/${id}/regexes`)).body.response
      const body = { pattern: `.*\\.${host}\\..*`, type, setNumber: 0 }
      await app.ok('PUT', `/api/1.3/deliveryservices/${id}/regexes/${regex}`, body)
    }
    const path = '/api/1.3/cdns/net/configfiles/cachesw/ssl_multicert.config'
    const { text } = await app.ok('GET', path)
    const found = [...text.matchAll(/^ssl_cert_name=(\S+)\s+ssl_key_name=(\S+)\.key$/gm)].map(([, ...names]) => names)
    expect(new Set(found.map(([certificate]) => certificate)).size).to.equal(hosts.length)
    expect(new Set(found.map(([, key]) => key)).size).to.equal(hosts.length)
    expect(found).to.deep.include(['cdn_plain_net_example_cert.cer', 'cdn.plain.net.example'])
    expect(found).to.deep.include(['cdn_a_b_net_example_cert.cer', 'cdn.a.b.net.example'])
  })

  it('are of one cache and one file each where the command line writes them', async () => {
    const [one, other] = [await net.addServer({ hostName: 'twin' }), await net.addServer({ hostName: 'twin' })]
    await net.addServer({ hostName: 'single' })
    const files = ['my file', 'my_file', 'my%20file', 'my-file', 'ʼ']
    const parameters = files.flatMap((configFile) => [
      { name: 'location', configFile, value: '/etc/cache' },
      { name: 'content', configFile, value: `this is ${configFile}` },
    ])
    await app.ok('POST', `/api/1.3/profiles/${net.ids.edgeProfile}/parameters`, parameters)
    const out = mkdtempSync(join(tmpdir(), 'edgewright-names-'))
    try {
      const { files: written } = await compileFleet(app.service, { out })
      expect(readdirSync(out).sort()).to.deep.equal(['single', `twin@${one.id}`, `twin@${other.id}`])
      const there = readdirSync(out, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
      expect(there).to.have.length(written)
      const single = readdirSync(join(out, 'single')).map((name) => readFileSync(join(out, 'single', name), 'utf8'))
      for (const file of files)
        expect(
          single.filter((text) => text.includes(`this is ${file}`)),
          file,
        ).to.have.length(1)
    } finally {
      rmSync(out, { recursive: true, force: true })
    }
  })
})
