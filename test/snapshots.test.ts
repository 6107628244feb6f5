import { Ajv } from 'ajv'
import { expect } from 'chai'
import { withStats } from '../compiler/snapshots/snapshotStats.js'
import { typeId } from './smallCdn.js'
import type { Changes } from './snapshotDocuments.js'
import { altered, parameter, snapshotOf } from './snapshotDocuments.js'
import { crConfigTypes, monitoringTypes } from './snapshotTypes.js'

const ajv = new Ajv({ allErrors: true, allowUnionTypes: true })

const [vod, tv] = [1, 2]
const [edge, router, monitor] = [1, 5, 4]

describe('the monitoring document', () => {
  it('has the types monitors decode', () => {
    const { document } = snapshotOf('monitoring')
    expect(ajv.validate(monitoringTypes, document), ajv.errorsText()).equal(true)
  })

  it('lists servers of every status, and nothing of another CDN', () => {
    const { document } = snapshotOf('monitoring', [altered('servers', 2, { statusId: 3 })])
    expect(document.trafficServers.map(({ hostName }: { hostName: string }) => hostName)).eql(['a1', 'm1', 'm2', 'm3'])
    expect(document.trafficServers[1].status).equal('OFFLINE')
  })

  it('turns digits into numbers and leaves locations out', () => {
    const { document } = snapshotOf('monitoring', [
      parameter(101, monitor, 'rascal-config.txt', 'health.polling.interval', '8000'),
      parameter(102, monitor, 'rascal-config.txt', 'tm.polling.location', '/x'),
      parameter(103, monitor, 'rascal-config.txt', 'health.polling.keepalive', 'false'),
      parameter(104, edge, 'rascal.properties', 'history.count', '30'),
      parameter(105, edge, 'rascal.properties', 'health.threshold.availableBandwidthInKbps', '>1750000'),
    ])
    expect(document.config).eql({
      'health.polling.interval': 8000,
      'health.polling.keepalive': 'false',
      'peers.polling.interval': 1000,
    })
    expect(document.profiles[0].parameters).eql({
      'health.threshold.availableBandwidthInKbps': '>1750000',
      'health.threshold.loadavg': '25.0',
      'history.count': 30,
    })
  })

  it('leaves out what would make monitors refuse all of it', () => {
    const { document, warnings } = snapshotOf('monitoring', [
      parameter(101, edge, 'rascal.properties', 'health.threshold.queryTime', '>=1000'),
      parameter(102, edge, 'rascal.properties', 'history.count', 'many'),
    ])
    expect(document.profiles[0].parameters).eql({ 'health.threshold.loadavg': '25.0' })
    expect(warnings).eql(['value-ignored', 'value-ignored'])
  })

  it('gives the limits of active services in kbps', () => {
    const { document } = snapshotOf('monitoring', [
      altered('deliveryServices', vod, { globalMaxMbps: 12, globalMaxTps: 100 }),
      altered('deliveryServices', tv, { active: false }),
    ])
    expect(document.deliveryServices.map(({ xmlId }: { xmlId: string }) => xmlId)).eql(['mso', 'nc', 'vod'])
    expect(document.deliveryServices[2]).eql({
      xmlId: 'vod',
      status: 'REPORTED',
      totalTpsThreshold: 100,
      totalKbpsThreshold: 12000,
    })
  })
})

