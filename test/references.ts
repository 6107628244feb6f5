type Document = Readonly<Record<string, readonly object[]>>

interface Reference {
  /** The collection and the field of it that holds the name. */
  readonly kind: string
  readonly key: string
  /** The field of the stored record that holds the id instead; none when the name itself is stored. */
  readonly field?: string
}

const by = (kind: string, key: string) => (field?: string) =>
  field === undefined ? { kind, key } : { kind, key, field }
const cachegroup = by('cachegroups', 'name')
const cdn = by('cdns', 'name')
const coordinate = by('coordinates', 'name')
const profile = by('profiles', 'name')
const server = by('servers', 'hostName')
const service = by('deliveryServices', 'xmlId')
const tenant = by('tenants', 'name')
const type = by('types', 'name')
const user = by('users', 'username')

/** Which field of an import document names a record of which collection. */
export const references: Readonly<Record<string, Readonly<Record<string, Reference>>>> = {
  regions: { divisionName: by('divisions', 'name')('division') },
  physLocations: { region: by('regions', 'name')('regionId') },
  tenants: { parentName: tenant('parentId') },
  users: { roleName: by('roles', 'name')('role'), tenant: tenant('tenantId') },
  cachegroups: {
    typeName: type('typeId'),
    parentCachegroupName: cachegroup('parentCachegroupId'),
    secondaryParentCachegroupName: cachegroup('secondaryParentCachegroupId'),
  },
  cachegroupFallbacks: { cacheGroupName: cachegroup('cacheGroupId'), fallbackName: cachegroup('fallbackId') },
  asns: { cachegroup: cachegroup('cachegroupId') },
  profiles: { cdnName: cdn('cdn') },
  parameters: { profiles: profile('profiles') },
  servers: {
    cachegroup: cachegroup('cachegroupId'),
    cdnName: cdn('cdnId'),
    profile: profile('profileId'),
    type: type('typeId'),
    status: by('statuses', 'name')('statusId'),
    physLocation: by('physLocations', 'name')('physLocationId'),
  },
  deliveryServices: {
    cdnName: cdn('cdnId'),
    type: type('typeId'),
    profileName: profile('profileId'),
    tenant: tenant('tenantId'),
  },
  deliveryServiceRegexes: { deliveryService: service('deliveryServiceId'), typeName: type('typeId') },
  origins: {
    deliveryService: service('deliveryServiceId'),
    cachegroup: cachegroup('cachegroupId'),
    coordinate: coordinate('coordinateId'),
    profile: profile('profileId'),
    tenant: tenant('tenantId'),
  },
  deliveryServiceServers: { server: server('id'), deliveryServices: service('deliveryServices') },
  deliveryServiceUsers: { user: user('id'), deliveryServices: service('deliveryServices') },
  jobs: { deliveryService: service('deliveryServiceId') },
  staticDnsEntries: {
    deliveryService: service('deliveryServiceId'),
    typeName: type('typeId'),
    cachegroup: cachegroup('cachegroupId'),
  },
  steeringTargets: {
    deliveryService: service('deliveryServiceId'),
    target: service('targetId'),
    typeName: type('typeId'),
  },
  federationResolvers: { typeName: type('typeId') },
  federations: {
    deliveryServices: service('deliveryServices'),
    users: user('users'),
    resolvers: by('federationResolvers', 'ipAddress')('resolvers'),
  },
  roles: { capabilities: by('capabilities', 'name')('capabilities') },
  apiCapabilities: { capability: by('capabilities', 'name')('capability') },
  extensions: { type: type('typeId') },
}

/** References of `documents`, taken together, that name nothing: `<collection>[<index>].<field>: <value>`. */
export function danglingReferences(...documents: readonly Document[]): string[] {
  const known = new Map<string, Set<unknown>>()
  for (const { kind, key } of Object.values(references).flatMap((fields) => Object.values(fields))) {
    const records = documents.flatMap((document) => document[kind] ?? [])
    known.set(`${kind}/${key}`, new Set(records.map((record) => Reflect.get(record, key))))
  }
  return documents.flatMap((document) =>
    Object.entries(document).flatMap(([collection, records]) =>
      records.flatMap((record, index) =>
        Object.entries(references[collection] ?? {}).flatMap(([field, target]) =>
          [Reflect.get(record, field)]
            .flat()
            .filter(
              (value) =>
                value !== null && value !== undefined && !known.get(`${target.kind}/${target.key}`)?.has(value),
            )
            .map((value) => `${collection}[${index}].${field}: ${value}`),
        ),
      ),
    ),
  )
}

const uniqueKeys: Record<string, readonly string[]> = {
  servers: ['hostName', 'ipAddress', 'ip6Address'],
  deliveryServices: ['xmlId'],
  cachegroups: ['name'],
  profiles: ['name', 'description'],
  origins: ['name'],
  capabilities: ['name'],
  extensions: ['name'],
  tenants: ['name'],
}

/** Values that should be unique over the documents and are not, and parameters that repeat another of their document. */
export function repeatedKeys(...documents: readonly Document[]): string[] {
  const all = (collection: string) => documents.flatMap((document) => document[collection] ?? [])
  const single = Object.entries(uniqueKeys).flatMap(([collection, fields]) =>
    fields.flatMap((field) =>
      repeated(all(collection).map((record) => `${collection}.${field} ${Reflect.get(record, field)}`)),
    ),
  )
  // One that two documents have is one record, which the profiles of both have.
  const contents = documents.map(({ parameters = [] }) =>
    parameters.map((parameter) =>
      ['name', 'configFile', 'value'].map((field) => Reflect.get(parameter, field)).join(' | '),
    ),
  )
  return [...single, ...contents.flatMap(repeated)]
}

function repeated(values: readonly string[]): string[] {
  const seen = new Set<string>()
  return values.filter((value) => seen.size === seen.add(value).size)
}
