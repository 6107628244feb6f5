/** A capability per area and direction, and the few that stand alone (beyond.md §1.5). */
export function capabilities() {
  const paired = Object.entries(areas).flatMap(([area, { what }]) => [
    { name: `${area}-read`, description: `Can read ${what}` },
    { name: `${area}-write`, description: `Can change ${what}` },
  ])
  const single = Object.entries(singles).map(([name, { what }]) => ({ name, description: `Can ${what}` }))
  return [...paired, ...single]
}

/** Which capability a call needs. Routes carry no version prefix; `*` stands for one path segment. */
export function apiCapabilities() {
  const paired = Object.entries(areas).flatMap(([area, { routes }]) =>
    expand(routes, (method) => `${area}-${method === 'GET' ? 'read' : 'write'}`),
  )
  const single = Object.entries(singles).flatMap(([name, { routes }]) => expand(routes, () => name))
  return [...paired, ...single]
}

/** The roles, with the privilege level that decides what they may do. */
export function roles() {
  const all = capabilities().map(({ name }) => name)
  const reads = all.filter((name) => name.endsWith('-read') && !name.includes('security-keys'))
  const withAuth = (names: readonly string[]) => ['auth', ...names]
  const portal = withAuth([...reads, 'delivery-service-requests-write', 'jobs-write', 'delivery-services-write'])
  return [
    { name: 'disallowed', description: 'Cannot log in', privLevel: 0, capabilities: [] },
    { name: 'read-only', description: 'Reads everything but secrets', privLevel: 10, capabilities: withAuth(reads) },
    {
      name: 'ort',
      description: 'The cache agent',
      privLevel: 11,
      capabilities: withAuth([...reads, 'servers-write']),
    },
    { name: 'portal', description: 'Manages its own delivery services', privLevel: 15, capabilities: portal },
    {
      name: 'federation',
      description: 'Manages its own federations',
      privLevel: 15,
      capabilities: withAuth([...reads, 'federations-write']),
    },
    {
      name: 'steering',
      description: 'Manages its own steering targets',
      privLevel: 15,
      capabilities: withAuth([...reads, 'steering-write', 'steering-targets-write']),
    },
    {
      name: 'operations',
      description: 'Runs the CDN',
      privLevel: 20,
      capabilities: all.filter((name) => !adminOnly.has(name)),
    },
    { name: 'admin', description: 'May do everything', privLevel: 30, capabilities: all },
  ]
}

const adminOnly = new Set([
  'api-endpoints-write',
  'capabilities-write',
  'cdn-security-keys-read',
  'cdn-security-keys-write',
  'db-dump',
  'riak',
  'roles-write',
])

/** Path to methods; `CRUD` is a list with its records: GET and POST on the path, GET, PUT and DELETE below it. */
type Routes = Readonly<Record<string, string>>