describe("the routers' document", () => {
  const everyOption = {
    protocol: 3,
    geoLimit: 2,
    geoLimitCountries: 'US, CA',
    geoLimitRedirectURL: 'http://sorry.example.org/',
    geoProvider: 1,
    httpBypassFqdn: 'bypass.example.org:8080',
    initialDispersion: 3,
    missLat: 41.5,
    missLong: -87,
    regionalGeoBlocking: true,
    anonymousBlockingEnabled: true,
    ipv6RoutingEnabled: false,
    deepCachingType: 'ALWAYS',
    ccrDnsTtl: 30,
    trResponseHeaders: 'X-One: 1 __RETURN__ "X-Two": "a: b"',
    trRequestHeaders: ' X-Id __RETURN__ User-Agent ',
  }

  it('has the types monitors and routers decode', () => {
    const { document } = snapshotOf('CRConfig', [
      altered('deliveryServices', vod, everyOption),
      altered('deliveryServices', tv, { maxDnsAnswers: 2, dnsBypassIp: '192.0.2.9', dnsBypassTtl: 30 }),
      altered('servers', 1, { httpsPort: null, ip6Address: '2001:db8::1/64', xmppId: null }),
      parameter(101, router, 'server.xml', 'secure.api.port', '3443'),
    ])
    expect(ajv.validate(crConfigTypes, document), ajv.errorsText()).equal(true)
  })

  it('tells every option of a service', () => {
    const { document } = snapshotOf('CRConfig', [altered('deliveryServices', vod, everyOption)])
    expect(document.deliveryServices.vod).eql({
      matchsets: [{ protocol: 'HTTP', matchlist: [{ regex: '.*\\.vod\\..*', 'match-type': 'HOST' }] }],
      domains: ['vod.orb.example.net'],
      routingName: 'cdn',
      coverageZoneOnly: 'false',
      geoEnabled: [{ countryCode: 'US' }, { countryCode: 'CA' }],
      geolocationProvider: 'neustarGeolocationService',
      geoLimitRedirectURL: 'http://sorry.example.org/',
      sslEnabled: 'true',
      protocol: { acceptHttps: 'true', redirectToHttps: 'true' },
      missLocation: { lat: 41.5, long: -87 },
      responseHeaders: { 'X-One': '1', 'X-Two': 'a: b' },
      requestHeaders: ['X-Id', 'User-Agent'],
      ip6RoutingEnabled: 'false',
      deepCachingType: 'ALWAYS',
      dispersion: { limit: 3, shuffled: 'true' },
      regionalGeoBlocking: 'true',
      anonymousBlockingEnabled: 'true',
      bypassDestination: { HTTP: { fqdn: 'bypass.example.org', port: '8080' } },
      staticDnsEntries: [{ name: 'www', ttl: 60, type: 'A', value: '192.0.2.80' }],
      ttl: 30,
      ttls: { A: '30', AAAA: '30', NS: '3600', SOA: '86400' },
      soa: { admin: 'hostmaster', expire: '604800', minimum: '30', refresh: '28800', retry: '7200' },
    })
  })

  it('tells a DNS service what HTTP ones have not, and the other way round', () => {
    const bypass = {
      dnsBypassIp: '192.0.2.9',
      dnsBypassIp6: '2001:db8::9',
      dnsBypassCname: 'x.example.org.',
      dnsBypassTtl: 30,
    }
    const { document } = snapshotOf('CRConfig', [
      altered('deliveryServices', tv, { ...bypass, maxDnsAnswers: 2, geoLimit: 1 }),
    ])
    const { tv: dns, vod: http } = document.deliveryServices
    expect(dns.bypassDestination).eql({
      DNS: { ip: '192.0.2.9', ip6: '2001:db8::9', cname: 'x.example.org.', ttl: 30 },
    })
    expect(dns.maxDnsIpsForLocation).equal(2)
    expect(dns.coverageZoneOnly).equal('true')
    expect(dns.protocol).eql({ acceptHttp: 'false', acceptHttps: 'true', redirectToHttps: 'false' })
    expect(dns).not.to.have.any.keys(
      'dispersion',
      'regionalGeoBlocking',
      'anonymousBlockingEnabled',
      'geoLimitRedirectURL',
    )
    expect(http).not.to.have.any.keys('maxDnsIpsForLocation', 'bypassDestination', 'geoEnabled', 'missLocation')
  })

  it('keeps match sets in order without gaps, and skips types routers do not know', () => {
    const regex = (id: number, type: Parameters<typeof typeId>[0], pattern: string, setNumber: number) =>
      ({
        kind: 'deliveryServiceRegexes',
        record: { id, deliveryServiceId: vod, typeId: typeId(type), pattern, setNumber },
      }) as Changes[number]
    const { document } = snapshotOf('CRConfig', [
      regex(101, 'HOST_REGEXP', 'www\\.example\\.org', 4),
      regex(102, 'PATH_REGEXP', '/live/.*', 4),
      regex(103, 'A_RECORD', 'nonsense', 2),
    ])
    expect(document.deliveryServices.vod.matchsets).eql([
      { protocol: 'HTTP', matchlist: [{ regex: '.*\\.vod\\..*', 'match-type': 'HOST' }] },
      {
        protocol: 'HTTP',
        matchlist: [
          { regex: 'www\\.example\\.org', 'match-type': 'HOST' },
          { regex: '/live/.*', 'match-type': 'PATH' },
        ],
      },
    ])
    expect(document.deliveryServices.vod.domains).eql(['vod.orb.example.net'])
    expect(document.contentServers.a1.deliveryServices.vod).eql(['a1.vod.orb.example.net', 'www.example.org'])
  })

  it('has only servers in use, and services routers serve', () => {
    const { document } = snapshotOf('CRConfig', [
      altered('servers', 2, { statusId: 3 }),
      altered('servers', 3, { statusId: 4 }),
      altered('servers', 4, { statusId: 5 }),
      altered('deliveryServices', 3, { active: false }),
      altered('deliveryServices', 4, { typeId: typeId('ANY_MAP') }),
      { kind: 'deliveryServiceRegexes', id: tv, remove: true },
    ])
    expect(Object.keys(document.contentServers)).eql(['a1', 'm2'])
    expect(Object.keys(document.deliveryServices)).eql(['vod'])
    expect(document.contentServers.a1.deliveryServices).eql({ vod: ['a1.vod.orb.example.net'] })
  })

  it('sends no client to a cache whose profile is not routed to', () => {
    const { document } = snapshotOf('CRConfig', [altered('profiles', edge, { routingDisabled: true })])
    expect(document.contentServers.a1.routingDisabled).equal(1)
    expect(document.contentServers.a1).not.to.have.property('deliveryServices')
  })

  it('truncates weight by multiplier, and ignores what is no number', () => {
    const weight = (value: string) => snapshotOf('CRConfig', [parameter(101, edge, 'CRConfig.json', 'weight', value)])
    expect(weight('0.7777').document.contentServers.a1.hashCount).equal(777)
    expect(weight('heavy').document.contentServers.a1.hashCount).equal(999)
    expect(weight('heavy').warnings).eql(['value-ignored'])
  })

  it('groups the settings routers want grouped', () => {
    const { document } = snapshotOf('CRConfig', [
      parameter(101, router, 'CRConfig.json', 'tld.ttls.NS', '1800'),
      parameter(102, router, 'CRConfig.json', 'LogRequestHeaders', 'X-A __RETURN__ X-B'),
      parameter(103, router, 'CRConfig.json', 'maxmind.default.override', 'US;37.751,-97.822'),
      parameter(104, router, 'CRConfig.json', 'coveragezone.polling.interval', '3600000'),
      parameter(105, router, 'CRConfig.json', 'location', '/etc'),
    ])
    expect(document.config).eql({
      weightMultiplier: '1000',
      soa: { admin: 'hostmaster' },
      ttls: { NS: '1800' },
      requestHeaders: ['X-A', 'X-B'],
      maxmindDefaultOverride: [{ countryCode: 'US', lat: 37.751, long: -97.822 }],
      'coveragezone.polling.interval': '3600000',
      domain_name: 'orb.example.net',
      'dnssec.enabled': 'false',
    })
    expect(document.deliveryServices.vod.ttls.NS).equal('1800')
  })

  it('names as stand-ins only groups that have edges of the CDN', () => {
    const other = altered('cachegroups', 4, { id: 9, name: 'eB', localizationMethods: ['CZ'] })
    const fallbacks = [9, 3].map((fallbackId, i) => ({
      kind: 'cachegroupFallbacks',
      record: { id: 100 + i, cacheGroupId: 4, fallbackId, fallbackOrder: i },
    })) as Changes
    const { document } = snapshotOf('CRConfig', [
      other,
      altered('servers', 1, { id: 99, hostName: 'b1', cachegroupId: 9 }),
      ...fallbacks,
    ])
    expect(document.edgeLocations.eA.backupLocations).eql({ fallbackToClosest: 'true', list: ['eB'] })
    expect(document.edgeLocations.eB.localizationMethods).eql(['CZ'])
  })

  it('takes its stats from whoever freezes it', () => {
    const stats = {
      CDN_name: 'orb',
      date: 1767225600,
      tm_version: '1',
      tm_path: '/tools/write_crconfig/orb',
      tm_host: 'h',
      tm_user: 'u',
    }
    const { text, document } = snapshotOf('CRConfig')
    expect(JSON.parse(withStats(text, stats))).eql({ stats, ...document })
  })
})

