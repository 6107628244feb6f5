import { expect } from 'chai'
import type { Version } from '../../api/config/apiVersions.js'
import { isIn, versions } from '../../api/config/apiVersions.js'
import type { Endpoint } from '../../api/operations/endpoint.js'
import type { Answered, Client, TestServer } from '../build.js'
import { routes } from '../routes.js'
import { sampleServer } from '../sampleServer.js'
import type { Caller } from './callers.js'
import { cells, everyCaller, may, nameOf } from './callers.js'
import { lists, ownOnly } from './tenantLists.js'
import type { Records } from './tenantRecords.js'
import { ownersRecords, reaching, secret } from './tenantRecords.js'
import { rows } from './tenantRows.js'

const called = ({ method, path }: Endpoint) => `${method} ${path}`
const byName = new Map(routes.map((route) => [called(route), route]))

/** The versions under which a route is. */
const versionsOf = ({ unversioned, since }: Endpoint): readonly Version[] =>
  unversioned ? ['1.3'] : versions.filter((version) => isIn(version, since))

/**
 * Every route that touches records of tenants, with records of one: who has the role and reaches the tenant is
 * answered, who does not reach it is refused or shown a list without them. Writes are dry runs, so that all dependency keys ask
 * of the same records. Which routes these are the routes declare (`reach`); one that no row asks fails here.
 */