const areas: Readonly<Record<string, { readonly what: string; readonly routes: Routes }>> = {
  'api-endpoints': { what: 'the capabilities that calls need', routes: { api_capabilities: 'CRUD' } },
  asns: { what: 'autonomous system numbers', routes: { asns: 'CRUD' } },
  'cache-groups': {
    what: 'cache groups and their fallbacks',
    routes: {
      cachegroups: 'CRUD',
      'cachegroups/trimmed': 'GET',
      'cachegroups/*/queue_update': 'POST',
      'cachegroups/*/deliveryservices': 'POST',
      'cachegroups/*/parameters': 'GET',
      'cachegroups/*/unassigned_parameters': 'GET',
      'cachegroups/*/parameter/available': 'GET',
      'cachegroup/*/parameter': 'GET',
      cachegroupparameters: 'GET POST',
      'cachegroupparameters/*/*': 'DELETE',
      cachegroup_fallbacks: 'GET POST PUT DELETE',
    },
  },
  capabilities: { what: 'capabilities', routes: { capabilities: 'CRUD' } },
  cdns: {
    what: 'CDNs, their health and their configuration',
    routes: {
      cdns: 'CRUD',
      'cdns/name/*': 'GET DELETE',
      'cdns/*/queue_update': 'POST',
      'cdns/health': 'GET',
      'cdns/*/health': 'GET',
      'cdns/capacity': 'GET',
      'cdns/routing': 'GET',
      'cdns/domains': 'GET',
      'cdns/configs': 'GET',
      'cdns/*/configs': 'GET',
      'cdns/*/configs/monitoring': 'GET',
      'cdns/*/configs/routing': 'GET',
      'cdns/usage/overview': 'GET',
      'cdns/metric_types/*/start_date/*/end_date/*': 'GET',
    },
  },
  'cdn-security-keys': {
    what: 'the keys of a CDN',
    routes: {
      'cdns/name/*/dnsseckeys': 'GET DELETE',
      'cdns/name/*/dnsseckeys/delete': 'GET',
      'cdns/name/*/sslkeys': 'GET',
      'cdns/dnsseckeys/generate': 'POST',
      'deliveryservices/dnsseckeys/generate': 'POST',
    },
  },
  coordinates: { what: 'coordinates', routes: { coordinates: 'GET POST PUT DELETE' } },
  'delivery-services': {
    what: 'delivery services',
    routes: {
      deliveryservices: 'CRUD',
      'deliveryservices/*/safe': 'PUT',
      'deliveryservices/*/state': 'GET',
      'deliveryservices/*/health': 'GET',
      'deliveryservices/*/capacity': 'GET',
      'deliveryservices/*/routing': 'GET',
      deliveryservices_regexes: 'GET',
      'deliveryservices/*/regexes': 'CRUD',
      deliveryservice_matches: 'GET',
      deliveryservice_user: 'POST',
      'deliveryservice_user/*/*': 'DELETE',
    },
  },
  'delivery-service-security-keys': {
    what: 'the keys of delivery services',
    routes: {
      'deliveryservices/sslkeys/add': 'POST',
      'deliveryservices/sslkeys/generate': 'POST',
      'deliveryservices/xmlId/*/sslkeys': 'GET DELETE',
      'deliveryservices/xmlId/*/sslkeys/delete': 'GET',
      'deliveryservices/hostname/*/sslkeys': 'GET',
      'deliveryservices/xmlId/*/urlkeys': 'GET',
      'deliveryservices/*/urlkeys': 'GET',
      'deliveryservices/xmlId/*/urlkeys/generate': 'POST',
      'deliveryservices/xmlId/*/urlkeys/copyFromXmlId/*': 'POST',
      'deliveryservices/*/urisignkeys': 'GET POST PUT DELETE',
    },
  },
  'delivery-service-requests': {
    what: 'requests for delivery service changes',
    routes: {
      deliveryservice_requests: 'GET POST PUT DELETE',
      'deliveryservice_requests/*/assign': 'PUT',
      'deliveryservice_requests/*/status': 'PUT',
      deliveryservice_request_comments: 'GET POST PUT DELETE',
      'deliveryservices/request': 'POST',
    },
  },
  'delivery-service-servers': {
    what: 'which servers carry a delivery service',
    routes: {
      deliveryserviceserver: 'GET POST',
      'deliveryservice_server/*/*': 'DELETE',
      'deliveryservices/*/servers': 'GET POST',
      'deliveryservices/*/unassigned_servers': 'GET',
      'deliveryservices/*/servers/eligible': 'GET',
      'servers/*/deliveryservices': 'GET POST',
    },
  },
  divisions: {
    what: 'divisions',
    routes: { divisions: 'CRUD', 'divisions/name/*': 'GET DELETE', 'divisions/*/regions': 'POST' },
  },
  'to-extensions': {
    what: 'extensions',
    routes: { to_extensions: 'GET POST', 'to_extensions/*/delete': 'POST', servercheck: 'POST' },
  },
  federations: {
    what: 'federations',
    routes: {
      federations: 'GET POST PUT DELETE',
      'cdns/*/federations': 'CRUD',
      'federations/*/users': 'GET POST',
      'federations/*/users/*': 'DELETE',
      'federations/*/deliveryservices': 'GET POST',
      'federations/*/deliveryservices/*': 'DELETE',
      'federations/*/federation_resolvers': 'GET POST',
      federation_resolvers: 'GET POST',
      'federation_resolvers/*': 'DELETE',
    },
  },
  jobs: {
    what: 'content invalidation jobs',
    routes: { jobs: 'GET', 'jobs/*': 'GET', 'user/current/jobs': 'GET POST' },
  },
  origins: { what: 'origins', routes: { origins: 'GET POST PUT DELETE', origin: 'DELETE' } },
  parameters: {
    what: 'parameters',
    routes: {
      parameters: 'CRUD',
      'parameters/validate': 'POST',
      'parameters/*/profiles': 'GET',
      'parameters/*/unassigned_profiles': 'GET',
      'parameters/profile/*': 'GET',
      parameterprofile: 'POST',
    },
  },
  'phys-locations': {
    what: 'physical locations',
    routes: { phys_locations: 'CRUD', 'phys_locations/trimmed': 'GET', 'regions/*/phys_locations': 'POST' },
  },
  profiles: {
    what: 'profiles',
    routes: {
      profiles: 'CRUD',
      'profiles/trimmed': 'GET',
      'profiles/*/parameters': 'GET POST',
      'profiles/*/unassigned_parameters': 'GET',
      'profiles/name/*/parameters': 'GET POST',
      'profiles/name/*/copy/*': 'POST',
      'profiles/*/export': 'GET',
      'profiles/import': 'POST',
      profileparameters: 'GET POST',
      'profileparameters/*/*': 'DELETE',
      profileparameter: 'POST',
    },
  },
  regions: { what: 'regions', routes: { regions: 'CRUD', 'regions/name/*': 'GET DELETE' } },
  roles: { what: 'roles', routes: { roles: 'GET POST PUT DELETE' } },
  servers: {
    what: 'servers',
    routes: {
      servers: 'CRUD',
      'servers/*/status': 'PUT',
      'servers/*/queue_update': 'POST',
      'servers/*/update_status': 'GET',
      'servers/details': 'GET',
      'servers/hostname/*/details': 'GET',
      'servers/checks': 'GET',
      'servers/status': 'GET',
      'servers/summary': 'GET',
      'servers/totals': 'GET',
    },
  },
  stats: {
    what: 'statistics',
    routes: {
      stats_summary: 'GET',
      'stats_summary/create': 'POST',
      'caches/stats': 'GET',
      cache_stats: 'GET',
      current_stats: 'GET',
      deliveryservice_stats: 'GET',
      'traffic_monitor/stats': 'GET',
    },
  },
  statuses: { what: 'statuses', routes: { statuses: 'CRUD' } },
  'static-dns-entries': { what: 'static DNS entries', routes: { staticdnsentries: 'GET POST PUT DELETE' } },
  steering: { what: 'steering', routes: { steering: 'GET', 'steering/*': 'GET PUT' } },
  'steering-targets': { what: 'steering targets', routes: { 'steering/*/targets': 'CRUD' } },
  tenants: { what: 'tenants', routes: { tenants: 'CRUD' } },
  types: { what: 'types', routes: { types: 'CRUD', 'types/trimmed': 'GET' } },
  users: {
    what: 'users',
    routes: {
      users: 'GET POST',
      'users/*': 'GET PUT',
      'users/*/deliveryservices': 'GET',
      'user/*/deliveryservices/available': 'GET',
    },
  },
}

