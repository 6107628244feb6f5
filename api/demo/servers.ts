interface Rack {
  readonly cachegroup: string
  readonly profile: string
  readonly type: string
  readonly cdnName: string
  readonly hosts: readonly string[]
  readonly status?: string
  readonly offlineReason?: string
  readonly tcpPort?: number
}

const stream = { cdnName: 'stream' }
const classic = { cdnName: 'classic' }

const racks: readonly Rack[] = [
  edges(stream, 'edge-nyc', 'EDGE_ATS9', ['edge-nyc-01', 'edge-nyc-02', 'edge-nyc-03']),
  {
    ...edges(stream, 'edge-nyc', 'EDGE_ATS9', ['edge-nyc-04']),
    status: 'ADMIN_DOWN',
    offlineReason: 'alex: replacing a fan',
  },
  edges(stream, 'edge-chi', 'EDGE_ATS9', ['edge-chi-01', 'edge-chi-02', 'edge-chi-03']),
  edges(stream, 'edge-lax', 'EDGE_ATS9', ['edge-lax-01', 'edge-lax-02', 'edge-lax-03']),
  edges(stream, 'edge-sea', 'EDGE_ATS8', ['edge-sea-01', 'edge-sea-02']),
  edges(stream, 'edge-lon', 'EDGE_ATS9', ['edge-lon-01', 'edge-lon-02']),
  { ...edges(stream, 'edge-lon', 'EDGE_ATS9', ['edge-lon-03']), status: 'ONLINE' },
  edges(stream, 'edge-fra', 'EDGE_ATS9_SSD', ['edge-fra-01', 'edge-fra-02']),
  { ...edges(stream, 'edge-fra', 'EDGE_ATS9_SSD', ['edge-fra-03']), status: 'PRE_PROD' },
  edges(stream, 'edge-mil', 'EDGE_ATS9', ['edge-mil-01', 'edge-mil-02']),

  mids(stream, 'mid-us-east', 'MID_ATS9', ['mid-us-east-01', 'mid-us-east-02']),
  mids(stream, 'mid-us-east', 'MID_ATS9_CANARY', ['mid-us-east-03']),
  mids(stream, 'mid-us-west', 'MID_ATS9', ['mid-us-west-01']),
  mids(stream, 'mid-us-west', 'MID_ATS8', ['mid-us-west-02']),
  mids(stream, 'mid-eu-north', 'MID_ATS9', ['mid-eu-north-01', 'mid-eu-north-02']),
  mids(stream, 'mid-eu-south', 'MID_ATS9', ['mid-eu-south-01']),

  origins(stream, 'org-us-east', 'ORG_STREAM', ['origin-nyc-01', 'origin-nyc-02']),
  origins(stream, 'org-us-west', 'ORG_STREAM', ['origin-lax-01']),
  { ...origins(stream, 'org-eu', 'ORG_STREAM_SPARE', ['origin-lon-01']), tcpPort: 8080 },

  infrastructure(stream, 'infra-us', 'RASCAL', 'monitor-stream-01'),
  infrastructure(stream, 'infra-eu', 'RASCAL', 'monitor-stream-02'),
  infrastructure(stream, 'infra-us', 'CCR', 'router-stream-01'),
  infrastructure(stream, 'infra-eu', 'CCR', 'router-stream-02'),

  edges(classic, 'edge-den', 'EDGE_ATS7', ['edge-den-01', 'edge-den-02']),
  {
    ...edges(classic, 'edge-den', 'EDGE_ATS7', ['edge-den-03']),
    status: 'OFFLINE',
    offlineReason: 'alex: waiting for parts',
  },
  edges(classic, 'edge-dal', 'EDGE_ATS7', ['edge-dal-01']),
  { ...edges(classic, 'edge-dal', 'EDGE_ATS6', ['edge-dal-02']), tcpPort: 8080 },
  mids(classic, 'mid-us-central', 'MID_ATS7', ['mid-us-central-01', 'mid-us-central-02']),
  mids(classic, 'mid-us-west', 'MID_ATS6', ['mid-us-west-03']),
  origins(classic, 'org-us-east', 'ORG_CLASSIC', ['origin-nyc-03']),
  origins(classic, 'org-us-west', 'ORG_CLASSIC', ['origin-lax-02']),
  infrastructure(classic, 'infra-us', 'RASCAL', 'monitor-classic-01'),
  infrastructure(classic, 'infra-us', 'CCR', 'router-classic-01'),

  { ...infrastructure({ cdnName: 'ALL' }, 'infra-us', 'TRAFFIC_OPS', 'ops-01'), profile: 'TRAFFIC_OPS', tcpPort: 443 },
]

