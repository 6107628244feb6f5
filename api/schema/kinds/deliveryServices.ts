import {
  decimal,
  flag,
  hostLabel,
  integer,
  ipv4,
  ipv6,
  latitude,
  longitude,
  oneOf,
  optional,
  ref,
  text,
  urlHost,
} from '../../schema/fields.js'
import { defineKind } from '../defineKind.js'

/** Text that ends up in config files: long, on one line, blank is absent. */
const rule = () => optional(text({ max: 65_536, tabs: true, normalize: (given) => (given.trim() === '' ? '' : given) }))
const count = () => optional(integer({ max: 1_000_000_000 }))

/** The fields of a delivery service, in the groups an operator thinks of. */
export const fields = {
  xmlId: text({
    unique: true,
    max: 48,
    pattern: '^[A-Za-z0-9]([A-Za-z0-9_-]*)$',
    form: 'letters, digits, hyphens and underscores, with a letter or digit first',
    kept: true,
    description: 'Part of file names and of host names.',
  }),
  displayName: text({ max: 48 }),
  active: flag(),
  cdnId: ref('cdns', { nameAliases: ['cdnName', 'cdn'] }),
  typeId: ref('types', { nameAliases: ['type', 'typeName'] }),
  tenantId: ref('tenants', {
    nameAliases: ['tenant'],
    default: null,
    since: '1.2',
    description: "The caller's own tenant when the body names none.",
  }),
  profileId: optional(ref('profiles', { nameAliases: ['profileName', 'profile'] })),
  longDesc: optional(text({ max: 4096, lines: true })),
  longDesc1: optional(text({ max: 4096, lines: true })),
  longDesc2: optional(text({ max: 4096, lines: true })),
  infoUrl: optional(text({ max: 2048 })),
  logsEnabled: flag({ default: false }),

  orgServerFqdn: optional(
    text({
      max: 300,
      pattern: `^https?://${urlHost}(:[0-9]{1,5})?$`,
      form: '"http://host[:port]" or "https://host[:port]"',
      hostLength: 253,
      description: 'Scheme, host and optional port of the origin; without a trailing slash.',
    }),
  ),
  multiSiteOrigin: flag({ default: false }),
  multiSiteOriginAlgorithm: count(),
  originShield: rule(),
  maxOriginConnections: optional(integer({ max: 1_000_000_000, since: '1.3' })),
  checkPath: optional(text({ max: 2048 })),

  protocol: optional(oneOf([0, 1, 2, 3], { description: '0 http, 1 https, 2 both, 3 http redirected to https.' })),
  routingName: hostLabel({ default: 'cdn', since: '1.2' }),
  dscp: integer({ max: 63, default: 0 }),
  ipv6RoutingEnabled: flag({ default: false }),
  sslKeyVersion: optional(integer({ default: 0 })),
  edgeHeaderRewrite: rule(),
  midHeaderRewrite: rule(),
  regexRemap: rule(),
  remapText: rule(),
  cacheurl: rule(),
  qstringIgnore: optional(
    oneOf([0, 1, 2], { description: '0 in the cache key and passed up; 1 passed up only; 2 dropped at the edge.' }),
  ),
  rangeRequestHandling: optional(
    oneOf([0, 1, 2, 3], {
      description:
        '0 ranges are not cached; 1 background fetch; 2 ranges are cached as objects; 3 blocks of objects are.',
    }),
  ),
  signingAlgorithm: optional(oneOf(['url_sig', 'uri_signing'])),
  fqPacingRate: optional(integer({ max: 1_000_000_000_000, description: 'Bits per second; 0 and absent: no pacing.' })),

  ccrDnsTtl: count(),
  maxDnsAnswers: count(),
  deepCachingType: oneOf(['NEVER', 'ALWAYS'], {
    default: 'NEVER',
    normalize: (given) => given.toUpperCase(),
    since: '1.2',
  }),
  initialDispersion: optional(integer({ min: 1, max: 10_000 })),
  trRequestHeaders: rule(),
  trResponseHeaders: rule(),

  geoLimit: oneOf([0, 1, 2], {
    default: 0,
    description: '0 everywhere; 1 coverage zone only; 2 coverage zone or one of the countries.',
  }),
  geoLimitCountries: optional(
    text({
      max: 1024,
      pattern: '^[A-Z]{2}(,[A-Z]{2})*$',
      form: 'codes of countries of two letters, with commas between them, such as DE,FR',
      normalize: (given) => given.toUpperCase().replaceAll(' ', ''),
    }),
  ),
  geoLimitRedirectURL: optional(
    text({
      max: 2048,
      aliases: ['geoLimitRedirectUrl'],
      since: '1.3',
      description: 'Older versions know it as `geoLimitRedirectUrl`.',
    }),
  ),
  geoProvider: oneOf([0, 1], { default: 0, description: '0 Maxmind, 1 Neustar.' }),
  missLat: optional(latitude()),
  missLong: optional(longitude()),
  regionalGeoBlocking: flag({ default: false }),
  anonymousBlockingEnabled: flag({ default: false }),

  globalMaxMbps: optional(decimal({ min: 0, max: 1_000_000_000 })),
  globalMaxTps: optional(decimal({ min: 0, max: 1_000_000_000 })),
  httpBypassFqdn: optional(text({ max: 300, pattern: '^[A-Za-z0-9._:-]+$', form: '"host[:port]"' })),
  dnsBypassCname: optional(text({ max: 254, pattern: '^[A-Za-z0-9._-]+$', form: 'a DNS name' })),
  dnsBypassIp: optional(ipv4()),
  dnsBypassIp6: optional(ipv6()),
  dnsBypassTtl: count(),
}

const derived = {
  profileDescription: '1.1',
  geoLimitRedirectUrl: '1.1',
  signed: '1.1',
  exampleURLs: '1.1',
  matchList: '1.1',
} as const

export default defineKind({
  kind: 'deliveryServices',
  description: 'What a customer delivers over the CDN: an origin, how it is cached and how its clients are routed.',
  label: 'deliveryservice',
  key: 'xmlId',
  fields,
  computed: derived,
})
