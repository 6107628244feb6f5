import { createPrivateKey, X509Certificate } from 'node:crypto'
import { expect } from 'chai'
import type { TestServer } from '../build.js'
import { buildServer } from '../build.js'
import type { Network } from '../resources/smallNetwork.js'
import { smallNetwork } from '../resources/smallNetwork.js'
import type { Issued } from './authority.js'
import { issue } from './authority.js'

const subject = {
  cdn: 'net',
  deliveryservice: 'news',
  key: 'news',
  hostname: '*.news.net.example',
  country: 'us',
  state: 'Colorado',
  city: 'Denver',
  organization: 'Example',
  businessUnit: 'Streams',
}
const days = { ttl: 60, kskExpirationDays: 365, zskExpirationDays: 30 }
const decoded = (text: string) => Buffer.from(text, 'base64').toString()

describe('SSL keys over HTTP', () => {
  let app: TestServer
  let net: Network
  let authority: Issued
  let good: Issued
  const clock = Date.parse('2026-06-01T12:00:00Z')
  before(async () => {
    app = await buildServer({ now: () => new Date(clock) })
    net = await smallNetwork(app)
    await net.addService('news', { protocol: 2 })
    await net.addService('live', { protocol: 1, typeId: await net.typeId('DNS') })
    authority = await issue({ name: 'Authority' })
    good = await issue({ name: 'news', by: authority, hosts: ['*.news.net.example'] })
  })
  after(() => app.close())

  const ofNews = '/deliveryservices/xmlId/news/sslkeys'
  const chain = () => ({ crt: good.crt + authority.crt, key: good.key })
  const add = (more: object = {}) =>
    app.request('POST', '/api/1.2/deliveryservices/sslkeys/add', {
      key: 'news',
      deliveryservice: 'news',
      cdn: 'net',
      version: '1',
      hostname: '*.news.net.example',
      certificate: chain(),
      ...more,
    })
  const said = ({ status, body: { alerts } }: Awaited<ReturnType<typeof add>>) => [
    status,
    ...alerts.map(({ text }: { text: string }) => text),
  ]
  const service = async (xmlId: string) =>
    (await app.ok('GET', `/api/1.3/deliveryservices?xmlId=${xmlId}`)).body.response[0]

  it('are none at first', async () => {
    const answer = await app.ok('GET', `/api/1.2${ofNews}`)
    expect(answer.body).to.deep.equal({
      response: {},
      alerts: [{ level: 'success', text: 'A record for ssl key news-latest could not be found.' }],
    })
    expect((await app.ok('GET', '/api/1.2/cdns/name/net/sslkeys')).body.response).to.deep.equal([])
  })

  it('are added with their chain, and the service says which version it is served with', async () => {
    const answer = await add()
    expect(answer.body.response).to.equal('Successfully added ssl keys for news')
    expect(answer.body.alerts[1].text).to.contain('an authority that browsers do not know')
    expect((await service('news')).sslKeyVersion).to.equal(1)
    const read = (await app.ok('GET', `/api/1.2${ofNews}.json`)).body.response
    expect(read).to.include({ cdn: 'net', deliveryservice: 'news', key: 'news', version: '1', city: null })
    expect(decoded(read.certificate.key)).to.equal(good.key)
    const plain = (await app.ok('GET', `/api/1.3${ofNews}?decode=true&version=1`)).body.response
    expect(plain.version).to.equal(1)
    expect(plain.certificate.crt.match(/BEGIN CERTIFICATE/g)).to.have.length(2)
  })

  it('are refused with every fault, and then nothing is stored', async () => {
    const expired = await issue({ name: 'old', hosts: ['*.news.net.example'], to: '2026-05-01' })
    expect(said(await add({ certificate: { crt: expired.crt, key: good.key } }))).to.deep.equal([
      400,
      'Certificate 1 (CN=old) expired on May  1 00:00:00 2026 GMT.',
      'The private key does not belong to the certificate.',
    ])
    expect(said(await add({ hostname: '*.sports.net.example' }))).to.have.length(3)
    expect(said(await add({ cdn: 'other' }))).to.deep.equal([
      400,
      'cdn: delivery service news belongs to CDN net, not other',
    ])
    expect(said(await add({ certificate: {} }))).to.deep.equal([
      400,
      'certificate.crt is required',
      'certificate.key is required',
    ])
    expect(said(await add({ deliveryservice: 'live', version: 'first' }))).to.deep.equal([
      400,
      'version must be a whole number from 1 on',
      'deliveryservice must be news as key is',
    ])
    expect((await add({ key: 'nobody' })).status).to.equal(404)
    expect((await add({ key: ['news'], deliveryservice: {} })).status).to.equal(400)
    expect((await service('news')).sslKeyVersion).to.equal(1)
    expect(app.service.services.data.all('sslKeys')).to.have.length(1)
  })

  it('are refused for a host name with characters that no name has', async () => {
    for (const hostname of ['a\u0000b.news.net.example', 'news\r\n.net.example', '\ud800.net.example']) {
      const text = 'hostname must be one line of at most 255 characters'
      expect(said(await add({ hostname })), JSON.stringify(hostname)).to.deep.equal([400, text])
    }
  })

  it('are not stored by a dry run, which says what would be', async () => {
    const answer = await app.ok('POST', '/api/1.2/deliveryservices/sslkeys/generate?dryRun=true', subject)
    expect(answer.body.alerts[0]).to.deep.equal({ level: 'info', text: 'Dry run: nothing was changed.' })
    expect(answer.body.changes.map(({ kind }: { kind: string }) => kind)).to.deep.equal(['sslKeys', 'deliveryServices'])
    expect((await service('news')).sslKeyVersion).to.equal(1)
  })

  it('are generated with a request for an authority, as the next version', async () => {
    const answer = await app.ok('POST', '/api/1.2/deliveryservices/sslkeys/generate', subject)
    expect(answer.body.response).to.equal('Successfully created ssl keys for news')
    const { certificate, ...keys } = (await app.ok('GET', `/api/1.3${ofNews}?decode=1`)).body.response
    expect(keys).to.include({ version: 2, country: 'US', organization: 'Example', hostname: '*.news.net.example' })
    const made = new X509Certificate(certificate.crt)
    expect(made.checkPrivateKey(createPrivateKey(certificate.key))).to.equal(true)
    expect(made.checkHost('edge-1.news.net.example')).to.equal('*.news.net.example')
    expect(certificate.csr).to.contain('BEGIN CERTIFICATE REQUEST')
    expect((await service('news')).sslKeyVersion).to.equal(2)
    const wrong = await app.request('POST', '/api/1.2/deliveryservices/sslkeys/generate', {
      ...subject,
      hostname: 'elsewhere.example',
      country: 'USA',
    })
    expect([wrong.status, wrong.body.alerts.length]).to.deep.equal([400, 2])
    const bare = await app.request('POST', '/api/1.2/deliveryservices/sslkeys/generate', { key: 'news' })
    expect(bare.body.alerts).to.have.length(6)
  })

  it('can be replaced, with a warning when a newer version stays in use', async () => {
    const answer = await add({ version: 1 })
    expect(answer.body.alerts.at(-1).text).to.equal(
      'Version 2 is newer than version 1 and stays the one that is served.',
    )
    expect((await service('news')).sslKeyVersion).to.equal(2)
  })

  it('are found by the host names of the service and of its caches', async () => {
    const found = async (host: string) =>
      (await app.get(`/api/1.2/deliveryservices/hostname/${host}/sslkeys`)).body.response?.deliveryservice
    expect(await found('cdn.news.net.example')).to.equal('news')
    expect(await found('Edge-1.NEWS.net.example')).to.equal('news')
    expect(await found('cdn.nobody.net.example')).to.equal(undefined)
    expect(await found('news.net.example')).to.equal(undefined)
    expect((await app.get('/api/1.2/deliveryservices/hostname/elsewhere/sslkeys')).status).to.equal(404)
  })

  const path = '/api/1.3/cdns/name/net/sslkeys.json'

  it('of a CDN are the newest of each service, with the host name routers need', async () => {
    const answer = await app.ok('GET', path)
    expect(answer.headers.get('cache-control')).to.equal('no-store')
    expect(answer.body.response).to.have.length(1)
    const [{ certificate, ...rest }] = answer.body.response
    expect(rest).to.deep.equal({ deliveryservice: 'news', hostname: '*.news.net.example' })
    expect(certificate).to.have.all.keys('crt', 'key')
    expect(decoded(certificate.key)).to.contain('PRIVATE KEY')
  })

  it('of a CDN are sent again whatever a router says it has, as is all that only routers read', async () => {
    await app.ok('POST', '/api/1.3/cdns/dnsseckeys/generate', { key: 'net', name: 'net.example', ...days })
    const polled = ['1.1', '1.2', '1.3'].flatMap((version) => [
      ...['sslkeys', 'dnsseckeys'].map((keys) => `/api/${version}/cdns/name/net/${keys}`),
      `/internal/api/${version}/steering`,
      `/internal/api/${version}/federations`,
    ])
    for (const path of polled.flatMap((path) => [path, `${path}.json`])) {
      const first = await app.ok('GET', path)
      const day = 86_400_000
      for (const time of [
        first.headers.get('date')!,
        new Date(clock).toUTCString(),
        new Date(clock + day).toUTCString(),
      ]) {
        const again = await app.get(path, { 'if-modified-since': time })
        expect([path, again.status, again.body]).to.deep.equal([path, 200, first.body])
      }
      expect(first.headers.get('last-modified'), path).to.equal(null)
      if (!path.includes('keys')) continue
      expect(first.headers.get('etag'), path).to.equal(null)
      expect((await app.get(path, { 'if-none-match': '*' })).status, path).to.equal(200)
    }
  })

  it('of a CDN that does not exist are not found', async () => {
    expect((await app.get('/api/1.3/cdns/name/nowhere/sslkeys')).status).to.equal(404)
  })

  it('are listed by when they run out', async () => {
    const early = await issue({ name: 'live', hosts: ['cdn.live.net.example'], to: '2026-06-20' })
    const certificate = { crt: early.crt, key: early.key }
    const answer = await add({ key: 'live', deliveryservice: 'live', hostname: '', certificate })
    expect(answer.status).to.equal(200)
    const list = async (query = '') => (await app.ok('GET', `/api/1.3/sslkey_expirations${query}`)).body.response
    expect((await list()).map(({ deliveryservice }: { deliveryservice: string }) => deliveryservice)).to.deep.equal([
      'live',
      'news',
    ])
    expect((await list('?days=30'))[0]).to.deep.equal({
      deliveryservice: 'live',
      cdn: 'net',
      hostname: 'cdn.live.net.example',
      version: 1,
      expiration: '2026-06-20T00:00:00.000Z',
      expired: false,
    })
    expect(await list('?days=3')).to.deep.equal([])
    expect((await app.get('/api/1.3/sslkey_expirations?days=soon')).status).to.equal(400)
  })

  it('are for administrators, but for adding them', async () => {
    const oper = await app.as('operations')
    for (const path of [ofNews, '/deliveryservices/hostname/cdn.news.net.example/sslkeys', '/cdns/name/net/sslkeys'])
      expect((await oper.get(`/api/1.3${path}`)).status, path).to.equal(403)
    expect((await oper.get(`/api/1.3${ofNews}/delete`)).status).to.equal(403)
    expect((await oper.request('POST', '/api/1.3/deliveryservices/sslkeys/generate', subject)).status).to.equal(403)
    const body = { key: 'news', hostname: '*.news.net.example', certificate: chain() }
    expect((await oper.request('POST', '/api/1.3/deliveryservices/sslkeys/add', body)).status).to.equal(200)
  })

  it('are out of reach for users of other tenants', async () => {
    await app.ok('POST', '/api/1.3/tenants', { name: 'guests', active: true, parentId: 1 })
    const guest = await app.as('admin', { tenant: 'guests' })
    expect((await guest.get(`/api/1.3${ofNews}`)).status).to.equal(403)
    expect((await guest.get(`/api/1.3${ofNews}/delete`)).status).to.equal(403)
    expect((await guest.get('/api/1.3/deliveryservices/hostname/cdn.news.net.example/sslkeys')).status).to.equal(403)
    expect((await guest.ok('GET', '/api/1.3/sslkey_expirations')).body.response).to.deep.equal([])
  })

  it('are not added for host names that a service of another tenant answers', async () => {
    const visitors = { name: 'visitors', active: true, parentId: 1 }
    const { id: tenantId } = (await app.ok('POST', '/api/1.3/tenants', visitors)).body.response
    const guest = await app.as('admin', { tenant: 'visitors' })
    const { id } = await net.addService('guest', { protocol: 2, tenantId })
    const regexes = `/api/1.3/deliveryservices/${id}/regexes`
    const [{ id: regex, type }] = (await guest.ok('GET', regexes)).body.response
    // No host name can be read from it, so that the service's own names tell nothing.
    await guest.ok('PUT', `${regexes}/${regex}`, { pattern: '.*\\.gu(e)st\\..*', type, setNumber: 0 })
    const named = (hostname: string) => ({ key: 'guest', deliveryservice: 'guest', version: '1', hostname })
    const post = (what: string, body: object) =>
      guest.request('POST', `/api/1.3/deliveryservices/sslkeys/${what}`, body)
    for (const hostname of ['*.news.net.example', 'cdn.NEWS.net.example']) {
      const text = `hostname: a delivery service of another tenant answers ${hostname}`
      const added = await post('add', { ...named(hostname), certificate: chain() })
      expect([added.status, added.body.alerts[0].text]).to.deep.equal([409, text])
      const generated = await post('generate', { ...subject, ...named(hostname) })
      expect([generated.status, generated.body.alerts[0].text]).to.deep.equal([409, text])
    }
    const own = await issue({ name: 'guest', by: authority, hosts: ['*.guest.net.example'] })
    const certificate = { crt: own.crt + authority.crt, key: own.key }
    expect((await post('add', { ...named('*.guest.net.example'), certificate })).status).to.equal(200)
    const polled = async () =>
      (await app.ok('GET', '/api/1.3/cdns/name/net/sslkeys')).body.response.map(
        (one: { hostname: string }) => one.hostname,
      )
    expect(await polled()).to.include('*.guest.net.example')
    // A name that is free is another's to take, whoever had a certificate made for it.
    await guest.ok('PUT', `${regexes}/${regex}`, { pattern: '.*\\.moved\\..*', type, setNumber: 0 })
    const { id: heir } = await net.addService('heir', { protocol: 2 })
    const heirs = `/api/1.3/deliveryservices/${heir}/regexes`
    const [first] = (await app.ok('GET', heirs)).body.response
    await app.ok('PUT', `${heirs}/${first.id}`, { pattern: '.*\\.guest\\..*', type, setNumber: 0 })
    expect(await polled()).not.to.include('*.guest.net.example')
    await app.ok('DELETE', `/api/1.3/deliveryservices/${heir}`)
    await app.ok('DELETE', `/api/1.3/deliveryservices/${id}`)
  })

  it('are deleted one version or all at a time', async () => {
    const latest = await app.ok('GET', `/api/1.2${ofNews}/delete?version=latest`)
    expect(latest.body.response).to.equal('Successfully deleted ssl keys for news-latest')
    expect((await service('news')).sslKeyVersion).to.equal(2)
    expect((await app.request('GET', `/api/1.2${ofNews}/delete?version=77`)).status).to.equal(404)
    await app.ok('DELETE', `/api/1.3${ofNews}`)
    expect((await app.ok('GET', `/api/1.3${ofNews}`)).body.response).to.deep.equal({})
    expect((await service('news')).sslKeyVersion).to.equal(0)
    expect((await app.request('DELETE', `/api/1.3${ofNews}`)).status).to.equal(404)
  })

  it('go with their delivery service', async () => {
    const { id } = await service('live')
    await app.ok('DELETE', `/api/1.3/deliveryservices/${id}`)
    expect(app.service.services.data.all('sslKeys')).to.deep.equal([])
  })
})
