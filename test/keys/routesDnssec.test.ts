import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import type { TestServer } from '../build.js'
import { buildServer } from '../build.js'
import type { Network } from '../resources/smallNetwork.js'
import { smallNetwork } from '../resources/smallNetwork.js'

const body = {
  key: 'net',
  name: 'net.example',
  ttl: '60',
  kskExpirationDays: '365',
  zskExpirationDays: '30',
}
const path = '/cdns/name/net/dnsseckeys'

describe('DNSSEC keys over HTTP', () => {
  let app: TestServer
  let net: Network
  before(async () => {
    app = await buildServer()
    net = await smallNetwork(app)
    await net.addService('news')
    await net.addService('live', { typeId: await net.typeId('DNS') })
    await net.addService('choice', { typeId: await net.typeId('STEERING') })
  })
  after(() => app.close())

  const keys = async (version = '1.3') => (await app.ok('GET', `/api/${version}${path}`)).body.response
  const generate = async (more: object = {}) => {
    const answer = await app.request('POST', '/api/1.2/cdns/dnsseckeys/generate', { ...body, ...more })
    // On a machine that has much to do they are still being made.
    await settled()
    return answer
  }
  const settled = () => app.service.services.dnssec.idle()
  const texts = ({ body: answer }: { body: { alerts: { text: string }[] } }) => answer.alerts.map(({ text }) => text)

  it('are none at first, which is no error', async () => {
    const answer = await app.ok('GET', `/api/1.2${path}.json`)
    expect(answer.body.response).to.deep.equal({})
    expect(answer.body.alerts).to.deep.equal([{ level: 'success', text: '- Dnssec keys for net could not be found.' }])
  })

  it('refuse what is wrong, naming every fault', async () => {
    const none = await app.request('POST', '/api/1.2/deliveryservices/dnsseckeys/generate', {})
    expect([none.status, ...texts(none)]).to.deep.equal([
      400,
      'missing fields: key, name, ttl, kskExpirationDays, zskExpirationDays',
    ])
    const other = await generate({ name: 'other.example' })
    expect([other.status, ...texts(other)]).to.deep.equal([
      400,
      "'other.example' is not the domain name of CDN net; that is net.example.",
    ])
    const wrong = await generate({ ttl: 'soon', zskExpirationDays: '0' })
    expect(wrong.body.alerts).to.have.length(2)
    expect((await generate({ key: 'nobody' })).status).to.equal(404)
    expect((await generate({ key: 'ALL', name: '-' })).status).to.equal(400)
    expect(await keys()).to.deep.equal({})
  })

  it('are made for the CDN and for its services with a zone of their own', async () => {
    const answer = await app.ok('POST', '/api/1.2/deliveryservices/dnsseckeys/generate', body)
    await settled()
    expect(answer.body.response).to.equal('Successfully created dnssec keys for net')
    expect(answer.body.version).to.equal('1.2')
    const all = await keys()
    expect(Object.keys(all)).to.deep.equal(['net', 'live', 'news'])
    expect(all.news.ksk[0]).to.include({ name: 'news.net.example.', ttl: 60, status: 'new' })
    expect(all.net.zsk[0].name).to.equal('net.example.')
    expect(all.net.ksk[0].dsRecord).to.have.keys('keyTag', 'algorithm', 'digestType', 'digest')
    expect(all.news.ksk[0]).not.to.have.property('dsRecord')
  })

  it('are objects of text up to 1.2 and are kept by nobody on the way', async () => {
    const answer = await app.ok('GET', `/api/1.2${path}`)
    expect(answer.headers.get('cache-control')).to.equal('no-store')
    expect(answer.headers.has('etag')).to.equal(false)
    const { ksk } = answer.body.response.net
    expect(ksk.expirationDate).to.match(/^\d{10}$/)
    expect(ksk.dsRecord).to.have.all.keys('algorithm', 'digestType', 'digest')
  })

  it('keep the previous set when they are made again', async () => {
    const before = await keys()
    await generate({ ttl: 120 })
    const after = await keys()
    expect(after.news.zsk.map(({ status }: { status: string }) => status)).to.deep.equal(['new', 'existing'])
    expect(after.news.zsk[1].private).to.equal(before.news.zsk[0].private)
    expect(after.news.zsk[0]).to.include({ ttl: 120 })
    await generate()
    expect((await keys()).net.ksk).to.have.length(2)
  })

  it('are made one request at a time for a CDN', async () => {
    const both = await Promise.all([generate(), generate()])
    expect(both.map(({ status }) => status).sort()).to.deep.equal([200, 409])
  })

  it('are not those of a domain that the CDN left while they were made', async () => {
    const before = await keys()
    const asked = app.request('POST', '/api/1.2/cdns/dnsseckeys/generate', body)
    while ((await app.ok('GET', `/api/1.3${path}/progress`)).body.response.state !== 'making');
    const moved = (domainName: string) => app.ok('PATCH', `/api/1.3/cdns/${net.ids.cdn}`, { domainName })
    await moved('elsewhere.example')
    const { status } = await asked
    await settled()
    const { state, text } = (await app.ok('GET', `/api/1.3${path}/progress`)).body.response
    expect([200, 409], 'as soon as it was known').to.include(status)
    expect([state, text]).to.deep.equal([
      'failed',
      'The domain of CDN net was changed while its keys were made. Nothing was changed.',
    ])
    expect(await keys()).to.deep.equal(before)
    await moved('net.example')
  })

  it('may be from some seconds ago on, and then take the place of the others at once', async () => {
    const before = await keys()
    const effectiveDate = Math.floor(Date.now() / 1000) - 90
    expect((await generate({ effectiveDate: String(effectiveDate) })).status).to.equal(200)
    const [made, old] = (await keys()).net.ksk
    expect(made).to.include({ effectiveDate, status: 'new' })
    expect(made.inceptionDate).to.equal(effectiveDate)
    expect([old.private, old.status]).to.deep.equal([before.net.ksk[0].private, 'existing'])
    expect((await generate({ effectiveDate: '2001-01-01' })).status).to.equal(400)
  })

  it('are not there after all when they are deleted while they are made, and can be asked for again at once', async () => {
    const removal = `/api/1.2${path}/delete`
    for (const there of ['others', 'none']) {
      const asked = app.request('POST', '/api/1.2/cdns/dnsseckeys/generate', body)
      while ((await app.ok('GET', `/api/1.3${path}/progress`)).body.response.state !== 'making');
      await app.ok('GET', `${removal}?dryRun=true`)
      await app.ok('GET', removal)
      expect(await keys(), there).to.deep.equal({})
      expect([200, 409], 'as soon as it was known').to.include((await asked).status)
      const again = await generate()
      expect(again.status, again.text).to.equal(200)
      expect(await keys()).to.have.property('news')
      if (there === 'others') await app.ok('GET', removal)
    }
  })

  it('of many services are made in the background; how far that is can be asked', async () => {
    const progress = async () => (await app.ok('GET', `/api/1.3${path}/progress`)).body.response
    for (let at = 0; at < 8; at++) await net.addService(`many-${at}`)
    const before = await keys()
    const asked = app.ok('POST', '/api/1.2/cdns/dnsseckeys/generate', body)
    while ((await progress()).state !== 'making') await new Promise(setImmediate)
    const under = await progress()
    if (under.state === 'making') expect([under.zones, under.of, under.made < 22]).to.deep.equal([11, 22, true])
    const { response, alerts } = (await asked).body
    expect([response, alerts[0].level]).to.deep.equal(['Successfully created dnssec keys for net', 'success'])
    const goesOn = alerts.find(({ text }: { text: string }) => text.includes('still being made'))
    // All at once, or none of them yet.
    if (goesOn && (await progress()).state === 'making') expect(await keys()).to.deep.equal(before)
    await settled()
    expect(await progress()).to.deep.equal({ state: 'made', zones: 11, made: 22, of: 22, text: '' })
    expect((await keys())['many-7'].zsk).to.have.length(1)
    for (let at = 0; at < 8; at++) {
      const [{ id }] = (await app.ok('GET', `/api/1.3/deliveryservices?xmlId=many-${at}`)).body.response
      await app.ok('DELETE', `/api/1.3/deliveryservices/${id}`)
    }
  })

  it('are for administrators only', async () => {
    const oper = await app.as('operations')
    expect((await oper.get(`/api/1.3${path}`)).status).to.equal(403)
    expect((await oper.get(`/api/1.3${path}/delete`)).status).to.equal(403)
    expect((await oper.request('POST', '/api/1.3/cdns/dnsseckeys/generate', body)).status).to.equal(403)
    expect((await app.anonymous.get(`/api/1.3${path}`)).status).to.equal(401)
  })

  it('follow a service that is added to a signed CDN', async () => {
    const { cdn } = net.ids
    await net.addService('before')
    await settled()
    expect(await keys()).not.to.have.property('before')
    await app.ok('PUT', `/api/1.3/cdns/${cdn}`, { name: 'net', domainName: 'net.example', dnssecEnabled: true })
    await net.addService('later')
    await settled()
    const all = await keys()
    expect(Object.keys(all)).to.deep.equal(['net', 'before', 'later', 'live', 'news'])
    const days = ({ effectiveDate, expirationDate }: Record<string, number>) =>
      (expirationDate! - effectiveDate!) / 86_400
    expect([days(all.later.ksk[0]), days(all.later.zsk[0])]).to.deep.equal([365, 30])
  })

  it('follow the zone of a service when its host pattern changes', async () => {
    const [news] = (await app.ok('GET', '/api/1.3/deliveryservices?xmlId=news')).body.response
    const before = await keys()
    const regexes = `/api/1.3/deliveryservices/${news.id}/regexes`
    const [old] = (await app.ok('GET', regexes)).body.response
    const type = await net.typeId('HOST_REGEXP')
    await app.ok('POST', regexes, { type, pattern: '.*\\.headlines\\..*', setNumber: 0 })
    await app.ok('DELETE', `${regexes}/${old.id}`)
    await app.service.services.dnssec.idle()
    const after = await keys()
    expect(after.news.ksk.map(({ name }: { name: string }) => name)).to.deep.equal(['headlines.net.example.'])
    expect(after.live).to.deep.equal(before.live)
  })

  it('follow what a type is called: by that it is known which services have a zone', async () => {
    const [type] = (await app.ok('GET', '/api/1.3/types?name=HTTP')).body.response
    const service = await net.serviceBody('hidden')
    await app.ok('PUT', `/api/1.3/types/${type.id}`, { ...type, name: 'QUIET' })
    const hidden = await net.made('/deliveryservices', service)
    await app.service.services.dnssec.idle()
    expect(await keys()).not.to.have.property('hidden')
    await app.ok('PUT', `/api/1.3/types/${type.id}`, type)
    await app.service.services.dnssec.idle()
    expect(await keys()).to.have.property('hidden')
    await app.ok('DELETE', `/api/1.3/deliveryservices/${hidden.id}`)
  })

  it('are completed at the next start when the service ended too early', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'edgewright-keeper-'))
    const first = await buildServer({ dataDir })
    const small = await smallNetwork(first)
    await first.ok('POST', '/api/1.3/cdns/dnsseckeys/generate', body)
    await first.service.services.dnssec.idle()
    const signed = { name: 'net', domainName: 'net.example', dnssecEnabled: true }
    await first.ok('PUT', `/api/1.3/cdns/${small.ids.cdn}`, signed)
    await first.service.services.dnssec.stop()
    await small.addService('late')
    await first.close()
    const second = await buildServer({ dataDir })
    await second.service.services.dnssec.idle()
    expect((await second.ok('GET', `/api/1.3${path}`)).body.response).to.have.all.keys('net', 'late')
    await second.close()
    rmSync(dataDir, { recursive: true })
  })

  it('go with a service that is deleted', async () => {
    const later = (await app.ok('GET', '/api/1.3/deliveryservices?xmlId=later')).body.response[0]
    await app.ok('DELETE', `/api/1.3/deliveryservices/${later.id}`)
    expect(await keys()).not.to.have.property('later')
  })

  it('are not deleted by looking, by a link from elsewhere or by a token that may only read', async () => {
    const link = await app.get(`/api/1.2${path}/delete`, { 'sec-fetch-site': 'cross-site' })
    expect(link.status).to.equal(403)
    expect((await app.request('HEAD', `/api/1.2${path}/delete`)).status).to.equal(405)
    const made = await app.ok('POST', '/api/1.3/tokens', { description: 'reader', scopes: ['read'] })
    const { token } = made.body.response
    const withToken = { authorization: `Bearer ${token}` }
    expect((await app.anonymous.get(`/api/1.3${path}`, withToken)).status).to.equal(200)
    expect((await app.anonymous.get(`/api/1.3${path}/delete`, withToken)).status).to.equal(403)
    expect(await keys()).to.have.property('net')
  })

  it('are deleted by the GET of the interface and by DELETE', async () => {
    const answer = await app.ok('GET', `/api/1.2${path}/delete`)
    expect(answer.body.response).to.equal('Successfully deleted dnssec keys for net')
    expect(await keys()).to.deep.equal({})
    expect((await app.request('DELETE', `/api/1.3${path}`)).status).to.equal(404)
    await generate()
    await app.ok('DELETE', `/api/1.3${path}`)
    expect(await keys()).to.deep.equal({})
  })
})
