import { seal } from '../compiler/core/vault.js'
import type { KindName, Model } from '../compiler/data/model.js'

/**
 * One tiny, complete CDN that all golden cases share: the worked example of config-files.md §10 on cache server 9,
 * and a second CDN whose records must not show up in the first one's files. Links that only the indexes see
 * (`profiles` of a parameter) are part of the records.
 */
export const smallCdn: readonly { kind: KindName; record: { id: number } }[] = []

const records = smallCdn as { kind: KindName; record: { id: number } }[]

function add<K extends KindName>(kind: K, ...added: (Model[K] & (K extends 'parameters' ? Linked : object))[]): void {
  for (const record of added) records.push({ kind, record })
}

interface Linked {
  readonly profiles: readonly number[]
}

const types = {
  EDGE: 'server',
  MID: 'server',
  ORG: 'server',
  RASCAL: 'server',
  CCR: 'server',
  EDGE_LOC: 'cachegroup',
  MID_LOC: 'cachegroup',
  ORG_LOC: 'cachegroup',
  HTTP: 'deliveryservice',
  HTTP_NO_CACHE: 'deliveryservice',
  HTTP_LIVE: 'deliveryservice',
  HTTP_LIVE_NATNL: 'deliveryservice',
  DNS: 'deliveryservice',
  DNS_LIVE: 'deliveryservice',
  DNS_LIVE_NATNL: 'deliveryservice',
  ANY_MAP: 'deliveryservice',
  STEERING: 'deliveryservice',
  CLIENT_STEERING: 'deliveryservice',
  HOST_REGEXP: 'regex',
  PATH_REGEXP: 'regex',
  HEADER_REGEXP: 'regex',
  A_RECORD: 'staticdnsentry',
} as const

/** The id of a type, 1 for the first above and so on. */
export const typeId = (name: keyof typeof types): number => Object.keys(types).indexOf(name) + 1

add('types', ...Object.entries(types).map(([name, useInTable], i) => ({ id: i + 1, name, useInTable })))

const statuses = ['ONLINE', 'REPORTED', 'OFFLINE', 'ADMIN_DOWN', 'PRE_PROD'] as const
add('statuses', ...statuses.map((name, i) => ({ id: i + 1, name })))

add('cdns', { id: 1, name: 'orb', domainName: 'orb.example.net', dnssecEnabled: false })
add('cdns', { id: 2, name: 'far', domainName: 'far.example.net', dnssecEnabled: false })

function group(id: number, name: string, type: keyof typeof types, primary: number | null, secondary: number | null) {
  add('cachegroups', {
    id,
    name,
    typeId: typeId(type),
    latitude: 40 + id,
    longitude: -100 - id,
    parentCachegroupId: primary,
    secondaryParentCachegroupId: secondary,
    fallbackToClosest: true,
    localizationMethods: [],
  })
}
group(1, 'org', 'ORG_LOC', null, null)
group(2, 'mE', 'MID_LOC', 1, null)
group(3, 'mW', 'MID_LOC', 1, null)
group(4, 'eA', 'EDGE_LOC', 2, 3)
add('cachegroupFallbacks', { id: 1, cacheGroupId: 4, fallbackId: 3, fallbackOrder: 1 })

const profiles = [
  ['EDGE', 'ATS_PROFILE', 1],
  ['MID', 'ATS_PROFILE', 1],
  ['ORG', 'ORG_PROFILE', 1],
  ['RASCAL_ORB', 'TM_PROFILE', 1],
  ['CCR_ORB', 'TR_PROFILE', 1],
  ['GLOBAL', 'UNK_PROFILE', null],
  ['MSO', 'DS_PROFILE', 1],
  ['FAR', 'ATS_PROFILE', 2],
] as const
add('profiles', ...profiles.map(([name, type, cdn], i) => ({ id: i + 1, name, type, cdn, routingDisabled: false })))
const [edge, mid, , monitor, router, global, mso, far] = [1, 2, 3, 4, 5, 6, 7, 8] as const

