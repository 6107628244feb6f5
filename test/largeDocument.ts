/** A document of 50,000 new records that name each other, as text; each round has others. */
export function largeDocument(round: number): [text: string, records: number] {
  const name = (what: string, at: number) => `${what}-${round}-${at}`
  const divisions = made(5_000, (at) => ({ name: name('division', at) }))
  const profiles = made(100, (at) => ({
    name: name('PROFILE', at),
    description: 'many',
    type: 'ATS_PROFILE',
    cdnName: name('cdn', 0),
  }))
  const parameters = made(20_000, (at) => ({
    name: name('parameter', at),
    configFile: `file${at % 40}.config`,
    value: `value ${at}`,
    profileNames: [name('PROFILE', at % 100), name('PROFILE', (at + 1) % 100)],
  }))
  const servers = made(24_896, (at) => ({
    hostName: name('cache', at),
    domainName: 'many.example.net',
    cachegroup: name('group', at % 2),
    cdnName: name('cdn', 0),
    profile: name('PROFILE', at % 100),
    type: 'EDGE',
    status: 'REPORTED',
    physLocation: name('site', 0),
    interfaceName: 'eth0',
    interfaceMtu: 1500,
    ipAddress: `10.${round % 200}.${at >> 8}.${at & 255}`,
    ipNetmask: '255.255.255.0',
    ipGateway: '10.0.0.1',
    tcpPort: 80,
  }))
  const document = {
    cdns: [{ name: name('cdn', 0), domainName: `many${round}.example.net`, dnssecEnabled: false }],
    divisions,
    regions: [{ name: name('region', 0), divisionName: name('division', 0) }],
    physLocations: [{ name: name('site', 0), ...site(name('site', 0)), region: name('region', 0) }],
    cachegroups: made(2, (at) => ({
      name: name('group', at),
      shortName: name('g', at),
      typeName: 'EDGE_LOC',
    })),
    profiles,
    parameters,
    servers,
  }
  const records = Object.values(document).reduce((sum, { length }) => sum + length, 0)
  return [JSON.stringify(document), records]
}

const made = <T>(length: number, make: (at: number) => T): T[] => Array.from({ length }, (_, at) => make(at))

const site = (shortName: string) => ({
  shortName,
  address: '1 Many Street',
  city: 'Many',
  state: 'MY',
  zip: '00000',
})
