/** What is found at a place of an answer: `response.0.id`. */
export type Shape = Readonly<Record<string, 'string' | 'number' | 'boolean' | 'array' | 'object' | 'null'>>

/** One request of a program and what it reads of the answer. `$name` stands for what an earlier step kept. */
export interface Step {
  readonly send: string
  /** What the body is called; a program that calls it nothing has none. */
  readonly type?: string
  readonly body?: string | Readonly<Record<string, unknown>>
  readonly headers?: Readonly<Record<string, string>>
  readonly reads?: Shape
  /** Name → place in the answer; `etag` is the header. */
  readonly keep?: Readonly<Record<string, string>>
  /** Sends the record that was kept, with these fields changed. */
  readonly record?: readonly [name: string, changes: Readonly<Record<string, unknown>>]
  /** Text that the program looks for. */
  readonly has?: string
}

const json = 'application/json'
const form = 'application/x-www-form-urlencoded'
const portalDelete = 'text/plain;charset=UTF-8'
const login = (version: string, type: string): Step => ({
  send: `POST /api/${version}/user/login`,
  type,
  body: { u: '$user', p: '$password' },
  has: '"text":"Successfully logged in.","level":"success"',
})
const monitor = (version: string, servers: string): readonly Step[] => [
  login(version, json),
  {
    send: `GET /api/${version}/${servers}`,
    reads: { 'response.0.hostName': 'string', 'response.0.cdnName': 'string' },
  },
  {
    send: 'GET /CRConfig-Snapshots/stream/CRConfig.json',
    reads: { 'stats.CDN_name': 'string', 'stats.date': 'number', contentServers: 'object' },
  },
  {
    send: `GET /api/${version}/cdns/stream/configs/monitoring.json`,
    reads: {
      'response.config': 'object',
      'response.trafficServers': 'array',
      'response.deliveryServices.0.totalTpsThreshold': 'number',
    },
  },
]

/** A form of the portal: the list, the record, two saves with the ETag of the first read, and the record sent along to be deleted. */
const portalForm = (
  kind: string,
  made: Readonly<Record<string, unknown>>,
  field: string,
  values: readonly [unknown, unknown],
): readonly Step[] => [
  { send: `POST /api/1.3/${kind}`, type: json, body: made, keep: { id: 'response.id' } },
  { send: `GET /api/1.3/${kind}?orderby=id`, reads: { response: 'array' } },
  {
    send: `GET /api/1.3/${kind}?id=$id`,
    keep: { record: 'response.0', etag: 'etag' },
    reads: { 'response.0.lastUpdated': 'string' },
  },
  ...values.map(
    (value): Step => ({
      send: `PUT /api/1.3/${kind}/$id`,
      type: json,
      headers: { 'if-match': '$etag' },
      record: ['record', { [field]: value }],
    }),
  ),
  { send: `DELETE /api/1.3/${kind}/$id`, type: portalDelete, record: ['record', {}] },
]

