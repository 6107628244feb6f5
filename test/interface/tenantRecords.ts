import type { TestServer } from '../build.js'

/** The tenant whose records are asked for, and who reaches them: it and those above. */
export const owner = 'media-house'
export const reaching: readonly string[] = ['root', owner]

/** Texts that only those who reach the owner may read, wherever they turn up. */
export const secret = 'zzprivate'

export type Records = Awaited<ReturnType<typeof ownersRecords>>

type Shown = Record<string, unknown> & { id: number }

/** One record of every kind that has a tenant or hangs on something that has, with names found nowhere else. */
export async function ownersRecords(server: TestServer) {
  const ask = async (method: string, path: string, body?: unknown) =>
    (await server.ok(method, `/api/1.3/${path}`, body)).body.response
  const one = async (path: string): Promise<Shown> => (await ask('GET', path))[0]
  const idOf = async (path: string): Promise<number> => (await one(path)).id

  const tenant = await idOf(`tenants?name=${owner}`)
  const below = (await ask('POST', 'tenants', { name: 'zzbelow', active: true, parentId: tenant })).id
  const role = await idOf('roles?name=read-only')
  const person = {
    username: 'zzuser',
    email: 'zzuser@zzprivate.example',
    fullName: secret,
    company: secret,
    role,
    tenantId: tenant,
    localPassword: 'a-Password-of-tests',
    confirmLocalPassword: 'a-Password-of-tests',
  }
  const user = (await ask('POST', 'users', person)).id
  const { id: _, exampleURLs: __, ...like } = await one('deliveryservices?xmlId=vod')
  const described = { displayName: secret, longDesc: secret, longDesc1: secret, longDesc2: secret, infoUrl: null }
  const service = async (xmlId: string, more: object): Promise<Shown> =>
    (await ask('POST', 'deliveryservices', { ...like, ...described, tenantId: tenant, xmlId, ...more }))[0]
  const http = await service('zzhttp', { orgServerFqdn: 'http://zzorigin.example.org', signingAlgorithm: 'url_sig' })
  const target = await service('zztarget', { orgServerFqdn: 'http://zztarget.example.org' })
  const steering = await service('zzsteer', {
    typeId: await idOf('types?name=CLIENT_STEERING'),
    orgServerFqdn: null,
    signingAlgorithm: null,
  })
  const weight = await idOf('types?name=STEERING_WEIGHT')
  await ask('POST', `steering/${steering.id}/targets`, { targetId: http.id, value: 1, typeId: weight })
  const server1 = await one('servers?hostName=edge-chi-01')
  await ask('POST', 'deliveryserviceserver', { dsId: http.id, servers: [server1.id] })
  await ask('POST', 'deliveryservice_user', { userId: user, deliveryServices: [http.id] })
  const address = { fqdn: 'zzspare.example.org', protocol: 'http', deliveryServiceId: http.id }
  const origin = (await ask('POST', 'origins', { name: 'zzspare', ...address })).id
  const dnsType = await idOf('types?name=A_RECORD')
  const dns = { address: '192.0.2.1', ttl: 60, typeId: dnsType, deliveryserviceId: http.id }
  const entry = (await ask('POST', 'staticdnsentries', { host: 'zzhost', ...dns })).id
  const start = '2035-01-01 00:00:00'
  const job = (await ask('POST', 'user/current/jobs', { dsId: http.id, regex: '/zzjob', startTime: start, ttl: 4 })).id
  const named = { cname: 'zzfederation.example.net.', ttl: 60, description: secret }
  const federation = (await ask('POST', 'cdns/stream/federations', named)).id
  await ask('POST', `federations/${federation}/deliveryservices`, { dsIds: [http.id, target.id] })
  const resolve4 = await idOf('types?name=RESOLVE4')
  const resolver = (await ask('POST', 'federation_resolvers', { ipAddress: '203.0.113.99/32', typeId: resolve4 })).id
  await ask('POST', `federations/${federation}/federation_resolvers`, { fedResolverIds: [resolver] })
  await ask('POST', `federations/${federation}/users`, { userIds: [user] })
  const subject = { country: 'US', state: 'S', city: 'C', organization: 'O', businessUnit: 'U' }
  const certified = { key: 'zzhttp', version: '1', hostname: '*.zzhttp.stream.example.net', ...subject }
  await ask('POST', 'deliveryservices/sslkeys/generate', certified)
  const pem = (await ask('GET', 'deliveryservices/xmlId/zzhttp/sslkeys')).certificate as { key: string; crt: string }
  await ask('POST', 'deliveryservices/xmlId/zzhttp/urlkeys/generate')
  const keys = (await ask('GET', 'deliveryservices/xmlId/zzhttp/urlkeys')) as Record<string, string>
  const signing = { alg: 'HS256', kid: 'zz', kty: 'oct', k: 'enpwcml2YXRlLWEtc2VjcmV0LWJ1dC1sb25nLWVub3VnaC0x' }
  const document = { issuer: { renewal_kid: 'zz', keys: [signing] } }
  await server.ok('POST', '/api/1.3/deliveryservices/zztarget/urisignkeys', document)
  const stat = { deliveryServiceName: 'zzhttp', cdnName: 'stream', statName: 'zzstat', statValue: 1 }
  await server.ok('POST', '/api/1.3/stats_summary/create', { ...stat, statDate: '2035-01-01' })
  await server.ok('PUT', '/api/1.3/snapshot/stream?force=true')
  return {
    tenant,
    below,
    user,
    role,
    http: http.id,
    target: target.id,
    steering: steering.id,
    like: { ...like, ...described, tenantId: tenant } as Record<string, unknown>,
    weight,
    resolve4,
    server: server1.id,
    profile: server1.profile as string,
    origin,
    dns,
    dnsType,
    entry,
    job,
    start,
    federation,
    resolver,
    regex: await idOf(`deliveryservices/${http.id}/regexes`),
    regexType: await idOf('types?name=HOST_REGEXP'),
    person,
    certified,
    pem,
    document,
    /** What must not be in any answer to those who do not reach the owner. */
    keys: [keys.key0!, pem.key.slice(100, 160), signing.k],
  }
}
