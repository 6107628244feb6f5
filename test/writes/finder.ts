import type { Client } from '../build.js'

/** A request that changes something, by the route it uses: its path (below the version) and body. */
export type Line = readonly [route: string, ask: () => Promise<readonly [path: string, body?: unknown]>]

/** Finds what lines refer to, in the sample CDN and in what earlier lines made. */
export interface Finder {
  readonly client: Client
  /** The newest of a list, or of what a filter leaves. */
  find(path: string, filter?: string): Promise<{ readonly id: number }>
  id(path: string, filter: string): Promise<number>
  typeOf(name: string): Promise<number>
}

export function createFinder(client: Client): Finder {
  const find = async (path: string, filter = ''): Promise<{ id: number }> => {
    const { response } = (await client.ok('GET', `/api/1.3${path}${filter && `?${filter}`}`)).body
    if (response.length === 0) throw new Error(`there is nothing at ${path}?${filter}`)
    return response.at(-1)
  }
  const id = async (path: string, filter: string) => (await find(path, filter)).id
  return { client, find, id, typeOf: (name) => id('/types', `name=${name}`) }
}

/** Ids that several subjects need. */
export const known = ({ id }: Finder) => ({
  stream: () => id('/cdns', 'name=stream'),
  group: () => id('/cachegroups', 'name=written'),
  nyc: () => id('/cachegroups', 'name=edge-nyc'),
  chi: () => id('/servers', 'hostName=edge-chi-01'),
  vod: () => id('/deliveryservices', 'xmlId=vod'),
})