const singles: Readonly<Record<string, { readonly what: string; readonly routes: Routes }>> = {
  auth: {
    what: 'log in and keep its own account',
    routes: {
      'user/login': 'POST',
      'user/login/token': 'POST',
      'user/logout': 'POST',
      'user/reset_password': 'POST',
      'user/current': 'GET PUT',
      'user/current/update': 'POST',
      ping: 'GET',
    },
  },
  'cache-config-files-read': {
    what: 'download the config files of caches',
    routes: {
      'servers/*/configfiles/cachesw': 'GET',
      'servers/*/configfiles/cachesw/*': 'GET',
      'profiles/*/configfiles/cachesw/*': 'GET',
      'cdns/*/configfiles/cachesw/*': 'GET',
    },
  },
  'change-logs-read': {
    what: 'read the change log',
    routes: { logs: 'GET', 'logs/*/days': 'GET', 'logs/newcount': 'GET' },
  },
  'hwinfo-read': { what: 'read hardware information', routes: { hwinfo: 'GET' } },
  'system-info-read': { what: 'read system information', routes: { 'system/info': 'GET', about: 'GET' } },
  'cdns-snapshot': {
    what: 'freeze the configuration that routers and monitors use',
    routes: { 'cdns/*/snapshot': 'GET PUT', 'cdns/*/snapshot/new': 'GET', 'snapshot/*': 'PUT' },
  },
  'iso-generate': { what: 'build installation images', routes: { osversions: 'GET', isos: 'POST' } },
  'db-dump': { what: 'dump the database', routes: { dbdump: 'GET' } },
  riak: {
    what: 'read the key store itself',
    routes: { 'riak/ping': 'GET', 'keys/ping': 'GET', 'riak/bucket/*/key/*/values': 'GET' },
  },
  'users-register': { what: 'invite users', routes: { 'users/register': 'POST' } },
}

function expand(routes: Routes, capabilityOf: (method: string) => string) {
  return Object.entries(routes).flatMap(([path, methods]) => {
    const calls = methods === 'CRUD' ? records(path) : methods.split(' ').map((method) => [method, path] as const)
    return calls.map(([httpMethod, httpRoute]) => ({ httpMethod, httpRoute, capability: capabilityOf(httpMethod) }))
  })
}

const records = (path: string) =>
  [
    ['GET', path],
    ['POST', path],
    ['GET', `${path}/*`],
    ['PUT', `${path}/*`],
    ['DELETE', `${path}/*`],
  ] as const