/** What each program of the field sends, in its order, on the sample CDN. The cache agent is in `test/clients.test.ts`. */
export const replays: Readonly<Record<string, readonly Step[]>> = {
  'Traffic Monitor 2.2': monitor('1.2', 'servers.json'),
  'Traffic Monitor 3.0': monitor('1.3', 'servers'),
  'cache agent 2.2': [
    { send: 'POST /login', type: form, body: 'u=$user&p=$password' },
    { send: 'GET /api/1.2/system/info.json', reads: { 'response.parameters': 'object' } },
    {
      send: 'GET /api/1.2/servers/edge-nyc-01/configfiles/ats',
      reads: { 'info.profileName': 'string', 'configFiles.0.fnameOnDisk': 'string' },
    },
    { send: 'GET /ort/edge-nyc-01/packages', reads: { '': 'array' } },
    { send: 'GET /ort/edge-nyc-01/chkconfig', reads: { '': 'array' } },
    { send: 'POST /update/edge-nyc-01', type: form, body: 'updated=0&reval_updated=0' },
  ],
  'cache agent 3.0': [
    login('1.3', form),
    {
      send: 'GET /api/1.3/servers/edge-nyc-01/update_status',
      reads: { '0.host_id': 'number', '0.upd_pending': 'boolean', '0.use_reval_pending': 'boolean' },
    },
    { send: 'GET /api/1.2/statuses', reads: { 'response.0.name': 'string' } },
    { send: 'GET /api/1.2/cdns/name/stream/sslkeys.json', reads: { response: 'array' } },
  ],
  'atstccfg 4.1': [
    login('1.3', json),
    {
      send: 'GET /api/1.3/servers',
      reads: { 'response.0.id': 'number', 'response.0.tcpPort': 'number', 'response.0.cdnId': 'number' },
    },
    { send: 'GET /api/1.3/cachegroups', reads: { 'response.0.id': 'number', 'response.0.name': 'string' } },
    { send: 'GET /api/1.3/cdns', reads: { 'response.0.domainName': 'string' } },
    {
      send: 'GET /api/1.3/deliveryservices',
      reads: { 'response.0.xmlId': 'string', 'response.0.active': 'boolean', 'response.0.protocol': 'number' },
    },
    {
      send: 'GET /api/1.3/deliveryserviceserver?limit=999999',
      reads: { 'response.0.deliveryService': 'number', 'response.0.server': 'number' },
    },
    { send: 'GET /api/1.3/deliveryservices_regexes', reads: { response: 'array' } },
    {
      send: 'GET /api/1.3/profiles/name/EDGE_ATS9/parameters',
      reads: { 'response.0.name': 'string', 'response.0.configFile': 'string' },
    },
  ],
  'Python client': [
    login('1.3', json),
    { send: 'GET /api/1.3/cdns', reads: { 'response.0.id': 'number' } },
    { send: 'POST /api/1.3/divisions', type: json, body: { name: 'of python' }, keep: { id: 'response.id' } },
    { send: 'PUT /api/1.3/divisions/$id', type: json, body: { name: 'of python 2' } },
    { send: 'DELETE /api/1.3/divisions/$id' },
    { send: 'POST /api/1.3/user/logout', type: json, body: {} },
  ],
  'web portal': [
    login('1.3', json),
    { send: 'GET /api/1.3/user/current', reads: { 'response.id': 'number', 'response.roleName': 'string' } },
    { send: 'GET /api/1.3/users', reads: { 'response.0.rolename': 'string' } },
    { send: 'GET /api/1.3/profiles?name=EDGE_ATS9', keep: { profile: 'response.0.id' } },
    { send: 'GET /api/1.3/profiles/$profile?includeParams=true', reads: { 'response.0.params': 'array' } },
    {
      send: 'POST /api/1.3/profiles/name/OF_PORTAL/copy/EDGE_ATS9',
      type: json,
      body: {},
      reads: { 'response.id': 'number' },
      keep: { copy: 'response.id' },
    },
    { send: 'DELETE /api/1.3/profiles/$copy', type: portalDelete, body: { id: 1 } },
    ...portalForm('divisions', { name: 'of portal' }, 'name', ['of portal 2', 'of portal 3']),
    ...portalForm('cdns', { name: 'of-portal', domainName: 'portal.example.net', dnssecEnabled: false }, 'domainName', [
      'p2.example.net',
      'p3.example.net',
    ]),
    ...portalForm('statuses', { name: 'OF_PORTAL', description: '' }, 'description', ['once', 'again']),
    ...portalForm('parameters', { name: 'of.portal', configFile: 'x', value: '1', secure: false }, 'value', [
      '2',
      '0:off\t1:off',
    ]).map((step) => (step.keep?.id ? { ...step, keep: { id: 'response.0.id' } } : step)),
    { send: 'GET /api/1.3/cdns?name=stream', keep: { cdn: 'response.0.id' } },
    {
      send: 'POST /api/1.3/cdns/stream/federations',
      type: json,
      body: { cname: 'portal.example.net.', ttl: 60 },
      keep: { id: 'response.id' },
    },
    { send: 'GET /api/1.3/cdns/stream/federations/$id', keep: { record: 'response.0', etag: 'etag' } },
    ...[61, 62].map(
      (ttl): Step => ({
        send: 'PUT /api/1.3/cdns/stream/federations/$id',
        type: json,
        headers: { 'if-match': '$etag' },
        record: ['record', { ttl }],
      }),
    ),
    { send: 'DELETE /api/1.3/cdns/$cdn/federations/$id', type: portalDelete, record: ['record', {}] },
    ...['cdns/capacity', 'cdns/health', 'cdns/routing', 'current_stats'].map(
      (path): Step => ({ send: `GET /api/1.3/${path}` }),
    ),
  ],
  'Traffic Router 3.0': [
    login('1.3', form),
    {
      send: 'GET /api/1.3/cdns/name/stream/sslkeys.json',
      headers: { 'if-modified-since': 'Tue, 01 Jan 2199 00:00:00 GMT' },
      reads: { response: 'array' },
    },
    { send: 'GET /api/1.3/cdns/name/stream/dnsseckeys.json', reads: { response: 'object' } },
    { send: 'GET /internal/api/1.3/federations.json', reads: { response: 'array' } },
    { send: 'GET /internal/api/1.3/steering.json', reads: { response: 'array' } },
  ],
  'Traffic Stats': [
    login('1.3', json),
    { send: 'GET /api/1.3/servers', reads: { 'response.0.type': 'string' } },
    {
      send: 'POST /api/1.3/stats_summary/create',
      type: json,
      body: {
        cdnName: 'stream',
        deliveryServiceName: 'all',
        statName: 'daily_maxgbps',
        statValue: '54.00',
        summaryTime: '2026-01-02T00:00:00Z',
        statDate: '2026-01-01',
      },
    },
    {
      send: 'GET /api/1.3/stats_summary.json?lastSummaryDate=true?statName=daily_maxgbps',
      reads: { 'response.summaryTime': 'string' },
    },
  ],
  'somebody with curl': [
    login('1.3', form),
    { send: 'POST /api/1.3/divisions', type: form, body: { name: 'of curl' }, keep: { id: 'response.id' } },
    { send: 'PUT /api/1.3/divisions/$id', type: form, body: { name: 'of curl 2' } },
    { send: 'DELETE /api/1.3/divisions/$id', type: form, body: 'anything' },
    { send: 'POST /api/1.3/user/logout', type: form, body: '' },
  ],
}
