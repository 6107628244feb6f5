/**
 * The JSON types of the routers' document as monitors and routers decode them (clients.md §2 and §3): a quoted
 * boolean is a string, and a wrong type keeps the program from starting.
 */
const text = { type: 'string' }
const int = { type: 'integer' }
const number = { type: 'number' }
const flag = { enum: ['true', 'false'] }
const texts = { type: 'array', items: text }
const intOrNull = { type: ['integer', 'null'] }
const mapOf = (values: object) => ({ type: 'object', additionalProperties: values })
const exactly = (properties: Record<string, object>, optional: Record<string, object> = {}) => ({
  type: 'object',
  properties: { ...properties, ...optional },
  required: Object.keys(properties),
  additionalProperties: false,
})

const place = { profile: text, status: text, ip: text, ip6: text, port: int, fqdn: text, httpsPort: intOrNull }
const bypass = exactly({}, { ip: text, ip6: text, cname: text, fqdn: text, port: text, ttl: int })

export const crConfigTypes = exactly({
  config: { type: 'object', required: ['domain_name', 'dnssec.enabled'] },
  contentServers: mapOf(
    exactly(
      {
        ...place,
        cacheGroup: text,
        locationId: text,
        interfaceName: text,
        type: { type: 'string', pattern: '^(EDGE|MID)' },
        hashId: text,
        hashCount: int,
        routingDisabled: { enum: [0, 1] },
      },
      { deliveryServices: mapOf({ ...texts, minItems: 1 }) },
    ),
  ),
  contentRouters: mapOf(exactly({ ...place, location: text, 'api.port': text }, { 'secure.api.port': text })),
  monitors: mapOf(exactly({ ...place, location: text })),
  deliveryServices: mapOf(
    exactly(
      {
        matchsets: {
          type: 'array',
          minItems: 1,
          items: exactly({
            protocol: { enum: ['HTTP', 'DNS'] },
            matchlist: {
              type: 'array',
              minItems: 1,
              items: exactly({ regex: text, 'match-type': { enum: ['HOST', 'PATH', 'HEADER'] } }),
            },
          }),
        },
        domains: texts,
        routingName: text,
        coverageZoneOnly: flag,
        geolocationProvider: text,
        sslEnabled: flag,
        protocol: exactly({ acceptHttps: flag, redirectToHttps: flag }, { acceptHttp: flag }),
        ip6RoutingEnabled: flag,
        deepCachingType: text,
        ttl: int,
        ttls: exactly({ A: text, AAAA: text, NS: text, SOA: text }),
        soa: exactly({ admin: text, expire: text, minimum: text, refresh: text, retry: text }),
      },
      {
        dispersion: exactly({ limit: int, shuffled: flag }),
        geoEnabled: { type: 'array', items: exactly({ countryCode: text }) },
        geoLimitRedirectURL: text,
        bypassDestination: exactly({}, { DNS: bypass, HTTP: bypass }),
        maxDnsIpsForLocation: int,
        regionalGeoBlocking: flag,
        anonymousBlockingEnabled: flag,
        missLocation: exactly({ lat: number, long: number }),
        responseHeaders: mapOf(text),
        requestHeaders: texts,
        staticDnsEntries: { type: 'array', items: exactly({ name: text, ttl: int, type: text, value: text }) },
      },
    ),
  ),
  edgeLocations: mapOf(
    exactly({
      latitude: number,
      longitude: number,
      backupLocations: exactly({ fallbackToClosest: flag, list: texts }),
      localizationMethods: texts,
    }),
  ),
  trafficRouterLocations: mapOf(exactly({ latitude: number, longitude: number })),
})

/** The monitors' document, likewise. */
export const monitoringTypes = exactly({
  trafficServers: {
    type: 'array',
    items: exactly({
      profile: text,
      ip: text,
      ip6: text,
      status: text,
      cacheGroup: text,
      port: int,
      hostName: text,
      fqdn: text,
      interfaceName: text,
      type: text,
      hashId: text,
    }),
  },
  trafficMonitors: {
    type: 'array',
    items: exactly({
      profile: text,
      location: text,
      ip: text,
      ip6: text,
      status: text,
      port: int,
      hostName: text,
      fqdn: text,
    }),
  },
  cacheGroups: {
    type: 'array',
    items: exactly({ name: text, coordinates: exactly({ latitude: number, longitude: number }) }),
  },
  config: mapOf({ type: ['integer', 'string'] }),
  deliveryServices: {
    type: 'array',
    items: exactly({ xmlId: text, status: text, totalTpsThreshold: int, totalKbpsThreshold: int }),
  },
  profiles: {
    type: 'array',
    items: exactly({ name: text, type: text, parameters: { type: ['object', 'null'] } }),
  },
})
