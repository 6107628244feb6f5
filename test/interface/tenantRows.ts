import type { Role } from '../../api/schema/privileges.js'
import { ofFields, patchOf } from '../writes/patched.js'
import type { Records } from './tenantRecords.js'

/** A request for, or about, a record of the owner. */
export interface Row {
  readonly route: string
  readonly path: (records: Records) => string
  readonly body?: (records: Records) => unknown
  /** What those answer who have the role and reach the owner; 200 unless said. `'any'`: neither refused nor an error of ours. */
  readonly reached?: number | 'any'
  /** The role it takes of who did not make the record, where that is more than the route's. */
  readonly least?: Role
  /** There is no dry run of it, so it is asked once by each who may not, and by one who may. */
  readonly once?: true
}

const row = (
  route: string,
  path: Row['path'],
  body?: Row['body'],
  more: Pick<Row, 'reached' | 'once' | 'least'> = {},
): Row => ({
  route,
  path,
  ...(body ? { body } : {}),
  ...more,
})
const service = (route: string, what: string, more: Pick<Row, 'reached'> = {}) =>
  row(route, ({ http }) => `deliveryservices/${http}${what}`, undefined, more)
const live = { reached: 'any' } as const

const written: readonly Row[] = [
  service('GET /deliveryservices/:id', ''),
  service('DELETE /deliveryservices/:id', '', { reached: 'any' }),
  ...['capacity', 'health', 'routing', 'state'].map((what) =>
    service(`GET /deliveryservices/:id/${what}`, `/${what}`, live),
  ),
  ...['servers', 'servers/eligible', 'servers/unassigned', 'unassigned_servers', 'urlkeys'].map((what) =>
    service(`GET /deliveryservices/:id/${what}`, `/${what}`),
  ),
  row(
    'GET /deliveryservice_stats',
    () =>
      'deliveryservice_stats?deliveryServiceName=zzhttp&metricType=kbps&startDate=2026-01-01&endDate=2026-01-02&exclude=series',
  ),
  row(
    'POST /deliveryservices',
    () => 'deliveryservices',
    ({ like }) => [{ ...like, xmlId: 'zznew', orgServerFqdn: 'http://n.example.org' }][0],
  ),
  row(
    'PUT /deliveryservices/:id',
    ({ http }) => `deliveryservices/${http}`,
    ({ like }) => ({ ...like, xmlId: 'zzhttp', orgServerFqdn: 'http://n.example.org' }),
  ),
  row(
    'PUT /deliveryservices/:id/safe',
    ({ http }) => `deliveryservices/${http}/safe`,
    () => ({ displayName: 'x' }),
  ),
  service('GET /deliveryservices/:dsId/regexes', '/regexes'),
  row(
    'POST /deliveryservices/:dsId/regexes',
    ({ http }) => `deliveryservices/${http}/regexes`,
    ({ regexType }) => ({ pattern: '.*\\.zz2\\..*', type: regexType, setNumber: 5 }),
  ),
  row('GET /deliveryservices/:dsId/regexes/:id', ({ http, regex }) => `deliveryservices/${http}/regexes/${regex}`),
  row(
    'PUT /deliveryservices/:dsId/regexes/:id',
    ({ http, regex }) => `deliveryservices/${http}/regexes/${regex}`,
    ({ regexType }) => ({ pattern: '.*\\.zz3\\..*', type: regexType, setNumber: 5 }),
  ),
  row(
    'DELETE /deliveryservices/:dsId/regexes/:id',
    ({ http, regex }) => `deliveryservices/${http}/regexes/${regex}`,
    undefined,
    { reached: 400 },
  ),
  row(
    'POST /deliveryservices/:xml_id/servers',
    () => 'deliveryservices/zzhttp/servers',
    () => ({ serverNames: ['edge-chi-02'] }),
  ),
  row(
    'POST /deliveryserviceserver',
    () => 'deliveryserviceserver',
    ({ http, server }) => ({ dsId: http, servers: [server] }),
  ),
  row(
    'DELETE /deliveryservice_server/:dsId/:serverId',
    ({ http, server }) => `deliveryservice_server/${http}/${server}`,
  ),
  row(
    'POST /servers/:id/deliveryservices',
    ({ server }) => `servers/${server}/deliveryservices`,
    ({ http }) => [http],
  ),
  row(
    'POST /cachegroups/:id/deliveryservices',
    () => 'cachegroups/10/deliveryservices',
    ({ http }) => ({ deliveryServices: [http] }),
    { reached: 'any' },
  ),
  row(
    'POST /deliveryservice_user',
    () => 'deliveryservice_user',
    ({ user, http }) => ({ userId: user, deliveryServices: [http] }),
  ),
  row('DELETE /deliveryservice_user/:dsId/:userId', ({ user, http }) => `deliveryservice_user/${http}/${user}`),

  row('GET /deliveryservices/xmlId/:xmlId/sslkeys', () => 'deliveryservices/xmlId/zzhttp/sslkeys'),
  row(
    'GET /deliveryservices/hostname/:hostname/sslkeys',
    () => 'deliveryservices/hostname/cdn.zzhttp.stream.example.net/sslkeys',
  ),
  row('GET /deliveryservices/xmlId/:xmlId/sslkeys/delete', () => 'deliveryservices/xmlId/zzhttp/sslkeys/delete'),
  ...['', '/delete'].map((end) =>
    row(`DELETE /deliveryservices/xmlId/:xmlId/sslkeys${end}`, () => `deliveryservices/xmlId/zzhttp/sslkeys${end}`),
  ),
  row(
    'POST /deliveryservices/sslkeys/generate',
    () => 'deliveryservices/sslkeys/generate',
    ({ certified }) => ({ ...certified, version: '2' }),
  ),
  row(
    'POST /deliveryservices/sslkeys/add',
    () => 'deliveryservices/sslkeys/add',
    ({ pem }) => ({ key: 'zzhttp', version: '2', certificate: pem }),
  ),
  row('GET /deliveryservices/xmlId/:xmlId/urlkeys', () => 'deliveryservices/xmlId/zzhttp/urlkeys'),
  row('POST /deliveryservices/xmlId/:xmlId/urlkeys/generate', () => 'deliveryservices/xmlId/zzhttp/urlkeys/generate'),
  row(
    'POST /deliveryservices/xmlId/:xmlId/urlkeys/copyFromXmlId/:copyFromXmlId',
    () => 'deliveryservices/xmlId/zztarget/urlkeys/copyFromXmlId/zzhttp',
  ),
  row('GET /deliveryservices/:xmlId/urisignkeys', () => 'deliveryservices/zztarget/urisignkeys'),
  row(
    'POST /deliveryservices/:xmlId/urisignkeys',
    () => 'deliveryservices/zztarget/urisignkeys',
    ({ document }) => document,
  ),
  row(
    'PUT /deliveryservices/:xmlId/urisignkeys',
    () => 'deliveryservices/zztarget/urisignkeys',
    ({ document }) => document,
  ),
  row('DELETE /deliveryservices/:xmlId/urisignkeys', () => 'deliveryservices/zztarget/urisignkeys'),

  row('GET /cdns/:name/federations/:id', ({ federation }) => `cdns/stream/federations/${federation}`),
  row(
    'PUT /cdns/:name/federations/:id',
    ({ federation }) => `cdns/stream/federations/${federation}`,
    () => ({ cname: 'x.example.net.', ttl: 1 }),
  ),
  row('DELETE /cdns/:name/federations/:id', ({ federation }) => `cdns/stream/federations/${federation}`),
  ...['deliveryservices', 'federation_resolvers', 'users'].map((what) =>
    row(`GET /federations/:id/${what}`, ({ federation }) => `federations/${federation}/${what}`),
  ),
  row(
    'POST /federations/:id/deliveryservices',
    ({ federation }) => `federations/${federation}/deliveryservices`,
    ({ steering }) => ({ dsIds: [steering] }),
  ),
  row(
    'DELETE /federations/:id/deliveryservices/:dsId',
    ({ federation, http }) => `federations/${federation}/deliveryservices/${http}`,
  ),
  row(
    'POST /federations/:id/federation_resolvers',
    ({ federation }) => `federations/${federation}/federation_resolvers`,
    ({ resolver }) => ({ fedResolverIds: [resolver] }),
  ),
  row(
    'POST /federations/:id/users',
    ({ federation }) => `federations/${federation}/users`,
    ({ user }) => ({ userIds: [user] }),
  ),
  row('DELETE /federations/:id/users/:userId', ({ federation, user }) => `federations/${federation}/users/${user}`),
  // Those of the caller: nobody here has one.
  ...(['POST', 'PUT'] as const).map((method) =>
    row(
      `${method} /federations`,
      () => 'federations',
      () => ({ federations: [{ deliveryService: 'zzhttp', mappings: { resolve4: ['192.0.2.9'], resolve6: [] } }] }),
      { reached: 400 },
    ),
  ),

  row('GET /steering/:dsId/targets', ({ steering }) => `steering/${steering}/targets`),
  row('GET /steering/:dsId/targets/:targetId', ({ steering, http }) => `steering/${steering}/targets/${http}`),
  row(
    'POST /steering/:dsId/targets',
    ({ steering }) => `steering/${steering}/targets`,
    ({ target, weight }) => ({ targetId: target, value: 1, typeId: weight }),
  ),
  row(
    'PUT /steering/:dsId/targets/:targetId',
    ({ steering, http }) => `steering/${steering}/targets/${http}`,
    ({ http, weight }) => ({ targetId: http, value: 2, typeId: weight }),
  ),
  row('DELETE /steering/:dsId/targets/:targetId', ({ steering, http }) => `steering/${steering}/targets/${http}`),
  row('GET /internal/api/:version/steering/:xmlId', () => '/internal/api/1.3/steering/zzsteer'),

  row('GET /jobs/:id', ({ job }) => `jobs/${job}`),
  row('DELETE /jobs/:id', ({ job }) => `jobs/${job}`, undefined, { least: 'oper' }),
  row(
    'POST /user/current/jobs',
    () => 'user/current/jobs',
    ({ http, start }) => ({ dsId: http, regex: '/x', startTime: start, ttl: 4 }),
  ),
  row(
    'POST /origins',
    () => 'origins',
    ({ http }) => ({ name: 'zznew', fqdn: 'o.example.org', protocol: 'http', deliveryServiceId: http }),
  ),
  row(
    'PUT /origins',
    ({ origin }) => `origins?id=${origin}`,
    ({ http }) => ({ name: 'zzspare', fqdn: 'p.example.org', protocol: 'http', deliveryServiceId: http }),
  ),
  ...['origins', 'origin'].map((path) => row(`DELETE /${path}`, ({ origin }) => `${path}?id=${origin}`)),
  row(
    'POST /staticdnsentries',
    () => 'staticdnsentries',
    ({ dns }) => ({ host: 'zznew', ...dns }),
  ),
  row(
    'PUT /staticdnsentries',
    ({ entry }) => `staticdnsentries?id=${entry}`,
    ({ dns }) => ({ host: 'zzother', ...dns }),
  ),
  row('DELETE /staticdnsentries', ({ entry }) => `staticdnsentries?id=${entry}`),
  row('GET /staticdnsentries/:id', ({ entry }) => `staticdnsentries/${entry}`),

  row('GET /tenants/:id', ({ tenant }) => `tenants/${tenant}`),
  row(
    'POST /tenants',
    () => 'tenants',
    ({ tenant }) => ({ name: 'zznew', active: true, parentId: tenant }),
  ),
  row(
    'PUT /tenants/:id',
    ({ below }) => `tenants/${below}`,
    ({ tenant }) => ({ name: 'zzother', active: true, parentId: tenant }),
  ),
  row('DELETE /tenants/:id', ({ below }) => `tenants/${below}`),
  row('GET /users/:id', ({ user }) => `users/${user}`),
  row(
    'POST /users',
    () => 'users',
    ({ person }) => ({ ...person, username: 'zznew', email: 'zznew@example.net' }),
  ),
  row(
    'PUT /users/:id',
    ({ user }) => `users/${user}`,
    ({ person }) => ({ ...person, city: 'X' }),
  ),
  row('DELETE /users/:id', ({ user }) => `users/${user}`),
  row('GET /users/:id/deliveryservices', ({ user }) => `users/${user}/deliveryservices`),
  row('GET /user/:id/deliveryservices/available', ({ user }) => `user/${user}/deliveryservices/available`),
  row(
    'POST /users/register',
    () => 'users/register',
    ({ tenant, role }) => ({ email: 'zzcome@example.net', role, tenantId: tenant }),
    { once: true },
  ),
]

/** Every route that names a record of a tenant; a route that has neither a row here nor a list fails the test. */
export const rows: readonly Row[] = written.flatMap((one) => [one, ...asPatched(one)])

/** Who may do it by PUT may by PATCH, of the same record, with the same fields. */
function asPatched({ route, body, ...row }: Row): readonly Row[] {
  const patch = patchOf(route)
  if (!patch) return []
  return [{ ...row, route: `PATCH ${patch.path}`, body: (records) => ofFields(patch, body?.(records)) }]
}
