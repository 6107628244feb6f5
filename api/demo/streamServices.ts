import type { SampleService, ServiceName, ServiceOptions } from './service.js'
import { service as define } from './service.js'

const america = ['edge-nyc', 'edge-chi', 'edge-lax', 'edge-sea']
const europe = ['edge-lon', 'edge-fra', 'edge-mil']
const everywhere = [...america, ...europe]
/** Limits on origin connections are set in other words before version 9, and a file serves one wording only. */
const version9 = everywhere.filter((cachegroup) => cachegroup !== 'edge-sea')

const service = (name: ServiceName, options?: ServiceOptions) => define('stream', name, options)

/** The delivery services of the CDN `stream`: between them every type and every option that changes a file. */
export const streamServices: readonly SampleService[] = [
  service(
    {
      xmlId: 'vod',
      type: 'HTTP',
      displayName: 'Video on demand',
      tenant: 'media-house-studio',
      cachegroups: everywhere,
    },
    {
      orgServerFqdn: 'http://vod-origin.example.com',
      protocol: 2,
      dscp: 8,
      sslKeyVersion: 1,
      rangeRequestHandling: 1,
      globalMaxMbps: 400_000,
      globalMaxTps: 90_000,
      httpBypassFqdn: 'vod-overflow.example.org:8080',
      edgeHeaderRewrite:
        'cond %{SEND_RESPONSE_HDR_HOOK} __RETURN__ rm-header Via __RETURN__ set-header X-Cache-Tier edge [L]',
      midHeaderRewrite:
        'cond %{READ_RESPONSE_HDR_HOOK} __RETURN__ cond %{HEADER:Cache-Control} = "" __RETURN__ set-header Cache-Control "public, max-age=3600" [L]',
      infoUrl: 'https://docs.example.com/vod',
      longDesc: 'Films and series in adaptive bit rates.',
    },
  ),
  service(
    {
      xmlId: 'vod-4k',
      type: 'HTTP',
      displayName: 'Video in 4K',
      tenant: 'media-house-studio',
      cachegroups: everywhere,
    },
    {
      orgServerFqdn: 'https://vod-4k-origin.example.com',
      protocol: 1,
      dscp: 10,
      sslKeyVersion: 1,
      qstringIgnore: 1,
      rangeRequestHandling: 2,
      deepCachingType: 'ALWAYS',
      fqPacingRate: 25_000_000,
      profileName: 'DS_MODERN_TLS',
      initialDispersion: 4,
    },
  ),
  service(
    {
      xmlId: 'vod-large',
      type: 'HTTP',
      displayName: 'Large films',
      tenant: 'media-house-studio',
      cachegroups: america,
    },
    {
      orgServerFqdn: 'http://vod-large-origin.example.com:8081',
      dscp: 8,
      rangeRequestHandling: 3,
      profileName: 'DS_SLICED',
    },
  ),
  service(
    { xmlId: 'trailers', type: 'HTTP', displayName: 'Trailers', tenant: 'media-house-studio', cachegroups: europe },
    // The same origin under the same rules: both services share its line on the mids.
    { orgServerFqdn: 'http://trailers-origin.example.com', protocol: 2, sslKeyVersion: 1, dscp: 8, qstringIgnore: 1 },
  ),
  service(
    {
      xmlId: 'trailers-kids',
      type: 'HTTP',
      displayName: 'Trailers for children',
      tenant: 'media-house-studio',
      cachegroups: europe,
    },
    { orgServerFqdn: 'http://trailers-origin.example.com', dscp: 8, qstringIgnore: 1 },
  ),
  service(
    {
      xmlId: 'premium',
      type: 'HTTP',
      displayName: 'Premium films',
      tenant: 'media-house-studio',
      cachegroups: everywhere,
    },
    {
      orgServerFqdn: 'http://premium-origin.example.com',
      protocol: 3,
      dscp: 10,
      sslKeyVersion: 1,
      signingAlgorithm: 'url_sig',
      profileName: 'DS_SIGNED',
      qstringIgnore: 1,
      geoLimit: 2,
      geoLimitCountries: 'US,CA',
      geoLimitRedirectURL: 'http://premium.stream.example.net/not-here.html',
      missLat: 47.61,
      missLong: -122.34,
    },
  ),
  service(
    {
      xmlId: 'rights',
      type: 'HTTP',
      displayName: 'Licensed films',
      tenant: 'media-house-studio',
      cachegroups: everywhere,
    },
    {
      orgServerFqdn: 'https://rights-origin.example.com',
      protocol: 1,
      dscp: 10,
      sslKeyVersion: 1,
      signingAlgorithm: 'uri_signing',
      geoLimit: 1,
      anonymousBlockingEnabled: true,
    },
  ),
  service(
    {
      xmlId: 'images',
      type: 'HTTP',
      displayName: 'Posters and thumbnails',
      tenant: 'media-house',
      cachegroups: everywhere,
      patterns: [
        ['HOST_REGEXP', 1, 'images.example.com'],
        ['PATH_REGEXP', 0, '.*\\.(jpg|png|webp)$'],
      ],
    },
    { orgServerFqdn: 'http://images-origin.example.com', protocol: 2, sslKeyVersion: 1, profileName: 'DS_IMAGES' },
  ),
  service(
    { xmlId: 'archive', type: 'HTTP', displayName: 'Archive', tenant: 'media-house', cachegroups: everywhere },
    {
      orgServerFqdn: 'http://archive-origin.example.com',
      multiSiteOrigin: true,
      profileName: 'DS_MULTI_SITE',
      qstringIgnore: 1,
    },
  ),
  service(
    { xmlId: 'catalogue', type: 'DNS', displayName: 'Catalogue', tenant: 'media-house', cachegroups: everywhere },
    { orgServerFqdn: 'http://catalogue-origin.example.com', multiSiteOrigin: true, dscp: 18 },
  ),
  service(
    { xmlId: 'shielded', type: 'HTTP', displayName: 'Behind a shield', tenant: 'media-house', cachegroups: america },
    {
      orgServerFqdn: 'http://fragile-origin.example.com',
      originShield: 'shield.example.com:80',
      midHeaderRewrite: 'cond %{SEND_REQUEST_HDR_HOOK} __RETURN__ rm-header X-Debug',
    },
  ),
  service(
    {
      xmlId: 'account',
      type: 'HTTP_NO_CACHE',
      displayName: 'Account pages',
      tenant: 'media-house',
      cachegroups: version9,
    },
    {
      orgServerFqdn: 'https://account-origin.example.com:8443',
      protocol: 3,
      dscp: 18,
      sslKeyVersion: 2,
      maxOriginConnections: 400,
      edgeHeaderRewrite: 'cond %{SEND_RESPONSE_HDR_HOOK} __RETURN__ set-header Cache-Control "no-store"',
      profileName: 'DS_MODERN_TLS',
    },
  ),
  service(
    {
      xmlId: 'live',
      type: 'HTTP_LIVE',
      displayName: 'Live channels',
      tenant: 'media-house-sports',
      cachegroups: everywhere,
    },
    { orgServerFqdn: 'http://live-origin.example.com', dscp: 34, initialDispersion: 1, checkPath: '/health.m3u8' },
  ),
  service(
    {
      xmlId: 'events',
      type: 'HTTP_LIVE_NATNL',
      displayName: 'National events',
      tenant: 'media-house-sports',
      cachegroups: everywhere,
    },
    {
      orgServerFqdn: 'http://events-origin.example.com',
      protocol: 2,
      dscp: 34,
      sslKeyVersion: 1,
      midHeaderRewrite: 'cond %{SEND_REQUEST_HDR_HOOK} __RETURN__ set-header X-Tier mid [L]',
      globalMaxMbps: 900_000,
      httpBypassFqdn: 'events-overflow.example.org',
    },
  ),
  service(
    {
      xmlId: 'events-spare',
      type: 'HTTP_LIVE_NATNL',
      displayName: 'National events, spare',
      tenant: 'media-house-sports',
      cachegroups: everywhere,
    },
    { orgServerFqdn: 'http://events-spare-origin.example.com', dscp: 34 },
  ),
  service(
    {
      xmlId: 'tv',
      type: 'DNS',
      displayName: 'Television guide and player',
      tenant: 'broadcaster',
      cachegroups: everywhere,
    },
    {
      orgServerFqdn: 'http://tv-origin.example.org',
      protocol: 2,
      sslKeyVersion: 1,
      routingName: 'play',
      dscp: 26,
      qstringIgnore: 1,
      dnsBypassIp: '203.0.113.80',
      dnsBypassIp6: '2001:db8:80::80',
      dnsBypassTtl: 60,
      globalMaxMbps: 200_000,
    },
  ),
  service(
    { xmlId: 'radio', type: 'DNS_LIVE', displayName: 'Radio', tenant: 'broadcaster', cachegroups: europe },
    { orgServerFqdn: 'http://radio-origin.example.org:8000', dscp: 26, routingName: 'listen' },
  ),
  service(
    {
      xmlId: 'news',
      type: 'DNS_LIVE_NATNL',
      displayName: 'News channel',
      tenant: 'broadcaster',
      cachegroups: everywhere,
    },
    {
      orgServerFqdn: 'https://news-origin.example.org',
      protocol: 3,
      dscp: 34,
      sslKeyVersion: 1,
      dnsBypassCname: 'news-overflow.example.org.',
      dnsBypassTtl: 30,
    },
  ),
  service(
    {
      xmlId: 'partner',
      type: 'DNS',
      displayName: 'For partner networks',
      tenant: 'broadcaster',
      cachegroups: everywhere,
    },
    { orgServerFqdn: 'http://partner-origin.example.org', maxDnsAnswers: 3 },
  ),
  service(
    {
      xmlId: 'software',
      type: 'HTTP',
      displayName: 'Software updates',
      tenant: 'software-vendor',
      cachegroups: everywhere,
    },
    {
      orgServerFqdn: 'http://software-origin.example.org',
      qstringIgnore: 2,
      rangeRequestHandling: 2,
      dscp: 10,
      regexRemap:
        '^/latest/(.*)$ http://software-origin.example.org/release-4/$1 __RETURN__ ^/beta/(.*)$ http://software-origin.example.org/release-5/$1',
    },
  ),
  service(
    { xmlId: 'packages', type: 'HTTP', displayName: 'Package mirror', tenant: 'software-vendor', cachegroups: america },
    {
      orgServerFqdn: 'http://packages-origin.example.org',
      profileName: 'DS_LONG_LIVED',
      rangeRequestHandling: 2,
      remapText: '@plugin=conf_remap.so @pparam=proxy.config.http.cache.ignore_client_no_cache=0 __RANGE_DIRECTIVE__',
      trRequestHeaders: 'User-Agent __RETURN__ X-Client-Version',
      trResponseHeaders: 'Access-Control-Allow-Origin: * __RETURN__ X-Mirror: "packages"',
      regionalGeoBlocking: true,
      geoProvider: 1,
    },
  ),
  service(
    {
      xmlId: 'mirror',
      type: 'ANY_MAP',
      displayName: 'Public mirror',
      tenant: 'software-vendor',
      cachegroups: ['edge-nyc', 'edge-lon'],
    },
    {
      remapText:
        'map http://mirror.stream.example.net/ http://mirror-origin.example.org/ @plugin=conf_remap.so @pparam=proxy.config.url_remap.pristine_host_hdr=1',
    },
  ),
  service(
    { xmlId: 'beta', type: 'HTTP', displayName: 'Not yet open', tenant: 'software-vendor', cachegroups: ['edge-chi'] },
    { active: false, orgServerFqdn: 'http://beta-origin.example.org', logsEnabled: false, ipv6RoutingEnabled: false },
  ),
  service({
    xmlId: 'sports',
    type: 'STEERING',
    displayName: 'Sports, steered by the router',
    tenant: 'media-house-sports',
    cachegroups: [],
    patterns: [['STEERING_REGEXP', 0, '.*/match/.*']],
  }),
  service(
    {
      xmlId: 'player',
      type: 'CLIENT_STEERING',
      displayName: 'Player, steered by itself',
      tenant: 'media-house',
      cachegroups: [],
    },
    { protocol: 2, sslKeyVersion: 1 },
  ),
]
