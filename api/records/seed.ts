import { apiCapabilities, capabilities, roles } from './seedCapabilities.js'
import { starterParameters, starterProfiles } from './seedStarters.js'

/**
 * The reference rows an empty store starts with, as an import document (references by name, no ids). It names
 * everything a first CDN needs to be described: types, statuses, roles, the root tenant, the GLOBAL profile, and profiles
 * to copy for its machines.
 */
export function seed() {
  return {
    cdns: [{ name: 'ALL', domainName: '-', dnssecEnabled: false }],
    types: types(),
    statuses,
    capabilities: capabilities(),
    roles: roles(),
    apiCapabilities: apiCapabilities(),
    tenants: [
      { name: 'root', active: true, parentName: null },
      { name: 'unassigned', active: true, parentName: 'root' },
    ],
    profiles,
    parameters,
    extensions: extensions(),
  } satisfies Record<string, readonly object[]>
}

const statuses = [
  { name: 'OFFLINE', description: 'Out of service for long; left out of the router configuration.' },
  { name: 'ONLINE', description: 'In service and not watched by the monitor; always taken as healthy.' },
  { name: 'REPORTED', description: 'In service while the monitor reports it healthy.' },
  { name: 'ADMIN_DOWN', description: 'Out of service for a short maintenance; kept in the router configuration.' },
  { name: 'CCR_IGNORE', description: 'Ignored by the routers.' },
  { name: 'PRE_PROD', description: 'Not in production; part of no configuration.' },
]

/** By the table they are used in: name and description. */
const typesByTable: Record<string, Record<string, string>> = {
  deliveryservice: {
    HTTP: 'HTTP content routing',
    HTTP_NO_CACHE: 'HTTP content routing, not cached',
    HTTP_LIVE: 'HTTP content routing of live content, cached in RAM at the edge only',
    HTTP_LIVE_NATNL: 'HTTP content routing of live content, cached in RAM at both tiers',
    DNS: 'DNS content routing',
    DNS_LIVE: 'DNS content routing of live content, cached in RAM at the edge only',
    DNS_LIVE_NATNL: 'DNS content routing of live content, cached in RAM at both tiers',
    ANY_MAP: 'No content routing; a raw remap line at the edge',
    STEERING: 'Steering to other delivery services, chosen by the router',
    CLIENT_STEERING: 'Steering to other delivery services, chosen by the client',
  },
  server: {
    EDGE: 'Edge cache',
    MID: 'Mid-tier cache',
    ORG: 'Origin',
    CCR: 'Traffic router',
    RASCAL: 'Traffic monitor',
    RIAK: 'Key store',
    INFLUXDB: 'Time-series store',
    TRAFFIC_ANALYTICS: 'Log analytics',
    TRAFFIC_OPS: 'Operations server',
    TRAFFIC_OPS_DB: 'Database of the operations server',
    TRAFFIC_PORTAL: 'Operations portal',
    TRAFFIC_STATS: 'Statistics collector',
  },
  cachegroup: {
    EDGE_LOC: 'Edge location',
    MID_LOC: 'Mid-tier location',
    ORG_LOC: 'Origin location',
  },
  regex: {
    HOST_REGEXP: 'Matches the host header',
    HEADER_REGEXP: 'Matches any other header',
    PATH_REGEXP: 'Matches the path',
    STEERING_REGEXP: 'Filters a steering target',
  },
  to_extension: {
    CHECK_EXTENSION_BOOL: 'Server check that passes or fails',
    CHECK_EXTENSION_NUM: 'Server check that yields a number',
    CHECK_EXTENSION_OPEN_SLOT: 'Free slot for a server check',
    CONFIG_EXTENSION: 'Makes a config file',
    STATISTIC_EXTENSION: 'Supplies statistics',
  },
  federation: {
    RESOLVE4: 'IPv4 resolver of a federation',
    RESOLVE6: 'IPv6 resolver of a federation',
  },
  staticdnsentry: {
    A_RECORD: 'Static A record',
    AAAA_RECORD: 'Static AAAA record',
    CNAME_RECORD: 'Static CNAME record',
    TXT_RECORD: 'Static TXT record',
  },
  steering_target: {
    STEERING_WEIGHT: 'Share of the requests',
    STEERING_ORDER: 'Place in a fixed order',
    STEERING_GEO_ORDER: 'Place in an order that follows distance',
    STEERING_GEO_WEIGHT: 'Share within an order that follows distance',
  },
}

