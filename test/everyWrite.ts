import type { Client } from './build.js'

/** One request that changes something, by the route it uses. */
export interface Write {
  readonly route: string
  readonly path: string
  readonly body?: unknown
}

type Ask = () => Promise<readonly [path: string, body?: unknown]>
type Line = readonly [route: string, ask: Ask]

/** One write by every route there is, on the sample CDN; each may use what those before it made. */
export async function* everyWrite(client: Client): AsyncGenerator<Write> {
  for (const [route, ask] of lines(client)) {
    const [path, body] = await ask()
    yield { route, path: path.startsWith('/update/') ? path : `/api/1.3${path}`, body }
  }
}

function lines(client: Client): readonly Line[] {
  const find = async (path: string, filter = ''): Promise<{ id: number }> => {
    const { response } = (await client.ok('GET', `/api/1.3${path}${filter && `?${filter}`}`)).body
    if (response.length === 0) throw new Error(`there is nothing at ${path}?${filter}`)
    return response.at(-1)
  }
  const id = async (path: string, filter: string) => (await find(path, filter)).id
  const cdn = () => id('/cdns', 'name=written')
  const stream = () => id('/cdns', 'name=stream')
  const group = () => id('/cachegroups', 'name=written')
  const nyc = () => id('/cachegroups', 'name=edge-nyc')
  const chi = () => id('/servers', 'hostName=edge-chi-01')
  const vod = () => id('/deliveryservices', 'xmlId=vod')
  const profile = (name = 'WRITTEN') => id('/profiles', `name=${name}`)
  const parameter = (name = 'written') => id('/parameters', `name=${name}`)
  const typeOf = (name: string) => id('/types', `name=${name}`)
  const federation = async () => (await find('/cdns/stream/federations')).id
  const user = () => id('/users', 'username=written')
  const parameterBody = (name: string) => ({ name, configFile: 'written.config', value: 'v', secure: 0 })
  const place = (name: string) => {
    const address = { address: '1 Quay', city: 'Port', state: 'ST', zip: '1' }
    return { name, shortName: name.slice(0, 10), ...address }
  }
  const server = async () => {
    const { id: _, ...copy } = (await find('/servers', 'hostName=edge-chi-01')) as { id: number } & object
    return { ...copy, hostName: 'written', ipAddress: '192.0.2.77', ip6Address: null, updPending: false }
  }
  const service = async (xmlId: string) => {
    const { id: _, ...copy } = (await find('/deliveryservices', 'xmlId=vod')) as { id: number } & object
    return { ...copy, xmlId, orgServerFqdn: `http://${xmlId}.example.org` }
  }
  const extension = { version: '1', info_url: '-', script_file: 'x', isactive: '1', additional_config_json: '{}' }
  const password = { localPassword: 'a-Password-of-tests', confirmLocalPassword: 'a-Password-of-tests' }
  const dnssec = { key: 'stream', name: 'stream.example.net', ttl: '60', kskExpirationDays: '365' }
  const subject = { country: 'XX', state: 'S', city: 'C', organization: 'O', businessUnit: 'U' }
  const regexes = async () => `/deliveryservices/${await vod()}/regexes`
  const signing = (kid: string) => {
    const key = { alg: 'HS256', kid, kty: 'oct', k: 'bm90LWEtc2VjcmV0LWJ1dC1sb25nLWVub3VnaC1mb3ItaHMyNTY' }
    return { issuer: { renewal_kid: kid, keys: [key] } }
  }
  const me = async () => ((await client.ok('GET', '/api/1.3/user/current')).body.response as { id: number }).id
  const mappings = (address: string) => ({
    federations: [{ deliveryService: 'vod', mappings: { resolve4: [address], resolve6: [] } }],
  })
  const targets = async () => `/steering/${await id('/deliveryservices', 'xmlId=sports')}/targets`
  const weight = async (value: number) => ({ targetId: await vod(), value, typeId: await typeOf('STEERING_WEIGHT') })
  const versions = async () =>
    (await client.ok('GET', '/api/1.3/cdns/stream/snapshots')).body.response as { version: number }[]
  const written = {
    key: 'written',
    deliveryservice: 'written',
    cdn: 'stream',
    hostname: '*.written.stream.example.net',
  }
  const certificate = async (xmlId: string) => {
    const { response } = (await client.ok('GET', `/api/1.3/deliveryservices/xmlId/${xmlId}/sslkeys?decode=true`)).body
    return response.certificate as object
  }
  return [
    ['POST /cdns', async () => ['/cdns', { name: 'written', domainName: 'written.example', dnssecEnabled: false }]],
    ['PUT /cdns/:id', async () => [`/cdns/${await cdn()}`, { name: 'written', domainName: 'w.example' }]],
    ['POST /divisions', async () => ['/divisions', { name: 'written' }]],
    ['PUT /divisions/:id', async () => [`/divisions/${await id('/divisions', 'name=written')}`, { name: 'written2' }]],
    ['POST /divisions/:divisionName/regions', async () => ['/divisions/written2/regions', { name: 'written' }]],
    ['POST /regions', async () => ['/regions', { name: 'other', division: await id('/divisions', 'name=written2') }]],
    [
      'PUT /regions/:id',
      async () => [
        `/regions/${await id('/regions', 'name=other')}`,
        { name: 'other2', division: await id('/divisions', 'name=written2') },
      ],
    ],
    ['POST /regions/:region_name/phys_locations', async () => ['/regions/written/phys_locations', place('harbour')]],
    [
      'POST /phys_locations',
      async () => ['/phys_locations', { ...place('depot'), regionId: await id('/regions', 'name=written') }],
    ],
    [
      'PUT /phys_locations/:id',
      async () => [
        `/phys_locations/${await id('/phys_locations', 'name=depot')}`,
        { ...place('store'), regionId: await id('/regions', 'name=written') },
      ],
    ],
    ['POST /coordinates', async () => ['/coordinates', { name: 'written', latitude: 1, longitude: 2 }]],
    [
      'PUT /coordinates',
      async () => [
        `/coordinates?id=${await id('/coordinates', 'name=written')}`,
        { name: 'written', latitude: 3, longitude: 2 },
      ],
    ],
    ['DELETE /coordinates', async () => [`/coordinates?id=${await id('/coordinates', 'name=written')}`]],
    [
      'POST /cachegroups',
      async () => [
        '/cachegroups',
        { name: 'written', shortName: 'wr', typeName: 'EDGE_LOC', latitude: 1, longitude: 1 },
      ],
    ],
    [
      'PUT /cachegroups/:id',
      async () => [`/cachegroups/${await group()}`, { name: 'written', shortName: 'wr2', typeName: 'EDGE_LOC' }],
    ],
    [
      'POST /cachegroups/:id/queue_update',
      async () => [`/cachegroups/${await nyc()}/queue_update`, { action: 'queue', cdn: 'stream' }],
    ],
    [
      'POST /cachegroups/:id/deliveryservices',
      async () => [
        `/cachegroups/${await id('/cachegroups', 'name=edge-chi')}/deliveryservices`,
        { deliveryServices: [await id('/deliveryservices', 'xmlId=trailers')] },
      ],
    ],
    ['POST /asns', async () => ['/asns', { asn: 64_999, cachegroupId: await group() }]],
    [
      'PUT /asns/:id',
      async () => [`/asns/${await id('/asns', 'asn=64999')}`, { asn: 64_998, cachegroupId: await group() }],
    ],
    [
      'PUT /asns',
      async () => [`/asns?id=${await id('/asns', 'asn=64998')}`, { asn: 64_997, cachegroupId: await group() }],
    ],
    ['DELETE /asns/:id', async () => [`/asns/${await id('/asns', 'asn=64997')}`]],
    ['DELETE /asns', async () => [`/asns?id=${(await find('/asns')).id}`]],
    [
      'POST /cachegroup_fallbacks',
      async () => [
        '/cachegroup_fallbacks',
        [{ cacheGroupId: await group(), fallbackId: await nyc(), fallbackOrder: 1 }],
      ],
    ],
    [
      'PUT /cachegroup_fallbacks',
      async () => [
        '/cachegroup_fallbacks',
        [{ cacheGroupId: await group(), fallbackId: await nyc(), fallbackOrder: 2 }],
      ],
    ],
    [
      'DELETE /cachegroup_fallbacks',
      async () => [`/cachegroup_fallbacks?cacheGroupId=${await group()}&fallbackId=${await nyc()}`],
    ],
    [
      'POST /profiles',
      async () => ['/profiles', { name: 'WRITTEN', description: 'd', type: 'ATS_PROFILE', cdn: await stream() }],
    ],
    [
      'PUT /profiles/:id',
      async () => [
        `/profiles/${await profile()}`,
        { name: 'WRITTEN', description: 'd2', type: 'ATS_PROFILE', cdn: await stream() },
      ],
    ],
    ['POST /profiles/name/:profile_name/copy/:profile_copy_from', async () => ['/profiles/name/COPY/copy/EDGE_ATS9']],
    [
      'POST /profiles/import',
      async () => [
        '/profiles/import',
        {
          profile: { name: 'IMPORTED', description: 'd', type: 'ATS_PROFILE', cdn: 'stream' },
          parameters: [{ name: 'imported', config_file: 'written.config', value: 'v' }],
        },
      ],
    ],
    ['POST /parameters', async () => ['/parameters', parameterBody('written')]],
    [
      'POST /import',
      async () => ['/import', { parameters: [parameterBody('unused')].map(({ secure: _, ...p }) => p) }],
    ],
    ['PUT /parameters/:id', async () => [`/parameters/${await parameter()}`, { value: 'v2' }]],
    ['POST /profiles/:id/parameters', async () => [`/profiles/${await profile()}/parameters`, parameterBody('second')]],
    [
      'POST /profiles/id/:id/parameters',
      async () => [`/profiles/id/${await profile()}/parameters`, parameterBody('third')],
    ],
    [
      'POST /profiles/name/:name/parameters',
      async () => ['/profiles/name/WRITTEN/parameters', parameterBody('fourth')],
    ],
    [
      'POST /profileparameters',
      async () => ['/profileparameters', { profileId: await profile(), parameterId: await parameter() }],
    ],
    [
      'DELETE /profileparameters/:profile_id/:parameter_id',
      async () => [`/profileparameters/${await profile()}/${await parameter()}`],
    ],
    [
      'POST /profileparameter',
      async () => ['/profileparameter', { profileId: await profile(), paramIds: [await parameter()] }],
    ],
    [
      'POST /parameterprofile',
      async () => ['/parameterprofile', { paramId: await parameter(), profileIds: [await profile('COPY')] }],
    ],
    [
      'POST /cachegroupparameters',
      async () => ['/cachegroupparameters', { cacheGroupId: await group(), parameterId: await parameter() }],
    ],
    [
      'DELETE /cachegroupparameters/:cachegroup_id/:parameter_id',
      async () => [`/cachegroupparameters/${await group()}/${await parameter()}`],
    ],
    ['DELETE /parameters/:id', async () => [`/parameters/${await parameter('unused')}`]],
    ['DELETE /profiles/:id', async () => [`/profiles/${await profile('IMPORTED')}`]],
    ['POST /servers', async () => ['/servers', await server()]],
    [
      'PUT /servers/:id',
      async () => [`/servers/${await id('/servers', 'hostName=written')}`, { ...(await server()), rack: 'R1' }],
    ],
    [
      'POST /servers/:id/deliveryservices',
      async () => [`/servers/${await id('/servers', 'hostName=written')}/deliveryservices`, [await vod()]],
    ],
    ['POST /servers/:id/queue_update', async () => [`/servers/${await chi()}/queue_update`, { action: 'queue' }]],
    ['POST /servers/queue_update', async () => ['/servers/queue_update', { action: 'queue', type: 'MID' }]],
    ['POST /cdns/:id/queue_update', async () => [`/cdns/${await stream()}/queue_update`, { action: 'queue' }]],
    ['POST /update/:host', async () => ['/update/edge-chi-01', { updated: 0 }]],
    [
      'PUT /servers/:id/status',
      async () => [`/servers/${await chi()}/status`, { status: 'ADMIN_DOWN', offlineReason: 'tested' }],
    ],
    [
      'POST /to_extensions',
      async () => [
        '/to_extensions',
        { ...extension, name: 'W', servercheck_short_name: 'W', type: 'CHECK_EXTENSION_BOOL' },
      ],
    ],
    ['POST /servercheck', async () => ['/servercheck', { id: await chi(), servercheck_short_name: 'W', value: 1 }]],
    ['POST /to_extensions/:id/delete', async () => [`/to_extensions/${await id('/to_extensions', 'name=W')}/delete`]],
    [
      'POST /stats_summary/create',
      async () => ['/stats_summary/create', { statName: 's', statValue: 1, statDate: '2026-01-01' }],
    ],
    ['POST /deliveryservices', async () => ['/deliveryservices', await service('written')]],
    [
      'PUT /deliveryservices/:id',
      async () => [
        `/deliveryservices/${await id('/deliveryservices', 'xmlId=written')}`,
        { ...(await service('written')), longDesc: 'changed' },
      ],
    ],
    [
      'PUT /deliveryservices/:id/safe',
      async () => [`/deliveryservices/${await vod()}/safe`, { displayName: 'changed' }],
    ],
    [
      'POST /deliveryservices/:dsId/regexes',
      async () => [await regexes(), { pattern: '.*\\.written\\..*', type: await typeOf('HOST_REGEXP'), setNumber: 9 }],
    ],
    [
      'PUT /deliveryservices/:dsId/regexes/:id',
      async () => [
        `${await regexes()}/${(await find(await regexes())).id}`,
        { pattern: '.*\\.rewritten\\..*', type: await typeOf('HOST_REGEXP'), setNumber: 9 },
      ],
    ],
    [
      'DELETE /deliveryservices/:dsId/regexes/:id',
      async () => [`${await regexes()}/${(await find(await regexes())).id}`],
    ],
    [
      'POST /deliveryserviceserver',
      async () => [
        '/deliveryserviceserver',
        { dsId: await id('/deliveryservices', 'xmlId=written'), servers: [await chi()] },
      ],
    ],
    [
      'DELETE /deliveryservice_server/:dsId/:serverId',
      async () => [`/deliveryservice_server/${await id('/deliveryservices', 'xmlId=written')}/${await chi()}`],
    ],
    [
      'POST /deliveryservices/:xml_id/servers',
      async () => ['/deliveryservices/written/servers', { serverNames: ['edge-chi-02'] }],
    ],
    [
      'POST /origins',
      async () => ['/origins', { name: 'o', fqdn: 'o.example.org', protocol: 'http', deliveryServiceId: await vod() }],
    ],
    [
      'PUT /origins',
      async () => [
        `/origins?id=${await id('/origins', 'name=o')}`,
        { name: 'o', fqdn: 'p.example.org', protocol: 'http', deliveryServiceId: await vod() },
      ],
    ],
    [
      'DELETE /origins',
      async () => {
        const body = { name: 'q', fqdn: 'o.example.org', protocol: 'http', deliveryServiceId: await vod() }
        await client.ok('POST', '/api/1.3/origins', body)
        return [`/origins?id=${await id('/origins', 'name=q')}`]
      },
    ],
    ['DELETE /origin', async () => [`/origin?id=${await id('/origins', 'name=o')}`]],
    [
      'POST /staticdnsentries',
      async () => [
        '/staticdnsentries',
        {
          host: 'static',
          address: '192.0.2.1',
          typeId: await typeOf('A_RECORD'),
          ttl: 60,
          deliveryserviceId: await vod(),
        },
      ],
    ],
    [
      'PUT /staticdnsentries',
      async () => [
        `/staticdnsentries?id=${await id('/staticdnsentries', 'host=static')}`,
        {
          host: 'static',
          address: '192.0.2.2',
          typeId: await typeOf('A_RECORD'),
          ttl: 60,
          deliveryserviceId: await vod(),
        },
      ],
    ],
    ['DELETE /staticdnsentries', async () => [`/staticdnsentries?id=${await id('/staticdnsentries', 'host=static')}`]],
    [
      'POST /deliveryservices/sslkeys/generate',
      async () => ['/deliveryservices/sslkeys/generate', { ...written, version: '1', ...subject }],
    ],
    [
      'POST /deliveryservices/sslkeys/add',
      async () => [
        '/deliveryservices/sslkeys/add',
        { ...written, version: '2', certificate: await certificate('written') },
      ],
    ],
    ...(['GET', 'DELETE'] as const).map(
      (method): Line => [
        `${method} /deliveryservices/xmlId/:xmlId/sslkeys/delete`,
        async () => {
          const again = { ...written, version: '2', certificate: await certificate('written') }
          await client.request('POST', '/api/1.3/deliveryservices/sslkeys/add', again)
          return ['/deliveryservices/xmlId/written/sslkeys/delete?version=2']
        },
      ],
    ),
    ['DELETE /deliveryservices/xmlId/:xmlId/sslkeys', async () => ['/deliveryservices/xmlId/written/sslkeys']],
    [
      'POST /deliveryservices/xmlId/:xmlId/urlkeys/generate',
      async () => ['/deliveryservices/xmlId/vod/urlkeys/generate'],
    ],
    [
      'POST /deliveryservices/xmlId/:xmlId/urlkeys/copyFromXmlId/:copyFromXmlId',
      async () => ['/deliveryservices/xmlId/written/urlkeys/copyFromXmlId/vod'],
    ],
    ['POST /deliveryservices/:xmlId/urisignkeys', async () => ['/deliveryservices/written/urisignkeys', signing('a')]],
    ['PUT /deliveryservices/:xmlId/urisignkeys', async () => ['/deliveryservices/written/urisignkeys', signing('b')]],
    ['DELETE /deliveryservices/:xmlId/urisignkeys', async () => ['/deliveryservices/written/urisignkeys']],
    [
      'POST /cdns/dnsseckeys/generate',
      async () => ['/cdns/dnsseckeys/generate', { ...dnssec, zskExpirationDays: '30' }],
    ],
    [
      'POST /deliveryservices/dnsseckeys/generate',
      async () => ['/deliveryservices/dnsseckeys/generate', { ...dnssec, zskExpirationDays: '31' }],
    ],
    ['DELETE /cdns/name/:name/dnsseckeys', async () => ['/cdns/name/stream/dnsseckeys']],
    ...(['GET', 'DELETE'] as const).map(
      (method): Line => [
        `${method} /cdns/name/:name/dnsseckeys/delete`,
        async () => {
          await client.ok('POST', '/api/1.3/cdns/dnsseckeys/generate', { ...dnssec, zskExpirationDays: '30' })
          return ['/cdns/name/stream/dnsseckeys/delete']
        },
      ],
    ),
    ['PUT /snapshot/:name', async () => ['/snapshot/stream?force=true']],
    [
      'PUT /snapshot/:name',
      async () => {
        await client.ok('PUT', `/api/1.3/servers/${await chi()}/status`, { status: 'ONLINE' })
        return ['/snapshot/stream?force=true']
      },
    ],
    [
      'POST /cdns/:name/snapshots/:version/activate',
      async () => [`/cdns/stream/snapshots/${Math.min(...(await versions()).map(({ version }) => version))}/activate`],
    ],
    [
      'DELETE /cdns/:name/snapshots/:version',
      async () => [`/cdns/stream/snapshots/${Math.max(...(await versions()).map(({ version }) => version))}`],
    ],
    ['PUT /cdns/:id/snapshot', async () => [`/cdns/${await id('/cdns', 'name=classic')}/snapshot?force=true`]],
    [
      'POST /user/current/jobs',
      async () => [
        '/user/current/jobs',
        { dsId: await vod(), regex: '/x', startTime: new Date().toISOString(), ttl: 24 },
      ],
    ],
    [
      'DELETE /deliveryservices/:id',
      async () => [`/deliveryservices/${await id('/deliveryservices', 'xmlId=written')}`],
    ],
    ['DELETE /servers/:id', async () => [`/servers/${await id('/servers', 'hostName=written')}`]],
    ['POST /statuses', async () => ['/statuses', { name: 'WRITTEN', description: 'd' }]],
    ['PUT /statuses/:id', async () => [`/statuses/${await id('/statuses', 'name=WRITTEN')}`, { name: 'WRITTEN2' }]],
    ['DELETE /statuses/:id', async () => [`/statuses/${await id('/statuses', 'name=WRITTEN2')}`]],
    ['POST /types', async () => ['/types', { name: 'EDGE_W', description: 'd', useInTable: 'server' }]],
    [
      'PUT /types/:id',
      async () => [`/types/${await typeOf('EDGE_W')}`, { name: 'EDGE_W', description: 'e', useInTable: 'server' }],
    ],
    ['DELETE /types/:id', async () => [`/types/${await typeOf('EDGE_W')}`]],
    [
      'POST /tenants',
      async () => ['/tenants', { name: 'w', active: true, parentId: await id('/tenants', 'name=root') }],
    ],
    [
      'PUT /tenants/:id',
      async () => [
        `/tenants/${await id('/tenants', 'name=w')}`,
        { name: 'w', active: false, parentId: await id('/tenants', 'name=root') },
      ],
    ],
    ['DELETE /tenants/:id', async () => [`/tenants/${await id('/tenants', 'name=w')}`]],
    ['POST /roles', async () => ['/roles', { name: 'w', description: 'd', privLevel: 10, capabilities: [] }]],
    [
      'PUT /roles',
      async () => [
        `/roles?id=${await id('/roles', 'name=w')}`,
        { name: 'w', description: 'e', privLevel: 10, capabilities: [] },
      ],
    ],
    ['DELETE /roles', async () => [`/roles?id=${await id('/roles', 'name=w')}`]],
    ['POST /capabilities', async () => ['/capabilities', { name: 'w', description: 'd' }]],
    ['PUT /capabilities/:name', async () => ['/capabilities/w', { description: 'e' }]],
    [
      'POST /api_capabilities',
      async () => ['/api_capabilities', { httpMethod: 'GET', httpRoute: 'w', capability: 'w' }],
    ],
    [
      'PUT /api_capabilities/:id',
      async () => [
        `/api_capabilities/${await id('/api_capabilities', 'capability=w')}`,
        { httpMethod: 'PUT', httpRoute: 'w', capability: 'w' },
      ],
    ],
    [
      'DELETE /api_capabilities/:id',
      async () => [`/api_capabilities/${await id('/api_capabilities', 'capability=w')}`],
    ],
    ['DELETE /capabilities/:name', async () => ['/capabilities/w']],
    [
      'POST /users',
      async () => [
        '/users',
        {
          username: 'written',
          email: 'w@example.net',
          fullName: 'W',
          role: await id('/roles', 'name=portal'),
          tenantId: await id('/tenants', 'name=root'),
          ...password,
        },
      ],
    ],
    [
      'PUT /users/:id',
      async () => [
        `/users/${await user()}`,
        {
          username: 'written',
          email: 'w@example.net',
          fullName: 'W W',
          role: await id('/roles', 'name=portal'),
          tenantId: await id('/tenants', 'name=root'),
        },
      ],
    ],
    [
      'POST /users/register',
      async () => [
        '/users/register',
        {
          email: 'r@example.net',
          role: await id('/roles', 'name=read-only'),
          tenantId: await id('/tenants', 'name=root'),
        },
      ],
    ],
    ['PUT /user/current', async () => ['/user/current', { user: { company: 'W' } }]],
    ['POST /user/current/update', async () => ['/user/current/update', { user: { company: 'X' } }]],
    ['POST /tokens', async () => ['/tokens', { description: 'w', scopes: ['read'] }]],
    ['DELETE /tokens/:id', async () => [`/tokens/${(await find('/tokens')).id}`]],
    [
      'POST /deliveryservice_user',
      async () => ['/deliveryservice_user', { userId: await user(), deliveryServices: [await vod()] }],
    ],
    [
      'DELETE /deliveryservice_user/:dsId/:userId',
      async () => [`/deliveryservice_user/${await vod()}/${await user()}`],
    ],
    ['POST /cdns/:name/federations', async () => ['/cdns/stream/federations', { cname: 'w.example.com.', ttl: 60 }]],
    [
      'POST /federations/:id/deliveryservices',
      async () => [`/federations/${await federation()}/deliveryservices`, { dsIds: [await vod()] }],
    ],
    [
      'POST /federation_resolvers',
      async () => ['/federation_resolvers', { ipAddress: '192.0.2.0/25', typeId: await typeOf('RESOLVE4') }],
    ],
    [
      'POST /federations/:id/federation_resolvers',
      async () => [
        `/federations/${await federation()}/federation_resolvers`,
        { fedResolverIds: [(await find('/federation_resolvers', 'ipAddress=192.0.2.0/25')).id] },
      ],
    ],
    [
      'DELETE /federation_resolvers/:id',
      async () => [`/federation_resolvers/${(await find('/federation_resolvers', 'ipAddress=192.0.2.0/25')).id}`],
    ],
    [
      'POST /federations/:id/users',
      async () => [`/federations/${await federation()}/users`, { userIds: [await me(), await user()] }],
    ],
    ['DELETE /federations/:id/users/:userId', async () => [`/federations/${await federation()}/users/${await user()}`]],
    ['POST /federations', async () => ['/federations', mappings('192.0.2.1')]],
    ['PUT /federations', async () => ['/federations', mappings('192.0.2.2')]],
    ['DELETE /federations', async () => ['/federations']],
    [
      'DELETE /federations/:id/deliveryservices/:dsId',
      async () => {
        const at = `/federations/${await federation()}/deliveryservices`
        await client.ok('POST', `/api/1.3${at}`, { dsIds: [await id('/deliveryservices', 'xmlId=trailers')] })
        return [`${at}/${await vod()}`]
      },
    ],
    [
      'PUT /cdns/:name/federations/:id',
      async () => [
        `/cdns/stream/federations/${await federation()}`,
        { cname: 'v.example.com.', ttl: 61, description: 'changed' },
      ],
    ],
    ['DELETE /cdns/:name/federations/:id', async () => [`/cdns/stream/federations/${await federation()}`]],
    ['POST /steering/:dsId/targets', async () => [await targets(), await weight(1)]],
    ['PUT /steering/:dsId/targets/:targetId', async () => [`${await targets()}/${await vod()}`, await weight(2)]],
    ['DELETE /steering/:dsId/targets/:targetId', async () => [`${await targets()}/${await vod()}`]],
    [
      'DELETE /divisions/name/:name',
      async () => {
        await client.ok('POST', '/api/1.3/divisions', { name: 'gone' })
        return ['/divisions/name/gone']
      },
    ],
    [
      'DELETE /regions/name/:name',
      async () => {
        await client.ok('POST', '/api/1.3/divisions/written2/regions', { name: 'gone' })
        return ['/regions/name/gone']
      },
    ],
    [
      'DELETE /cdns/name/:name',
      async () => {
        await client.ok('POST', '/api/1.3/cdns', { name: 'gone', domainName: 'gone.example', dnssecEnabled: false })
        return ['/cdns/name/gone']
      },
    ],
    [
      'DELETE /divisions/:id',
      async () => [`/divisions/${(await client.ok('POST', '/api/1.3/divisions', { name: 'gone' })).body.response.id}`],
    ],
    ['DELETE /regions/:id', async () => [`/regions/${await id('/regions', 'name=other2')}`]],
    ['DELETE /phys_locations/:id', async () => [`/phys_locations/${await id('/phys_locations', 'name=store')}`]],
    ['DELETE /cachegroups/:id', async () => [`/cachegroups/${await group()}`]],
    ['DELETE /cdns/:id', async () => [`/cdns/${await cdn()}`]],
  ]
}
