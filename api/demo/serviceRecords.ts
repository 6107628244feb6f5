import { blankOrigin, primaryOrigin } from './primaryOrigin.js'
import type { servers as sampleServers } from './servers.js'
import type { SampleService } from './service.js'

type Servers = typeof sampleServers

/** The delivery services and what hangs off them: patterns, origins, assignments, steering, federations, jobs. */
export function serviceRecords(services: readonly SampleService[], servers: Servers) {
  return {
    deliveryServices: services.map(({ record }) => record),
    deliveryServiceRegexes: services.flatMap(({ regexes }) => regexes),
    origins: [...services.flatMap(primaryOrigin), ...spareOrigins],
    deliveryServiceServers: servers.flatMap((server) => {
      const deliveryServices = services.filter((service) => carries(server, service)).map(({ record }) => record.xmlId)
      return deliveryServices.length > 0 ? [{ server: server.hostName, deliveryServices }] : []
    }),
    ...extras,
  }
}

/** Edges of the service's cache groups and CDN carry it, and origins of the CDN when it has several sites. */
export function carries(server: Servers[number], { record, cachegroups }: SampleService): boolean {
  if (server.cdnName !== record.cdnName) return false
  if (server.type === 'EDGE') return cachegroups.includes(server.cachegroup)
  return server.type === 'ORG' && record.multiSiteOrigin
}

const spareOrigins = [
  {
    ...blankOrigin,
    name: 'archive-london',
    deliveryService: 'archive',
    tenant: 'media-house',
    protocol: 'http',
    fqdn: 'archive-london.example.com',
    port: 8080,
    ipAddress: '198.51.100.34',
    ip6Address: '2001:db8:13::22',
    cachegroup: 'org-eu',
    coordinate: 'studio-london',
    profile: 'ORG_STREAM_SPARE',
  },
]

const extras = {
  jobs: [
    job('vod', 'http://vod-origin.example.com', '/series/.*\\.m3u8', 48),
    job('images', 'http://images-origin.example.com', '/posters/.*', 24),
    job('magazine', 'http://magazine-origin.example.org', '/.*', 12),
  ],

  staticDnsEntries: [
    dnsEntry('tv', 'epg', 'A_RECORD', '203.0.113.81'),
    dnsEntry('tv', 'epg6', 'AAAA_RECORD', '2001:db8:80::81'),
    dnsEntry('tv', 'help', 'CNAME_RECORD', 'help.example.org.'),
    dnsEntry('tv', 'verify', 'TXT_RECORD', 'site-verification=sample', 'edge-lon'),
  ],

  steeringTargets: [
    target('sports', 'live', 'STEERING_WEIGHT', 20),
    target('sports', 'events', 'STEERING_WEIGHT', 80),
    target('sports', 'events-spare', 'STEERING_ORDER', 1),
    target('player', 'vod', 'STEERING_ORDER', -1),
    target('player', 'trailers', 'STEERING_GEO_ORDER', 1),
    target('player', 'images', 'STEERING_GEO_WEIGHT', 50),
  ],

  federationResolvers: [
    { ipAddress: '198.51.100.192/26', typeName: 'RESOLVE4' },
    { ipAddress: '203.0.113.200', typeName: 'RESOLVE4' },
    { ipAddress: '2001:db8:f00::/48', typeName: 'RESOLVE6' },
  ],

  federations: [
    {
      cname: 'cdn.partner.example.org.',
      ttl: 60,
      description: 'The partner network serves its own subscribers',
      deliveryServices: ['partner'],
      users: ['toni'],
      resolvers: ['198.51.100.192/26', '203.0.113.200', '2001:db8:f00::/48'],
    },
  ],
}

/** A rule that starts far ahead, so that the sample shows one whenever it is loaded. */
function job(deliveryService: string, origin: string, regex: string, hours: number) {
  return {
    deliveryService,
    assetUrl: `${origin}${regex}`,
    keyword: 'PURGE',
    parameters: `TTL:${hours}h`,
    createdBy: 'alex',
    enteredTime: '2035-01-01T00:00:00.000Z',
    startTime: '2035-01-01T00:01:00.000Z',
    active: true,
  }
}

function dnsEntry(
  deliveryService: string,
  host: string,
  typeName: string,
  address: string,
  cachegroup: string | null = null,
) {
  return { deliveryService, host, typeName, address, ttl: 300, cachegroup }
}

function target(deliveryService: string, targetName: string, typeName: string, value: number) {
  return { deliveryService, target: targetName, typeName, value }
}
