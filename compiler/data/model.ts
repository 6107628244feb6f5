import type { Key, Schema } from './kindSchema.js'

/**
 * The records as a compile sees them: for each kind the fields it may read and the indexes it may ask by.
 *
 * A field that is not named here can be edited without any artifact going stale: the working set compares
 * exactly these fields to decide whether a record "moved" for the compiler. `links` are fields that only
 * the index functions see. The API's own record types must be assignable to these; that is checked where
 * they are put together.
 */

const text = '' as string
const int = 0 as number
const flag = false as boolean
const maybe = <T>(_: T) => null as T | null
const list = <T>(_: T) => [] as readonly T[]

type WithId<F> = Readonly<{ id: number } & F>
type IndexFn<R> = (record: R) => Key | null | readonly Key[]

export interface KindDeclaration<F extends object, L extends object, I extends Record<string, IndexFn<WithId<F & L>>>> {
  readonly fields: F
  readonly links: L
  readonly indexes: I
}

function kind<
  F extends object,
  I extends Record<string, IndexFn<WithId<F & L>>>,
  L extends object = Record<never, never>,
>(declaration: { fields: F; links?: L; indexes: I }): KindDeclaration<F, L, I> {
  return { links: {} as L, ...declaration }
}

export const kinds = {
  cdns: kind({
    fields: { name: text, domainName: text, dnssecEnabled: flag },
    indexes: { name: (cdn) => cdn.name },
  }),

  types: kind({
    fields: { name: text, useInTable: text },
    indexes: { name: (type) => type.name },
  }),

  statuses: kind({
    fields: { name: text },
    indexes: { name: (status) => status.name },
  }),

  cachegroups: kind({
    fields: {
      name: text,
      typeId: int,
      latitude: maybe(int),
      longitude: maybe(int),
      parentCachegroupId: maybe(int),
      secondaryParentCachegroupId: maybe(int),
      fallbackToClosest: flag,
      localizationMethods: list(text),
    },
    indexes: {
      name: (group) => group.name,
      typeId: (group) => group.typeId,
      parentCachegroupId: (group) => group.parentCachegroupId,
      secondaryParentCachegroupId: (group) => group.secondaryParentCachegroupId,
    },
  }),

  cachegroupFallbacks: kind({
    fields: { cacheGroupId: int, fallbackId: int, fallbackOrder: int },
    indexes: { cacheGroupId: (fallback) => fallback.cacheGroupId },
  }),

  profiles: kind({
    fields: { name: text, type: text, cdn: maybe(int), routingDisabled: flag },
    indexes: { name: (profile) => profile.name, cdn: (profile) => profile.cdn },
  }),

  /** `profiles` holds the ids of the profiles a parameter is linked to. */
  parameters: kind({
    fields: { name: text, configFile: text, value: text, secure: flag },
    links: { profiles: list(int) },
    indexes: {
      /** `<profile id>/<config file>` */
      profileFile: (parameter) => parameter.profiles.map((profile) => `${profile}/${parameter.configFile}`),
      /** `<profile id>/<parameter name>` */
      profileName: (parameter) => parameter.profiles.map((profile) => `${profile}/${parameter.name}`),
      /** `<parameter name>/<config file>`, of any profile */
      nameFile: (parameter) => `${parameter.name}/${parameter.configFile}`,
      /** Parameters of a config file that are linked to at least one profile. */
      configFile: (parameter) => (parameter.profiles.length > 0 ? parameter.configFile : null),
    },
  }),

  servers: kind({
    fields: {
      hostName: text,
      domainName: text,
      cachegroupId: int,
      cdnId: int,
      profileId: int,
      typeId: int,
      statusId: int,
      tcpPort: maybe(int),
      httpsPort: maybe(int),
      interfaceName: text,
      /** Caches, routers and monitors have them. */
      ipAddress: maybe(text),
      ipNetmask: maybe(text),
      ip6Address: maybe(text),
      /** The consistent-hash id; the host name when nothing else was given. */
      xmppId: maybe(text),
    },
    indexes: {
      hostName: (server) => server.hostName,
      cdnId: (server) => server.cdnId,
      cachegroupId: (server) => server.cachegroupId,
      profileId: (server) => server.profileId,
      /** `<cdn id>/<type id>` */
      cdnType: (server) => `${server.cdnId}/${server.typeId}`,
      typeId: (server) => server.typeId,
    },
  }),

  deliveryServices: kind({
    fields: {
      xmlId: text,
      active: flag,
      cdnId: int,
      typeId: int,
      profileId: maybe(int),
      /** Scheme, host and optional port, without a trailing slash; null for types without an origin. */
      orgServerFqdn: maybe(text),
      routingName: text,
      protocol: maybe(int),
      dscp: int,
      edgeHeaderRewrite: maybe(text),
      midHeaderRewrite: maybe(text),
      regexRemap: maybe(text),
      remapText: maybe(text),
      cacheurl: maybe(text),
      qstringIgnore: maybe(int),
      rangeRequestHandling: maybe(int),
      signingAlgorithm: maybe(text),
      fqPacingRate: maybe(int),
      multiSiteOrigin: flag,
      originShield: maybe(text),
      checkPath: maybe(text),
      ccrDnsTtl: maybe(int),
      deepCachingType: text,
      dnsBypassCname: maybe(text),
      dnsBypassIp: maybe(text),
      dnsBypassIp6: maybe(text),
      dnsBypassTtl: maybe(int),
      geoLimit: int,
      geoLimitCountries: maybe(text),
      geoLimitRedirectURL: maybe(text),
      geoProvider: int,
      globalMaxMbps: maybe(int),
      globalMaxTps: maybe(int),
      httpBypassFqdn: maybe(text),
      initialDispersion: maybe(int),
      ipv6RoutingEnabled: flag,
      maxDnsAnswers: maybe(int),
      missLat: maybe(int),
      missLong: maybe(int),
      regionalGeoBlocking: flag,
      anonymousBlockingEnabled: flag,
      sslKeyVersion: maybe(int),
      trRequestHeaders: maybe(text),
      trResponseHeaders: maybe(text),
      maxOriginConnections: maybe(int),
    },
    indexes: {
      xmlId: (service) => service.xmlId,
      cdnId: (service) => service.cdnId,
      profileId: (service) => service.profileId,
    },
  }),

  deliveryServiceRegexes: kind({
    fields: { deliveryServiceId: int, typeId: int, pattern: text, setNumber: int },
    indexes: { deliveryServiceId: (regex) => regex.deliveryServiceId },
  }),

  /** The delivery services of one server; `id` is the server's id. */
  deliveryServiceServers: kind({
    fields: { deliveryServices: list(int) },
    indexes: { deliveryServices: (assignment) => assignment.deliveryServices },
  }),

  /** Content invalidation rules. `active` is cleared by a journal entry when the rule has run out. */
  jobs: kind({
    fields: {
      deliveryServiceId: int,
      assetUrl: text,
      keyword: text,
      /** `TTL:<hours>h` */
      parameters: text,
      /** ISO 8601, UTC */
      startTime: text,
      active: flag,
    },
    indexes: { activeService: (job) => (job.active ? job.deliveryServiceId : null) },
  }),

  staticDnsEntries: kind({
    fields: {
      host: text,
      address: text,
      ttl: int,
      typeId: int,
      deliveryServiceId: int,
      cachegroupId: maybe(int),
    },
    indexes: { deliveryServiceId: (entry) => entry.deliveryServiceId },
  }),

  /** `id` is the delivery service's id; `sealed` is `{key0: …}` as JSON text, encrypted. */
  urlSigKeys: kind({ fields: { sealed: text }, indexes: {} }),

  /** `id` is the delivery service's id; `sealed` is the key document byte for byte, encrypted. */
  uriSigningKeys: kind({ fields: { sealed: text }, indexes: {} }),
} as const

export type Kinds = typeof kinds
export type KindName = keyof Kinds
export type Model = { [K in KindName]: WithId<Kinds[K]['fields']> }
export type IndexName<K extends KindName> = keyof Kinds[K]['indexes'] & string

export type Cdn = Model['cdns']
export type Cachegroup = Model['cachegroups']
export type Profile = Model['profiles']
export type Parameter = Model['parameters']
export type Server = Model['servers']
export type DeliveryService = Model['deliveryServices']
export type DeliveryServiceRegex = Model['deliveryServiceRegexes']
export type Job = Model['jobs']

/** The model as a working set's schema: what a compiling thread holds. */
export const modelSchema: Schema = Object.fromEntries(
  Object.entries(kinds).map(([name, { fields, indexes }]) => [name, { seen: Object.keys(fields), indexes }]),
)