describe('the routing document of 1.1 and 1.2', () => {
  it('has numbers and real booleans where the full one has texts', () => {
    const { document } = snapshotOf('routing', [
      altered('deliveryServices', tv, { geoLimit: 1, dnsBypassIp: '192.0.2.9', maxDnsAnswers: 2, missLat: 40 }),
      parameter(101, router, 'CRConfig.json', 'tld.ttls.NS', '1800'),
    ])
    const dns = document.deliveryServices.find(({ xmlId }: { xmlId: string }) => xmlId === 'tv')
    expect(dns).eql({
      xmlId: 'tv',
      ttl: 3600,
      ttls: { A: 3600, AAAA: 3600, NS: 1800, SOA: 86400 },
      soa: { admin: 'hostmaster', expire: 604800, minimum: 30, refresh: 28800, retry: 7200 },
      matchSets: [{ protocol: 'DNS', matchList: [{ regex: '.*\\.tv\\..*', matchType: 'HOST' }] }],
      domains: ['tv.orb.example.net'],
      coverageZoneOnly: true,
      geoEnabled: [],
      bypassDestination: { type: 'DNS', ip: '192.0.2.9', maxDnsIpsForLocation: 2 },
      missCoordinates: { latitude: 40 },
      staticDnsEntries: [],
    })
    expect(document.config['tld.ttls.NS']).equal(1800)
    expect(document.trafficRouters[0].apiPort).equal(3333)
  })

  it('numbers match sets, with null for those that are not there', () => {
    const { document } = snapshotOf('routing', [altered('deliveryServiceRegexes', tv, { setNumber: 2 })])
    const dns = document.deliveryServices.find(({ xmlId }: { xmlId: string }) => xmlId === 'tv')
    expect(dns.matchSets.map((set: object | null) => set !== null)).eql([false, false, true])
  })

  it('stays answerable for a CDN without routers, monitors and caches', () => {
    const none = [1, 2, 3, 4, 5, 6, 7, 8].map((id) => ({ kind: 'servers', id, remove: true }) as const)
    const { document } = snapshotOf('routing', none)
    expect(document.trafficServers).eql([])
    expect(document.config).eql({ domain_name: 'orb.example.net' })
    expect(snapshotOf('monitoring', none).document.config).eql({})
    expect(snapshotOf('CRConfig', none).document.contentServers).eql({})
  })
})
