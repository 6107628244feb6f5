type Document = Readonly<Record<string, readonly object[]>>

/** Which field of an import document names a record of which collection, by which of its fields. */
const references: Record<string, Record<string, readonly [collection: string, key: string]>> = {
  regions: { divisionName: ['divisions', 'name'] },
  physLocations: { region: ['regions', 'name'] },
  tenants: { parentName: ['tenants', 'name'] },
  users: { roleName: ['roles', 'name'], tenant: ['tenants', 'name'] },
  cachegroups: {
    typeName: ['types', 'name'],
    parentCachegroupName: ['cachegroups', 'name'],
    secondaryParentCachegroupName: ['cachegroups', 'name'],
  },
  cachegroupFallbacks: { cacheGroupName: ['cachegroups', 'name'], fallbackName: ['cachegroups', 'name'] },
  asns: { cachegroup: ['cachegroups', 'name'] },
  profiles: { cdnName: ['cdns', 'name'] },
  parameters: { profiles: ['profiles', 'name'] },
  servers: {
    cachegroup: ['cachegroups', 'name'],
    cdnName: ['cdns', 'name'],
    profile: ['profiles', 'name'],
    type: ['types', 'name'],
    status: ['statuses', 'name'],
    physLocation: ['physLocations', 'name'],
  },
  deliveryServices: {
    cdnName: ['cdns', 'name'],
    type: ['types', 'name'],
    profileName: ['profiles', 'name'],
    tenant: ['tenants', 'name'],
  },
  deliveryServiceRegexes: { deliveryService: ['deliveryServices', 'xmlId'], typeName: ['types', 'name'] },
  origins: {
    deliveryService: ['deliveryServices', 'xmlId'],
    cachegroup: ['cachegroups', 'name'],
    coordinate: ['coordinates', 'name'],
    profile: ['profiles', 'name'],
    tenant: ['tenants', 'name'],
  },
  deliveryServiceServers: { server: ['servers', 'hostName'], deliveryServices: ['deliveryServices', 'xmlId'] },
  deliveryServiceUsers: { user: ['users', 'username'], deliveryServices: ['deliveryServices', 'xmlId'] },
  jobs: { deliveryService: ['deliveryServices', 'xmlId'] },
  staticDnsEntries: {
    deliveryService: ['deliveryServices', 'xmlId'],
    typeName: ['types', 'name'],
    cachegroup: ['cachegroups', 'name'],
  },
  steeringTargets: {
    deliveryService: ['deliveryServices', 'xmlId'],
    target: ['deliveryServices', 'xmlId'],
    typeName: ['types', 'name'],
  },
  federationResolvers: { typeName: ['types', 'name'] },
  federations: {
    deliveryServices: ['deliveryServices', 'xmlId'],
    users: ['users', 'username'],
    resolvers: ['federationResolvers', 'ipAddress'],
  },
  roles: { capabilities: ['capabilities', 'name'] },
  apiCapabilities: { capability: ['capabilities', 'name'] },
  extensions: { type: ['types', 'name'] },
}

/** References of `documents`, taken together, that name nothing: `<collection>[<index>].<field>: <value>`. */
export function danglingReferences(...documents: readonly Document[]): string[] {
  const known = new Map<string, Set<unknown>>()
  for (const [collection, key] of Object.values(references).flatMap((fields) => Object.values(fields))) {
    const records = documents.flatMap((document) => document[collection] ?? [])
    known.set(`${collection}/${key}`, new Set(records.map((record) => Reflect.get(record, key))))
  }
  return documents.flatMap((document) =>
    Object.entries(document).flatMap(([collection, records]) =>
      records.flatMap((record, index) =>
        Object.entries(references[collection] ?? {}).flatMap(([field, [target, key]]) =>
          [Reflect.get(record, field)]
            .flat()
            .filter((value) => value !== null && value !== undefined && !known.get(`${target}/${key}`)?.has(value))
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

/** Values that should be unique over the documents and are not, and parameters that repeat another. */
export function repeatedKeys(...documents: readonly Document[]): string[] {
  const all = (collection: string) => documents.flatMap((document) => document[collection] ?? [])
  const single = Object.entries(uniqueKeys).flatMap(([collection, fields]) =>
    fields.flatMap((field) =>
      repeated(all(collection).map((record) => `${collection}.${field} ${Reflect.get(record, field)}`)),
    ),
  )
  const contents = all('parameters').map((parameter) =>
    ['name', 'configFile', 'value'].map((field) => Reflect.get(parameter, field)).join(' | '),
  )
  return [...single, ...repeated(contents)]
}

function repeated(values: readonly string[]): string[] {
  const seen = new Set<string>()
  return values.filter((value) => seen.size === seen.add(value).size)
}
