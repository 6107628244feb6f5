import type { TestServer } from '../build.js'

/** Makes records over HTTP that are valid by default; what a test is about it says itself. */
export interface Network {
  readonly server: TestServer
  readonly ids: {
    readonly cdn: number
    readonly edgeGroup: number
    readonly midGroup: number
    readonly edgeProfile: number
    readonly midProfile: number
    readonly physLocation: number
  }
  typeId(name: string): Promise<number>
  statusId(name: string): Promise<number>
  /** The record that a POST answers with, in the shape of 1.3. */
  made(path: string, body: object): Promise<Made>
  serverBody(more?: object): Promise<object>
  addServer(more?: object): Promise<Made>
  serviceBody(xmlId: string, more?: object): Promise<object>
  addService(xmlId: string, more?: object): Promise<Made>
}

type Made = { readonly id: number } & Readonly<Record<string, unknown>>

export async function smallNetwork(server: TestServer): Promise<Network> {
  let addresses = 0
  const made = async (path: string, body: object): Promise<Made> => {
    const { response } = (await server.ok('POST', `/api/1.3${path}`, body)).body
    return Array.isArray(response) ? response[0] : response
  }
  const idOf = async (path: string, name: string): Promise<number> =>
    (await server.ok('GET', `/api/1.3${path}?name=${name}`)).body.response[0].id
  const typeId = (name: string) => idOf('/types', name)
  const statusId = (name: string) => idOf('/statuses', name)

  const cdn = (await made('/cdns', { name: 'net', domainName: 'net.example', dnssecEnabled: false })).id
  const midGroup = await group('mid-group', 'MID_LOC')
  const edgeGroup = await group('edge-group', 'EDGE_LOC', { parentCachegroupId: midGroup })
  const edgeProfile = await profile('EDGE_NET')
  const midProfile = await profile('MID_NET')
  await made('/divisions', { name: 'north' })
  await made('/divisions/north/regions', { name: 'coast' })
  const place = {
    name: 'harbour',
    shortName: 'hb',
    address: '1 Quay',
    city: 'Port',
    state: 'ST',
    zip: '1',
    region: 'coast',
  }
  const physLocation = (await made('/phys_locations', place)).id

  async function group(name: string, typeName: string, more: object = {}): Promise<number> {
    return (await made('/cachegroups', { name, shortName: name, typeName, ...more })).id
  }
  async function profile(name: string): Promise<number> {
    const { id } = await made('/profiles', { name, description: `caches ${name}`, type: 'ATS_PROFILE', cdn })
    await server.ok('POST', `/api/1.3/profiles/${id}/parameters`, [
      { name: 'location', configFile: 'remap.config', value: '/etc/cache/' },
      { name: 'location', configFile: 'regex_revalidate.config', value: '/etc/cache' },
    ])
    return id
  }

  const serverBody = async (more: object = {}) => {
    addresses++
    return {
      hostName: `cache-${addresses}`,
      domainName: 'net.example',
      cachegroupId: edgeGroup,
      cdnId: cdn,
      profileId: edgeProfile,
      typeId: await typeId('EDGE'),
      statusId: await statusId('REPORTED'),
      physLocationId: physLocation,
      interfaceName: 'eth0',
      interfaceMtu: 1500,
      ipAddress: `192.0.2.${addresses}`,
      ipNetmask: '255.255.255.0',
      ipGateway: '192.0.2.254',
      updPending: false,
      tcpPort: 80,
      ...more,
    }
  }
  const serviceBody = async (xmlId: string, more: object = {}) => ({
    xmlId,
    displayName: xmlId,
    active: true,
    cdnId: cdn,
    typeId: await typeId('HTTP'),
    dscp: 0,
    geoLimit: 0,
    geoProvider: 0,
    logsEnabled: false,
    regionalGeoBlocking: false,
    ipv6RoutingEnabled: true,
    protocol: 0,
    missLat: 1.5,
    missLong: 2.5,
    multiSiteOrigin: false,
    orgServerFqdn: `http://${xmlId}.origin.example`,
    qstringIgnore: 0,
    rangeRequestHandling: 0,
    initialDispersion: 1,
    ...more,
  })

  return {
    server,
    ids: { cdn, edgeGroup, midGroup, edgeProfile, midProfile, physLocation },
    typeId,
    statusId,
    made,
    serverBody,
    addServer: async (more) => made('/servers', await serverBody(more)),
    serviceBody,
    addService: async (xmlId, more) => made('/deliveryservices', await serviceBody(xmlId, more)),
  }
}
