/** A delivery service of the sample: its record, the cache groups that carry it, and its patterns. */
export type SampleService = ReturnType<typeof service>

/** What every service says of itself; options are those in which it differs from `usual`. */
export interface ServiceName {
  readonly xmlId: string
  readonly type: string
  readonly displayName: string
  readonly tenant: string
  /** Empty for services that no cache serves (steering). */
  readonly cachegroups: readonly string[]
  /** Patterns beside the usual one for its host name: type, set number, pattern. */
  readonly patterns?: readonly (readonly [typeName: string, setNumber: number, pattern: string])[]
}

export type ServiceOptions = Partial<typeof usual>

export function service(
  cdnName: string,
  { xmlId, type, displayName, tenant, cachegroups, patterns = [] }: ServiceName,
  options: ServiceOptions = {},
) {
  const byType = type === 'ANY_MAP' ? raw : type.endsWith('STEERING') ? steering : type.startsWith('HTTP') ? {} : dns
  const regexes = [['HOST_REGEXP', 0, `.*\\.${xmlId}\\..*`] as const, ...patterns]
  return {
    record: { xmlId, cdnName, type, displayName, tenant, ...usual, ...byType, ...options },
    cachegroups,
    regexes: regexes.map(([typeName, setNumber, pattern]) => ({
      deliveryService: xmlId,
      typeName,
      setNumber,
      pattern,
    })),
  }
}

const none = null as string | null
const noNumber = null as number | null

const usual = {
  active: true,
  orgServerFqdn: none,
  profileName: none,
  protocol: 0 as number | null,
  routingName: 'cdn',
  dscp: 0,
  logsEnabled: true,
  ipv6RoutingEnabled: true,

  qstringIgnore: 0 as number | null,
  rangeRequestHandling: 0 as number | null,
  signingAlgorithm: none,
  edgeHeaderRewrite: none,
  midHeaderRewrite: none,
  regexRemap: none,
  remapText: none,
  cacheurl: none,
  fqPacingRate: noNumber,
  multiSiteOrigin: false,
  originShield: none,
  maxOriginConnections: noNumber,
  checkPath: none,

  ccrDnsTtl: 30 as number | null,
  deepCachingType: 'NEVER',
  initialDispersion: 2 as number | null,
  maxDnsAnswers: 0 as number | null,
  geoLimit: 0,
  geoLimitCountries: none,
  geoLimitRedirectURL: none,
  geoProvider: 0,
  regionalGeoBlocking: false,
  anonymousBlockingEnabled: false,
  missLat: 41.85 as number | null,
  missLong: -87.62 as number | null,
  globalMaxMbps: noNumber,
  globalMaxTps: noNumber,
  httpBypassFqdn: none,
  dnsBypassIp: none,
  dnsBypassIp6: none,
  dnsBypassCname: none,
  dnsBypassTtl: noNumber,
  trRequestHeaders: none,
  trResponseHeaders: none,
  sslKeyVersion: 0,

  infoUrl: none,
  longDesc: none,
  longDesc1: none,
  longDesc2: none,
}

const dns: ServiceOptions = { initialDispersion: null, maxDnsAnswers: 5, routingName: 'edge' }

/** Fields a service has no use for when no cache keeps anything for it. */
const withoutContent: ServiceOptions = {
  qstringIgnore: null,
  rangeRequestHandling: null,
  initialDispersion: null,
  missLat: null,
  missLong: null,
}

const steering: ServiceOptions = { ...withoutContent, initialDispersion: 1 }

const raw: ServiceOptions = { ...withoutContent, protocol: null, ipv6RoutingEnabled: false }