function types() {
  return Object.entries(typesByTable).flatMap(([useInTable, names]) =>
    Object.entries(names).map(([name, description]) => ({ name, description, useInTable })),
  )
}

const profiles = [
  { name: 'GLOBAL', description: 'Parameters that hold for every CDN; cannot be deleted', type: 'UNK_PROFILE' },
  { name: 'TRAFFIC_ANALYTICS', description: 'Log analytics servers', type: 'UNK_PROFILE' },
  { name: 'TRAFFIC_OPS', description: 'Operations servers', type: 'UNK_PROFILE' },
  { name: 'TRAFFIC_OPS_DB', description: 'Database servers', type: 'UNK_PROFILE' },
  { name: 'TRAFFIC_PORTAL', description: 'Portal servers', type: 'TP_PROFILE' },
  { name: 'TRAFFIC_STATS', description: 'Statistics collectors', type: 'TS_PROFILE' },
  { name: 'INFLUXDB', description: 'Time-series stores', type: 'INFLUXDB_PROFILE' },
  { name: 'RIAK_ALL', description: 'Key stores', type: 'RIAK_PROFILE' },
  ...starterProfiles(),
].map((profile) => ({ ...profile, cdnName: 'ALL', routingDisabled: false }))

const parameters = [
  { configFile: 'global', name: 'tm.instance_name', value: 'Edgewright CDN' },
  { configFile: 'global', name: 'tm.toolname', value: 'Edgewright' },
  { configFile: 'global', name: 'use_tenancy', value: '1' },
  { configFile: 'regex_revalidate.config', name: 'maxRevalDurationDays', value: '90' },
]
  .map((parameter) => ({ ...parameter, profiles: ['GLOBAL'] }))
  .concat(starterParameters())
  .map((parameter) => ({ ...parameter, secure: false }))

/** The checks that come with the service: name, short name, description. */
const checks = {
  CHECK_EXTENSION_BOOL: [
    ['ILO_PING', 'ILO', 'Answers a ping on the management interface'],
    ['10G_PING', '10G', 'Answers a ping on the service interface'],
    ['FQDN_PING', 'FQDN', 'Answers a ping by its full name'],
    ['CHECK_DSCP', 'DSCP', 'Marks traffic as its delivery services ask'],
    ['IPV6_PING', '10G6', 'Answers a ping over IPv6'],
    ['CHECK_MTU', 'MTU', 'Passes packets of its configured size'],
    ['CHECK_TRAFFIC_ROUTER_STATUS', 'RTR', 'Has the same state on every router'],
  ],
  CHECK_EXTENSION_NUM: [
    ['CACHE_HIT_RATIO_LAST_15', 'CHR', 'Cache hit ratio of the last 15 minutes, percent'],
    ['DISK_UTILIZATION', 'CDU', 'Cache disk in use, percent'],
    ['ORT_ERROR_COUNT', 'ORT', 'Errors of the last run of the cache agent'],
  ],
} as const

/** Server checks are kept in 31 fixed slots, as many as a check result can hold (beyond.md §1.5). */
const checkSlots = 31

function extensions() {
  const installed = Object.entries(checks).flatMap(([type, rows]) =>
    rows.map(([name, shortName, description]) => ({
      ...slot,
      name,
      servercheck_short_name: shortName,
      description,
      type,
      isactive: true,
    })),
  )
  const open = Array.from({ length: checkSlots - installed.length }, (_, index) => ({
    ...slot,
    name: `OPEN_${installed.length + index + 1}`,
    type: 'CHECK_EXTENSION_OPEN_SLOT',
  }))
  return [...installed, ...open]
}

const slot = {
  version: '1.0.0',
  info_url: '-',
  script_file: '-',
  isactive: false,
  additional_config_json: '{}',
  description: null as string | null,
  servercheck_short_name: null as string | null,
}