const parameters: [profiles: number[], configFile: string, name: string, value: string][] = [
  // Number 1: cases that are about an older cache server change this one.
  [[edge, mid], 'package', 'trafficserver', '9.2.5-1.el8'],
  [[edge, mid, far], 'remap.config', 'location', '/opt/trafficserver/etc/trafficserver'],
  [[edge, mid, far], 'parent.config', 'location', '/opt/trafficserver/etc/trafficserver/'],
  [[mid], 'parent.config', 'weight', '0.5'],
  [[global], 'global', 'tm.toolname', 'Edgewright'],
  [[global], 'global', 'tm.url', 'https://edgewright.example.net'],
  [[global], 'regex_revalidate.config', 'maxRevalDurationDays', '90'],
  [[mso], 'parent.config', 'mso.max_simple_retries', '2'],
  [[mso], 'parent.config', 'mso.unavailable_server_retry_responses', '"502,503"'],
  [[edge], 'storage.config', 'Drive_Prefix', '/dev/sd'],
  [[edge], 'storage.config', 'Drive_Letters', 'b,c'],
  [[edge], 'storage.config', 'RAM_Drive_Prefix', '/dev/ram'],
  [[edge], 'storage.config', 'RAM_Drive_Letters', '0'],
  [[edge, mid], 'records.config', 'CONFIG proxy.config.http.insert_response_via_str', 'INT 1'],
  [[edge, mid], 'plugin.config', 'regex_revalidate.so', '--config regex_revalidate.config'],
  [[edge], 'rascal.properties', 'health.threshold.loadavg', '25.0'],
  [[edge], 'CRConfig.json', 'weightMultiplier', '1000'],
  [[monitor], 'rascal-config.txt', 'peers.polling.interval', '1000'],
  [[router], 'CRConfig.json', 'tld.soa.admin', 'hostmaster'],
  [[router], 'server.xml', 'api.port', '3333'],
]
add(
  'parameters',
  ...parameters.map(([profiles, configFile, name, value], i) => ({
    id: i + 1,
    name,
    configFile,
    value,
    secure: false,
    profiles,
  })),
)

/** `[host name, type, cache group, profile, last byte of the address]` */
const servers: [string, keyof typeof types, number, number, number][] = [
  ['a1', 'EDGE', 4, edge, 11],
  ['m1', 'MID', 2, mid, 21],
  ['m2', 'MID', 2, mid, 22],
  ['m3', 'MID', 3, mid, 23],
  ['g1', 'ORG', 1, 3, 31],
  ['g2', 'ORG', 1, 3, 32],
  ['mon', 'RASCAL', 4, monitor, 71],
  ['ccr', 'CCR', 4, router, 72],
  ['z1', 'EDGE', 4, far, 91],
]
for (const [i, [hostName, type, cachegroupId, profileId, byte]] of servers.entries()) {
  const elsewhere = profileId === far
  add('servers', {
    id: i + 1,
    hostName,
    domainName: elsewhere ? 'far.example.net' : 'orb.example.net',
    cachegroupId,
    cdnId: elsewhere ? 2 : 1,
    profileId,
    typeId: typeId(type),
    statusId: 2,
    tcpPort: 80,
    httpsPort: 443,
    interfaceName: 'eth0',
    ipAddress: hostName === 'mon' ? '203.0.113.71' : `192.0.2.${byte}`,
    ipNetmask: hostName === 'mon' ? '255.255.255.255' : '255.255.255.0',
    ip6Address: null,
    xmppId: hostName,
  })
}

/** A delivery service with every field; golden cases add theirs as whole records. */
const plain: Omit<Model['deliveryServices'], 'id' | 'xmlId' | 'typeId'> = {
  active: true,
  cdnId: 1,
  profileId: null,
  orgServerFqdn: null,
  routingName: 'cdn',
  protocol: 0,
  dscp: 0,
  edgeHeaderRewrite: null,
  midHeaderRewrite: null,
  regexRemap: null,
  remapText: null,
  cacheurl: null,
  qstringIgnore: 0,
  rangeRequestHandling: 0,
  signingAlgorithm: null,
  fqPacingRate: null,
  multiSiteOrigin: false,
  originShield: null,
  checkPath: null,
  ccrDnsTtl: 3600,
  deepCachingType: 'NEVER',
  dnsBypassCname: null,
  dnsBypassIp: null,
  dnsBypassIp6: null,
  dnsBypassTtl: null,
  geoLimit: 0,
  geoLimitCountries: null,
  geoLimitRedirectURL: null,
  geoProvider: 0,
  globalMaxMbps: null,
  globalMaxTps: null,
  httpBypassFqdn: null,
  initialDispersion: 1,
  ipv6RoutingEnabled: true,
  maxDnsAnswers: null,
  missLat: null,
  missLong: null,
  regionalGeoBlocking: false,
  anonymousBlockingEnabled: false,
  sslKeyVersion: null,
  trRequestHeaders: null,
  trResponseHeaders: null,
  maxOriginConnections: null,
}