describe('tenants', () => {
  let server: TestServer
  let records: Records
  let callers: ReadonlyMap<string, Caller>

  before(async function () {
    this.timeout(120_000)
    server = await sampleServer()
    records = await ownersRecords(server)
    callers = await everyCaller(server)
  })
  after(() => server.close())

  it('every route that touches their records is asked', () => {
    const input = new Set([...rows.map(({ route }) => route), ...lists.map(({ route }) => route), ...ownOnly])
    const touching = routes.filter(({ reach }) => reach === 'tenants').map(called)
    const unasked = touching.filter((route) => !input.has(route))
    expect(unasked, 'each wants a row in tenantRows.ts, or, if it is a list, in tenantLists.ts').to.deep.equal([])
    const others = [...input].filter((route) => !touching.includes(route))
    // The caller's own rules are made for a delivery service.
    expect(others).to.deep.equal(['POST /user/current/jobs'].filter((route) => !touching.includes(route)))
  })

  for (const cell of cells) {
    const [role, tenant] = cell
    const reaches = tenant !== null && reaching.includes(tenant)
    const has = (route: string) => may[byName.get(route)!.role].includes(role)

    it(`${nameOf(cell)} ${reaches ? 'reads and changes' : 'neither reads nor changes'} records of media-house`, async () => {
      const { client } = callers.get(nameOf(cell))!
      const before = (await server.get('/readyz')).body.revision
      const wrong: string[] = []
      for (const { route, path, body, reached = 200, once, least } of rows) {
        const isAllowed = least ? may[least].includes(role) : has(route)
        if (once && isAllowed && reaches) continue
        const [method = ''] = route.split(' ')
        const input = placed(
          path(records),
          once || (method === 'GET' && !route.endsWith('/delete')) ? '' : 'dryRun=true',
        )
        const answer = await client.request(method, input, body?.(records))
        const expected = role === 'nobody' ? 401 : isAllowed && reaches ? reached : 403
        const isRight = expected === 'any' ? ![401, 403, 500].includes(answer.status) : answer.status === expected
        if (!isRight) wrong.push(`${route}: ${answer.status}, not ${expected}: ${answer.text.slice(0, 200)}`)
        if (!reaches) wrong.push(...leaks(answer, [secret, ...records.keys]).map((text) => `${route} tells ${text}`))
      }
      expect(wrong).to.deep.equal([])
      expect((await server.get('/readyz')).body.revision).to.equal(before)
    }).timeout(60_000)

    it(`${nameOf(cell)} ${reaches ? 'finds them in' : 'finds nothing of them in'} lists`, async () => {
      const { client } = callers.get(nameOf(cell))!
      const wrong: string[] = []
      for (const { route, path, shows } of lists) {
        for (const version of versionsOf(byName.get(route)!)) {
          const answer = await client.get(placed(path(records), '', version))
          const status = role === 'nobody' ? 401 : has(route) ? 200 : 403
          if (answer.status !== status) wrong.push(`${version} ${route}: ${answer.status}, not ${status}`)
          const found = (typeof shows === 'function' ? shows(records) : shows).test(answer.text)
          const expected = status === 200 && reaches
          if (found !== expected) wrong.push(`${version} ${route} ${found ? 'shows' : 'lacks'} them`)
        }
      }
      expect(wrong).to.deep.equal([])
    }).timeout(60_000)
  }

  for (const name of ['admin of media-house-studio', 'admin of software-vendor', 'operations of software-vendor']) {
    it(`${name} reads nothing of them by any route, in any version, whatever is asked or refused`, async () => {
      const { client } = callers.get(name)!
      const wrong: string[] = []
      for (const route of routes) {
        if (['/watch', '/user/logout'].includes(route.path)) continue
        for (const version of route.method === 'GET' ? versionsOf(route) : (['1.3'] as const)) {
          for (const path of filled(route, records)) {
            const answer = await input(
              client,
              route,
              placed(path, route.method === 'GET' ? '' : 'dryRun=true', version),
            )
            // The documents of a CDN name its services; nothing else does, and nothing has what is private.
            const names =
              route.reach === 'cdn' || shownByParameters.test(path) ? [] : ['"zzhttp"', '"zzsteer"', '"zztarget"']
            const found = leaks(answer, [...names, secret, 'zzuser', ...records.keys])
            wrong.push(...found.map((text) => `${version} ${called(route)} (${path}) tells ${text}`))
          }
        }
      }
      expect(wrong).to.deep.equal([])
    }).timeout(120_000)
  }

  it('nothing that belongs to nobody is taken out of the records of another, nor told of', async () => {
    const client = callers.get('admin of software-vendor')!.client
    const text = { description: 'of an origin of another', type: 'ORG_PROFILE', cdn: 1 }
    const profiles: number[] = []
    for (const name of ['ORG_OF_OTHERS', 'ORG_OF_NOBODY']) {
      const made = await server.ok('POST', '/api/1.3/profiles', { ...text, name, description: name })
      profiles.push([made.body.response].flat()[0].id)
    }
    const address = { fqdn: 'zzprofiled.example.org', protocol: 'http', deliveryServiceId: records.http }
    await server.ok('POST', '/api/1.3/origins', { name: 'zzprofiled', ...address, profileId: profiles[0] })
    for (const path of [`profiles/${profiles[0]}`, `federation_resolvers/${records.resolver}`]) {
      for (const query of ['', '?dryRun=true']) {
        const { status, text } = await client.request('DELETE', `/api/1.3/${path}${query}`)
        expect(status, `${path}: ${text}`).to.equal(409)
        expect(text).to.contain('other tenants').and.not.contain('203.0.113.99')
      }
      await server.ok('DELETE', `/api/1.3/${path}?dryRun=true`)
    }
    await client.ok('DELETE', `/api/1.3/profiles/${profiles[1]}`)
  })

  it('nothing of one is tied to what is of another, from whichever side', async () => {
    const admin = callers.get('admin of software-vendor')!.client
    const make = async (path: string, body: object) => {
      const { response } = (await admin.ok('POST', `/api/1.3/${path}`, body)).body
      return Array.isArray(response) ? response[0].id : response.id
    }
    const { http, target, user, weight, like, role, tenant, start } = records
    const { tenantId: _, tenant: __, ...plain } = like
    const type = (await server.ok('GET', '/api/1.3/types?name=CLIENT_STEERING')).body.response[0].id
    const service = await make('deliveryservices', { ...plain, xmlId: 'own', orgServerFqdn: 'http://own.example.org' })
    const steering = await make('deliveryservices', { ...plain, xmlId: 'own-s', orgServerFqdn: null, typeId: type })
    const address = { fqdn: 'own.example.org', protocol: 'http' }
    const origin = await make('origins', { name: 'own-o', ...address, deliveryServiceId: service })
    const entry = await make('staticdnsentries', { host: 'own', ...records.dns, deliveryserviceId: service })
    const federation = await make('cdns/stream/federations', { cname: 'own.example.net.', ttl: 60 })
    const { id: me, tenantId: own, ...self } = (await admin.ok('GET', '/api/1.3/user/current')).body.response
    const below = await make('tenants', { name: 'own-below', active: true, parentId: own })
    const tries: [method: string, path: string, body: unknown][] = [
      ['POST', `steering/${steering}/targets`, { targetId: http, value: 1, typeId: weight }],
      ['POST', 'deliveryservice_user', { userId: me, deliveryServices: [http] }],
      ['POST', 'deliveryservice_user', { userId: user, deliveryServices: [service] }],
      ['POST', `federations/${federation}/deliveryservices`, { dsIds: [target] }],
      ['POST', `federations/${federation}/users`, { userIds: [user] }],
      ['POST', `federations/${federation}/federation_resolvers`, { fedResolverIds: [records.resolver] }],
      ['PUT', `origins?id=${origin}`, { name: 'own-o', ...address, deliveryServiceId: http }],
      ['PUT', `origins?id=${origin}`, { name: 'own-o', ...address, deliveryServiceId: service, tenantId: tenant }],
      ['PUT', `staticdnsentries?id=${entry}`, { host: 'own', ...records.dns }],
      ['PUT', `deliveryservices/${service}`, { ...plain, xmlId: 'own', tenantId: tenant }],
      ['PUT', `tenants/${below}`, { name: 'own-below', active: true, parentId: tenant }],
      ['PUT', `users/${me}`, { ...self, role, tenantId: tenant }],
      ['POST', 'deliveryservices/xmlId/own/urlkeys/copyFromXmlId/zzhttp', undefined],
      ['POST', 'deliveryservices/sslkeys/add', { key: 'own', version: 1, certificate: records.pem }],
      ['POST', 'user/current/jobs', { dsId: http, regex: '/x', startTime: start, ttl: 4 }],
    ]
    const before = (await server.get('/readyz')).body.revision
    const wrong: string[] = []
    for (const [method, path, body] of tries) {
      const answer = await admin.request(method, `/api/1.3/${path}`, body)
      // A certificate of other names does not fit.
      if (answer.status !== (path.endsWith('sslkeys/add') ? 400 : 403)) wrong.push(`${method} ${path}: ${answer.text}`)
      wrong.push(...leaks(answer, ['zztarget', secret, ...records.keys]).map((text) => `${path} tells ${text}`))
    }
    expect(wrong).to.deep.equal([])
    expect((await server.get('/readyz')).body.revision).to.equal(before)
  })

  describe('the change log', () => {
    it('counts what is new to whoever sees it', async () => {
      const stranger = callers.get('admin of software-vendor')!.client
      const insider = callers.get('admin of media-house')!.client
      const count = async (client: Client, seen: string) =>
        (await client.get('/api/1.3/logs/newcount', { cookie: `${client.cookie()}; last_seen_log=${seen}` })).body
          .response.newLogcount
      // A line of the very moment counts as read.
      const seen = new Date(Date.now() - 1).toISOString()
      await server.ok('PUT', `/api/1.3/deliveryservices/${records.http}/safe`, { longDesc: `${secret} again` })
      await server.ok('POST', '/api/1.3/divisions', { name: 'for everybody' })
      expect([await count(stranger, seen), await count(insider, seen)]).to.deep.equal([1, 2])
    })

    it('has as many lines as are asked for, however many others there are between them', async () => {
      const stranger = callers.get('admin of software-vendor')!.client
      for (let at = 0; at < 12; at++) {
        await server.ok('PUT', `/api/1.3/deliveryservices/${records.http}/safe`, { longDesc: `${secret} ${at}` })
        if (at % 4 === 0) await server.ok('POST', '/api/1.3/divisions', { name: `shared ${at}` })
      }
      const lines = (await stranger.ok('GET', '/api/1.3/logs?limit=3')).body.response as { message: string }[]
      expect(lines.map(({ message }) => message.match(/shared \d+/)?.[0])).to.deep.equal([
        'shared 8',
        'shared 4',
        'shared 0',
      ])
    })

    it('tells those outside not even who changed what is not theirs', async () => {
      const since = (await server.get('/readyz')).body.revision
      const editor = await server.as('operations', { tenant: 'media-house', username: 'zzeditor' })
      await editor.ok('PUT', `/api/1.3/deliveryservices/${records.http}/safe`, { longDesc: 'edited' })
      const { text } = await callers
        .get('admin of software-vendor')!
        .client.ok('GET', `/api/1.3/changes?since=${since}`)
      expect(text).not.to.contain('zzeditor')
      expect((await server.ok('GET', `/api/1.3/changes?since=${since}`)).text).to.contain('"user":"zzeditor"')
    })
  })
})

