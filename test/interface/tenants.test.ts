import { expect } from 'chai'
import type { Endpoint } from '../../api/endpoint.js'
import { routes } from '../../api/routes.js'
import type { Client, TestServer } from '../build.js'
import { sampleServer } from '../sampleServer.js'

/**
 * Tenants as a generated matrix: every route that reaches a delivery service or what hangs off one, a user, an origin
 * or a tenant, filled with records of one tenant, and asked by an administrator of a sibling, who could do everything
 * if they were their own.
 */
describe('tenants', () => {
  let server: TestServer
  let sibling: Client
  let own: Client
  let foreign: Awaited<ReturnType<typeof recordsOf>>

  before(async () => {
    server = await sampleServer()
    foreign = await recordsOf(server)
    sibling = await server.as('admin', { tenant: 'software-vendor' })
    own = await server.as('admin', { tenant: 'media-house' })
  })
  after(() => server.close())

  it('a sibling neither reads nor changes a record of another tenant', async () => {
    const wrong: string[] = []
    let asked = 0
    const before = await revision(server)
    for (const route of routes) {
      const path = pathOf(route, foreign)
      if (path === null) continue
      asked++
      const answer = await sibling.request(route.method, path, bodyFor(route))
      if (answer.status !== 403) wrong.push(`${route.method} ${path}: ${answer.status} ${answer.text.slice(0, 120)}`)
    }
    expect(wrong).to.deep.equal([])
    expect(asked).to.be.greaterThan(50)
    expect(await revision(server)).to.equal(before)
  }).timeout(60_000)

  it('its own administrator reads them all', async () => {
    const wrong: string[] = []
    for (const route of routes) {
      if (route.method !== 'GET' || route.changes) continue
      const path = pathOf(route, foreign)
      if (path === null) continue
      const answer = await own.get(path)
      if (answer.status === 403 || answer.status === 401) wrong.push(`${path}: ${answer.status}`)
    }
    expect(wrong).to.deep.equal([])
  }).timeout(60_000)

  it('lists show a sibling nothing of another tenant', async () => {
    const names = foreign.all.map(({ xmlId }) => `"${xmlId}"`)
    const wrong: string[] = []
    for (const route of routes) {
      const path = route.path.replace(/^\/cdns\/:name\//, '/cdns/stream/').replace('/servers/:id/', '/servers/5/')
      const isList = route.method === 'GET' && !path.includes(':') && !ofTheWhole.has(path) && !ofRouters.test(path)
      if (!isList || route.unversioned) continue
      for (const version of ['1.1', '1.2', '1.3']) {
        const answer = await sibling.get(`/api/${version}${path}`)
        const seen = names.filter((name) => answer.text.includes(name))
        if (seen.length > 0) wrong.push(`${version}${route.path} shows ${seen.join(' ')}`)
      }
    }
    expect(wrong).to.deep.equal([])
    const users = (await sibling.ok('GET', '/api/1.3/users')).body.response
    expect(users.map(({ tenant }: { tenant: string }) => tenant)).to.deep.equal(['software-vendor'])
    const tenants = (await sibling.ok('GET', '/api/1.3/tenants')).body.response
    expect(tenants.map(({ name }: { name: string }) => name)).to.deep.equal(['software-vendor'])
  }).timeout(60_000)

  it('nothing new is hung on a record of another tenant, or put into one', async () => {
    const { service, user, tenant, type } = foreign
    const bodies: [path: string, body: object][] = [
      ['origins', { name: 'o', fqdn: 'o.example.org', protocol: 'http', deliveryServiceId: service }],
      ['staticdnsentries', { host: 'h', address: '192.0.2.1', ttl: 60, typeId: type, deliveryserviceId: service }],
      ['deliveryserviceserver', { dsId: service, servers: [1] }],
      ['servers/5/deliveryservices', [service]],
      ['deliveryservice_user', { userId: user, deliveryServices: [service] }],
      ['user/current/jobs', { dsId: service, regex: '/x', startTime: '2035-01-01 00:00:00', ttl: 4 }],
      ['tenants', { name: 'below', active: true, parentId: tenant }],
      ['users/register', { email: 'x@example.net', role: 2, tenantId: tenant }],
      ['deliveryservices/sslkeys/add', { key: 'vod', version: 1, certificate: { crt: 'x', key: 'y' } }],
      ['cachegroups/10/deliveryservices', { deliveryServices: [service] }],
    ]
    const before = await revision(server)
    for (const [path, body] of bodies) {
      const answer = await sibling.request('POST', `/api/1.3/${path}`, body)
      expect(answer.status, `${path}: ${answer.text.slice(0, 200)}`).to.equal(403)
    }
    expect(await revision(server)).to.equal(before)
  })
})

/** Answers about the whole installation, for administrators: whole documents, the change log. */
const ofTheWhole = new Set(['/changes', '/export', '/dbdump', '/logs', '/watch'])

/** Documents that routers and monitors run on: they name every delivery service of the CDN to whoever may read them. */
const ofRouters = /\/(configs\/|snapshot|configfiles)/

async function revision(server: TestServer): Promise<string> {
  return (await server.get('/readyz')).body.revision
}

async function recordsOf(server: TestServer) {
  const list = async (path: string) => (await server.ok('GET', `/api/1.3/${path}`)).body.response
  const services: { id: number; xmlId: string; tenant: string }[] = await list('deliveryservices')
  const all = services.filter(({ tenant }) => tenant !== 'software-vendor')
  const service = services.find(({ xmlId }) => xmlId === 'vod')!.id
  const users: { id: number; username: string; tenant: string }[] = await list('users')
  const { id: user } = users.find(({ tenant }) => tenant === 'media-house')!
  await server.ok('POST', '/api/1.3/deliveryservice_user', { userId: user, deliveryServices: [service] })
  const ofService = (records: { id: number; deliveryServiceId: number }[]) =>
    records.find(({ deliveryServiceId }) => deliveryServiceId === service)?.id ?? records[0]!.id
  const [type] = await list('types?name=A_RECORD')
  const entry = await server.ok('POST', '/api/1.3/staticdnsentries', {
    host: 'of-vod',
    address: '192.0.2.1',
    ttl: 60,
    typeId: type.id,
    deliveryserviceId: service,
  })
  const job = await server.ok('POST', '/api/1.3/user/current/jobs', {
    dsId: service,
    regex: '/x',
    startTime: '2035-01-01 00:00:00',
    ttl: 4,
  })
  const named = { cname: 'of-vod.example.net.', ttl: 60 }
  const federation = (await server.ok('POST', '/api/1.3/cdns/stream/federations', named)).body.response
  await server.ok('POST', `/api/1.3/federations/${federation.id}/deliveryservices`, { dsIds: [service] })
  const [{ hostName }] = await list('servers?hostName=edge-chi-01')
  return {
    all,
    service,
    user,
    type: type.id,
    hostName,
    tenant: (await list('tenants?name=media-house'))[0].id,
    origin: ofService(await list('origins')),
    regex: (await list(`deliveryservices/${service}/regexes`))[0].id,
    entry: entry.body.response.id,
    job: job.body.response.id,
    federation: federation.id,
  }
}

/** The route's path with the ids of another tenant's records; `null` for a route that reaches none. */
function pathOf(
  { path, unversioned, method }: Endpoint,
  foreign: Awaited<ReturnType<typeof recordsOf>>,
): string | null {
  const { service, user, tenant, origin, regex, entry, job, federation } = foreign
  const filled = (given: string) => `${unversioned ? '' : '/api/1.3'}${given}`
  if (unversioned) return null
  if (/^\/deliveryservices\/:dsId\/regexes\/:id/.test(path))
    return filled(`/deliveryservices/${service}/regexes/${regex}`)
  if (/^\/deliveryservices\/hostname/.test(path)) return filled(path.replace(':hostname', 'cdn.vod.stream.example.net'))
  if (/^\/(deliveryservices|steering)\/.*:/.test(path)) {
    return filled(
      path
        .replaceAll(/:(xmlId|xml_id|copyFromXmlId)/g, 'vod')
        .replaceAll(/:(id|dsId)/g, String(service))
        .replaceAll(/:\w+/g, '1'),
    )
  }
  if (/^\/deliveryservice_(server|user)\//.test(path)) {
    return filled(path.replace(':dsId', String(service)).replace(':userId', String(user)).replace(':serverId', '1'))
  }
  if (/^\/users?\/:id/.test(path)) return filled(path.replace(':id', String(user)))
  if (/^\/tenants\/:id/.test(path)) return filled(path.replace(':id', String(tenant)))
  if (/^\/jobs\/:id/.test(path)) return filled(path.replace(':id', String(job)))
  if (/^\/staticdnsentries\/:id/.test(path)) return filled(path.replace(':id', String(entry)))
  if (/^\/federations\/:id\/deliveryservices/.test(path) || /^\/cdns\/:name\/federations\/:id/.test(path)) {
    return filled(path.replace(':name', 'stream').replace(':id', String(federation)).replace(':dsId', String(service)))
  }
  if (/^\/origins?$/.test(path) && (method === 'PUT' || method === 'DELETE')) return filled(`${path}?id=${origin}`)
  if (path === '/staticdnsentries' && (method === 'PUT' || method === 'DELETE')) return filled(`${path}?id=${entry}`)
  return null
}

const bodyFor = ({ method }: Endpoint): unknown => (method === 'POST' || method === 'PUT' ? {} : undefined)