/** The default regex comes with each service, under the service's own id. */
function service(id: number, xmlId: string, type: keyof typeof types, fields: Partial<Model['deliveryServices']>) {
  add('deliveryServices', { ...plain, id, xmlId, typeId: typeId(type), ...fields })
  add('deliveryServiceRegexes', {
    id,
    deliveryServiceId: id,
    typeId: typeId('HOST_REGEXP'),
    pattern: `.*\\.${xmlId}\\..*`,
    setNumber: 0,
  })
}
service(1, 'vod', 'HTTP', {
  orgServerFqdn: 'http://v.example.org',
  dscp: 8,
  qstringIgnore: 2,
  rangeRequestHandling: 1,
  edgeHeaderRewrite: 'cond %{REMAP_PSEUDO_HOOK} __RETURN__ set-header X-E 1 [L]',
})
service(2, 'tv', 'DNS_LIVE', { orgServerFqdn: 'https://t.example.org:8443', protocol: 1, routingName: 'play' })
service(3, 'mso', 'HTTP', { orgServerFqdn: 'http://s.example.org', multiSiteOrigin: true, profileId: mso })
service(4, 'nc', 'HTTP_NO_CACHE', { orgServerFqdn: 'http://n.example.org:9000' })
service(5, 'away', 'HTTP', { orgServerFqdn: 'http://away.example.org', cdnId: 2 })

add('deliveryServiceServers', { id: 1, deliveryServices: [1, 2, 3, 4] })
add('deliveryServiceServers', { id: 5, deliveryServices: [3] })
add('deliveryServiceServers', { id: 6, deliveryServices: [3] })
add('deliveryServiceServers', { id: 9, deliveryServices: [5] })

add('jobs', {
  id: 1,
  deliveryServiceId: 1,
  assetUrl: 'http://v.example.org/old/.*',
  keyword: 'PURGE',
  parameters: 'TTL:48h',
  startTime: '2026-03-01T12:00:00.000Z',
  active: true,
})
add('staticDnsEntries', {
  id: 1,
  host: 'www',
  address: '192.0.2.80',
  ttl: 60,
  typeId: typeId('A_RECORD'),
  deliveryServiceId: 1,
  cachegroupId: null,
})

/**
 * A record of a golden case with the fields it leaves out: those of the small CDN's record of that id, or of a plain
 * one of its kind.
 */
export function completed(kind: string, record: { readonly id: number }): { readonly id: number } {
  const known = smallCdn.find((one) => one.kind === kind && one.record.id === record.id)?.record
  return { ...(known ?? plainRecords[kind] ?? {}), ...record }
}

const plainRecords: Readonly<Record<string, object>> = {
  deliveryServices: { ...plain, typeId: typeId('HTTP') },
  deliveryServiceRegexes: { typeId: typeId('HOST_REGEXP'), setNumber: 0 },
}

/** What the private text of the golden cases is sealed with. */
export const vaultKey = Buffer.alloc(32, 7)
const sealed = (text: string, nonce: number): string => seal(vaultKey, text, Buffer.alloc(12, nonce))

add('urlSigKeys', { id: 1, sealed: sealed(JSON.stringify({ key0: 'zero', key1: 'one', key10: 'ten' }), 1) })
add('uriSigningKeys', {
  id: 1,
  sealed: sealed(
    '{"issuer": {"renewal_kid": "k1", "keys": [{"alg": "HS256", "kid": "k1", "kty": "oct", "k": "a2V5"}]}}',
    2,
  ),
})