/** Location parameters name files after services; parameters belong to no tenant. */
const shownByParameters = /parameter|profile/

function placed(path: string, query: string, version: string = '1.3'): string {
  const whole = path.startsWith('/') ? path : `/api/${version}/${path}`
  return query === '' ? whole : `${whole}${whole.includes('?') ? '&' : '?'}${query}`
}

const leaks = ({ text }: Answered, texts: readonly string[]): string[] => texts.filter((one) => text.includes(one))

const input = (client: Client, { method }: Endpoint, path: string): Promise<Answered> =>
  client.request(method, path, method === 'GET' || method === 'DELETE' ? undefined : {})

/** The route's paths, with the owner's records where it takes some, with shared ones where it does not. */
function filled({ path, unversioned }: Endpoint, records: Records): string[] {
  const known = rows.filter(({ route }) => route.endsWith(` ${path}`)).map((row) => row.path(records))
  const shared = path
    .replace(/^\/servers\/:id/, `/servers/${records.server}`)
    .replace(/^\/(cdns\/|snapshot\/|health\/|CRConfig-Snapshots\/)(name\/)?:(name|cdn_name)/, '/$1$2stream')
    .replace(/^\/profiles\/(name\/)?:(id|name)/, `/profiles/$1${records.profile}`)
    .replace(':host', 'edge-chi-01')
    .replace('/hostname/:name', '/hostname/edge-chi-01')
    .replace(':file', 'url_sig_zzhttp.config')
    .replace(/:(xmlId|xml_id|copyFromXmlId)/g, 'zzhttp')
    .replace(/:(dsId|id)/g, String(records.http))
    .replace(':version', unversioned ? '1.3' : '1')
    .replaceAll(/:\w+/g, '1')
  return [...new Set([...known, unversioned ? shared : shared.slice(1)])]
}
