import type { FleetSize } from './fleetSizes.js'

interface NamedProfile {
  readonly name: string
}

/** Places, cache groups and servers: nine of ten caches are edges; a monitor and a router per 500 servers. */
export function fleetServers(size: FleetSize, profiles: readonly NamedProfile[]) {
  const groups = cacheGroups(size.cachegroups)
  const helpers = Math.max(1, Math.round(size.servers / 500))
  const origins = 4
  const caches = size.servers - 2 * helpers - origins
  const midCount = Math.round(caches / 10)
  const named = (prefix: string) => profiles.filter(({ name }) => name.startsWith(prefix)).map(({ name }) => name)
  const edges = spread(caches - midCount, groups.edges, named('EDGE'))
  const mids = spread(midCount, groups.mids, named('MID'))
  const fixed = (type: string, count: number, in_: readonly string[]) =>
    Array.from({ length: count }, (_, index) => ({
      cachegroup: in_[index % in_.length]!,
      profile: `${type}_FLEET`,
      type,
      number: index,
    }))
  const all = [
    ...edges.map((server) => ({ ...server, type: 'EDGE' })),
    ...mids.map((server) => ({ ...server, type: 'MID' })),
    ...fixed('ORG', origins, groups.origins),
    ...fixed('RASCAL', helpers, groups.edges),
    ...fixed('CCR', helpers, groups.edges),
  ]
  return {
    divisions: [{ name: 'World' }],
    regions: [{ name: 'Earth', divisionName: 'World' }],
    physLocations: groups.all.map(({ name }) => location(name)),
    cachegroups: groups.all,
    servers: all.map(server),
  }
}

/** A tenth of the groups hold mids, two hold origins; each edge group has a mid group as parent and one in reserve. */
function cacheGroups(count: number) {
  const origins = [0, 1].map((index) => group(`origins-${index}`, 'ORG_LOC', index))
  const midCount = Math.max(2, Math.round(count / 10))
  const name = (list: readonly { name: string }[], index: number) => list[index % list.length]!.name
  const mids = Array.from({ length: midCount }, (_, index) => ({
    ...group(`mids-${index}`, 'MID_LOC', index),
    parentCachegroupName: name(origins, index),
    secondaryParentCachegroupName: name(origins, index + 1),
  }))
  const edges = Array.from({ length: count - midCount - origins.length }, (_, index) => ({
    ...group(`edges-${index}`, 'EDGE_LOC', index),
    parentCachegroupName: name(mids, index),
    secondaryParentCachegroupName: name(mids, index + 1),
  }))
  const names = (list: readonly { name: string }[]) => list.map((each) => each.name)
  return { all: [...origins, ...mids, ...edges], origins: names(origins), mids: names(mids), edges: names(edges) }
}

function group(name: string, typeName: string, index: number) {
  return {
    name,
    shortName: name,
    typeName,
    latitude: ((index * 37) % 120) - 60,
    longitude: ((index * 73) % 360) - 180,
    parentCachegroupName: null as string | null,
    secondaryParentCachegroupName: null as string | null,
    fallbackToClosest: true,
    localizationMethods: [],
  }
}

function location(shortName: string) {
  return {
    name: `Location of ${shortName}`,
    shortName,
    address: '1 Example Street',
    city: 'Example',
    state: 'EX',
    zip: '00000',
    phone: null,
    poc: null,
    email: null,
    comments: null,
    region: 'Earth',
  }
}

/** Servers in blocks, one block per group; a group has one profile, two when there are more profiles than groups. */
function spread(count: number, groups: readonly string[], profiles: readonly string[]) {
  const perGroup = profiles.length > groups.length ? Math.ceil(profiles.length / groups.length) : 1
  return Array.from({ length: count }, (_, number) => {
    const position = Math.floor((number * groups.length) / count)
    const first = Math.ceil((position * count) / groups.length)
    const size = Math.ceil(((position + 1) * count) / groups.length) - first
    const part = Math.floor(((number - first) * perGroup) / size)
    return { cachegroup: groups[position]!, profile: profiles[(position * perGroup + part) % profiles.length]!, number }
  })
}

interface Placed {
  readonly cachegroup: string
  readonly profile: string
  readonly type: string
  readonly number: number
}

function server({ number, ...placed }: Placed, index: number) {
  const hostName = `${placed.type.toLowerCase()}-${String(number).padStart(4, '0')}`
  const [high, low] = [Math.floor(index / 250), 1 + (index % 250)]
  return {
    ...placed,
    hostName,
    domainName: 'fleet.example.net',
    cdnName: 'fleet',
    status: placed.type === 'EDGE' || placed.type === 'MID' ? 'REPORTED' : 'ONLINE',
    offlineReason: null,
    physLocation: `Location of ${placed.cachegroup}`,
    rack: `R${number % 40}`,
    tcpPort: 80,
    httpsPort: placed.type === 'EDGE' ? 443 : null,
    interfaceName: 'bond0',
    interfaceMtu: 9000,
    ipAddress: `10.1.${high}.${low}`,
    ipNetmask: '255.255.255.0',
    ipGateway: `10.1.${high}.254`,
    ip6Address: `2001:db8:${high.toString(16)}::${low.toString(16)}/64`,
    ip6Gateway: `2001:db8:${high.toString(16)}::ffff`,
    xmppId: hostName,
  }
}
