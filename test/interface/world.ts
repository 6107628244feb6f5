import type { TestServer } from '../build.js'

type Made = Readonly<Record<string, unknown>> & { readonly id: number }

/** What a table's line finds its ids with, and makes records of its own with. */
export interface World {
  /** The id of a record of the sample, by the list that has it and a filter: `id('cdns', 'name=stream')`. */
  id(list: string, filter: string): Promise<number>
  /** A number no other line has. */
  next(): number
  /** A new record, valid but for what is given. */
  make(kind: keyof typeof makers, values?: object): Promise<Made>
  /** Whatever else a line needs to be there. */
  send(method: string, path: string, body?: unknown): Promise<unknown>
}

export function createWorld(server: TestServer): World {
  let count = 0
  const world: World = {
    next: () => ++count,
    id: async (list, filter) => {
      const { body } = await server.ok('GET', `/api/1.3/${list}?${filter}`)
      if (body.response.length === 0) throw new Error(`the sample has none of ${list} with ${filter}`)
      return body.response[0].id
    },
    make: async (kind, values = {}) => {
      const { path, body } = await makers[kind](world)
      const answer = await server.ok('POST', `/api/1.3/${path}`, { ...body, ...values })
      const { response } = answer.body
      return Array.isArray(response) ? response[0] : response
    },
    send: async (method, path, body) => (await server.ok(method, `/api/1.3/${path}`, body)).body.response,
  }
  return world
}

/** What rows ask for that the sample has not. */
export async function prepare({ id, send }: World): Promise<void> {
  const [group, other] = [await id('cachegroups', 'name=edge-nyc'), await id('cachegroups', 'name=edge-chi')]
  await send('POST', 'parameters', { name: 'of-the-table', configFile: 'table.config', value: 'v', secure: 0 })
  const parameterId = await id('parameters', 'name=of-the-table')
  await send('POST', 'profileparameters', { profileId: await id('profiles', 'name=EDGE_ATS9'), parameterId })
  await send('POST', 'cachegroupparameters', { cacheGroupId: group, parameterId })
  const userId = await id('users', 'username=toni')
  const service = await id('deliveryservices', 'xmlId=vod')
  await send('POST', 'deliveryservice_user', { userId, deliveryServices: [service] })
  const federation = await id('cdns/stream/federations', 'limit=1')
  await send('POST', `federations/${federation}/users`, { userIds: [userId] })
  await send('POST', 'deliveryservices/sslkeys/generate', {
    key: 'vod',
    version: '1',
    hostname: '*.vod.stream.example.net',
    country: 'US',
    state: 'Illinois',
    city: 'Chicago',
    organization: 'Example',
    businessUnit: 'Video',
  })
  const fallbacks = (await send('GET', `cachegroup_fallbacks?cacheGroupId=${group}`)) as { fallbackId: number }[]
  if (fallbacks.some(({ fallbackId }) => fallbackId === other)) return
  await send('POST', 'cachegroup_fallbacks', [{ cacheGroupId: group, fallbackId: other, fallbackOrder: 90 }])
}

const password = { localPassword: 'a-Password-of-tests', confirmLocalPassword: 'a-Password-of-tests' }

const makers = {
  cdn: async ({ next }: World) => {
    const n = next()
    return { path: 'cdns', body: { name: `table-${n}`, domainName: `table-${n}.example.net`, dnssecEnabled: false } }
  },
  division: async ({ next }: World) => ({ path: 'divisions', body: { name: `division-${next()}` } }),
  region: async (world: World) => ({
    path: 'regions',
    body: { name: `region-${world.next()}`, division: await world.id('divisions', 'name=Europe') },
  }),
  location: async (world: World) => ({
    path: 'phys_locations',
    body: { ...location(world.next()), regionId: await world.id('regions', 'name=US%20East') },
  }),
  parameter: async ({ next }: World) => ({
    path: 'parameters',
    body: { name: `parameter-${next()}`, configFile: 'table.config', value: 'v', secure: 0 },
  }),
  profile: async (world: World) => {
    const n = world.next()
    const cdn = await world.id('cdns', 'name=stream')
    return { path: 'profiles', body: { name: `P-${n}`, description: `Profile ${n}`, type: 'ATS_PROFILE', cdn } }
  },
  cachegroup: async (world: World) => {
    const n = world.next()
    const typeId = await world.id('types', 'name=EDGE_LOC')
    return { path: 'cachegroups', body: { name: `group-${n}`, shortName: `g-${n}`, typeId } }
  },
  capability: async ({ next }: World) => ({
    path: 'capabilities',
    body: { name: `capability-${next()}`, description: 'Of the table' },
  }),
  mapping: async ({ next }: World) => ({
    path: 'api_capabilities',
    body: { httpMethod: 'GET', httpRoute: `table/${next()}`, capability: 'cdns-read' },
  }),
  origin: async (world: World) => ({
    path: 'origins',
    body: {
      name: `origin-${world.next()}`,
      fqdn: 'origin.example.org',
      protocol: 'https',
      deliveryServiceId: await world.id('deliveryservices', 'xmlId=vod'),
    },
  }),
  regex: async (world: World) => ({
    path: `deliveryservices/${await world.id('deliveryservices', 'xmlId=vod')}/regexes`,
    body: {
      pattern: `.*\\.table-${world.next()}\\..*`,
      type: await world.id('types', 'name=HOST_REGEXP'),
      setNumber: 7,
    },
  }),
  user: async (world: World) => {
    const username = `table-${world.next()}`
    const role = await world.id('roles', 'name=read-only')
    const fullName = 'Of the table'
    return { path: 'users', body: { username, email: `${username}@example.net`, fullName, role, ...password } }
  },
}

/** The required fields of a physical location but for its region. */
export const location = (n: number) => ({
  name: `location-${n}`,
  shortName: `loc-${n}`,
  address: '1 Main Street',
  city: 'Chicago',
  state: 'IL',
  zip: '60601',
})