/** Cache group to the city its machines stand in, by the short name of the physical location. */
const cityOf: Readonly<Record<string, string>> = {
  'edge-nyc': 'New York',
  'org-us-east': 'New York',
  'mid-us-east': 'Ashburn',
  'infra-us': 'Ashburn',
  'edge-chi': 'Chicago',
  'edge-den': 'Denver',
  'mid-us-central': 'Denver',
  'edge-dal': 'Dallas',
  'edge-lax': 'Los Angeles',
  'mid-us-west': 'Los Angeles',
  'org-us-west': 'Los Angeles',
  'edge-sea': 'Seattle',
  'edge-lon': 'London',
  'org-eu': 'London',
  'edge-fra': 'Frankfurt',
  'mid-eu-north': 'Frankfurt',
  'infra-eu': 'Frankfurt',
  'edge-mil': 'Milan',
  'mid-eu-south': 'Milan',
}

/** Every machine, with an address from the blocks that are reserved for documentation: a /28 per cache group. */
export const servers = racks.flatMap((rack) => rack.hosts.map((hostName) => ({ rack, hostName }))).map(toServer)

function toServer(
  { rack, hostName }: { rack: Rack; hostName: string },
  index: number,
  all: { rack: Rack; hostName: string }[],
) {
  const { hosts: _, offlineReason = null, tcpPort = 80, status = 'REPORTED', ...rest } = rack
  const block = Object.keys(cityOf).indexOf(rack.cachegroup)
  const before = all.slice(0, index).filter((other) => other.rack.cachegroup === rack.cachegroup).length
  const net = block < 16 ? '192.0.2' : '198.51.100'
  const first = (block % 16) * 16
  const isCache = rack.type === 'EDGE' || rack.type === 'MID'
  return {
    ...rest,
    hostName,
    domainName: `${rack.cdnName === 'ALL' ? 'ops' : rack.cdnName}.example.net`,
    status,
    offlineReason,
    tcpPort,
    httpsPort: rack.type === 'EDGE' ? 443 : null,
    physLocation: `${cityOf[rack.cachegroup]} colocation`,
    rack: `R${String(1 + Math.floor(before / 3)).padStart(2, '0')}`,
    interfaceName: isCache ? 'bond0' : 'eth0',
    interfaceMtu: isCache ? 9000 : 1500,
    ipAddress: `${net}.${first + 2 + before}`,
    ipNetmask: '255.255.255.240',
    ipGateway: `${net}.${first + 1}`,
    ip6Address: `2001:db8:${(block + 1).toString(16)}::${(before + 2).toString(16)}/64`,
    ip6Gateway: `2001:db8:${(block + 1).toString(16)}::1`,
    xmppId: hostName,
  }
}

type Owner = Pick<Rack, 'cdnName'>

function edges(owner: Owner, cachegroup: string, profile: string, hosts: readonly string[]): Rack {
  return { ...owner, cachegroup, profile, type: 'EDGE', hosts }
}

function mids(owner: Owner, cachegroup: string, profile: string, hosts: readonly string[]): Rack {
  return { ...owner, cachegroup, profile, type: 'MID', hosts }
}

function origins(owner: Owner, cachegroup: string, profile: string, hosts: readonly string[]): Rack {
  return { ...owner, cachegroup, profile, type: 'ORG', hosts, status: 'ONLINE' }
}

/** Monitors, routers and the like; their profile is named after the type and the CDN. */
function infrastructure(owner: Owner, cachegroup: string, type: string, host: string): Rack {
  const profile = `${type}_${owner.cdnName.toUpperCase()}`
  return { ...owner, cachegroup, profile, type, hosts: [host], status: 'ONLINE' }
}
