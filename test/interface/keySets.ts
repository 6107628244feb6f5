import type { Version } from '../../api/config/apiVersions.js'
import { isIn, versions } from '../../api/config/apiVersions.js'
import type { Endpoint } from '../../api/operations/endpoint.js'
import type { Client, TestServer } from '../build.js'
import { everyWrite } from '../everyWrite.js'
import type { Listed } from '../gets.js'
import { filledPath, uncomparable, withRecord } from '../gets.js'
import { routes } from '../routes.js'
import { KeySet } from './keySet.js'
import { lists } from './tenantLists.js'
import type { Records } from './tenantRecords.js'
import { ownersRecords } from './tenantRecords.js'
import { rows } from './tenantRows.js'
import { createWorld, prepare } from './world.js'

/** The keys that a route answers, by version. */
export type KeySets = ReadonlyMap<Endpoint, ReadonlyMap<Version, readonly string[]>>

/** Of which list the record is, where the path does not begin with it, and what has to be asked for. */
const queries: Readonly<Record<string, readonly [list: string, query?: string]>> = {
  '/cachegroup/:parameter_id/parameter': ['parameters'],
  '/cachegroups/:parameter_id/parameter/available': ['parameters'],
  '/cachegroup_fallbacks': ['cachegroups', 'cacheGroupId=:id'],
  '/cache_stats': ['cdns', 'cdnName=:name&metricType=bandwidth&startDate=2026-01-01&endDate=2026-01-02&exclude=series'],
  '/servers/details': ['phys_locations', 'physLocationID=:id'],
}

/**
 * Every route that answers records is asked under each version: GETs until they show one, and again when something was
 * written that may be theirs; writes as dry runs under the older versions, then in earnest under 1.3.
 */
export async function keySets(server: TestServer): Promise<KeySets> {
  const sets = new Map<Endpoint, Map<Version, readonly string[]>>()
  const found = (route: Endpoint, version: Version, keys: readonly string[]) => {
    sets.set(route, (sets.get(route) ?? new Map()).set(version, keys))
  }
  await prepare(createWorld(server))
  const records = await ownersRecords(server)
  let waiting = routes.filter(answersRecords)
  const askWaiting = async (segment?: string): Promise<void> => {
    const input = waiting.filter((route) => segment === undefined || segmentOf(route.path) === segment)
    const answered = new Set<Endpoint>()
    for (const route of input) {
      const path = await fullest(route, await placesOf(route, server, records), server)
      if (path === null) continue
      for (const version of versionsOf(route)) {
        found(route, version, await keysOf(server, route, at(route, version, path)))
      }
      answered.add(route)
    }
    waiting = waiting.filter((route) => !answered.has(route))
  }
  await askWaiting()
  for await (const { route: called, path, body } of everyWrite(server)) {
    const route = routes.find((one) => `${one.method} ${one.path}` === called)!
    const isDry = 'write' in route
    for (const version of versionsOf(route)) {
      const place = path.replace('/api/1.3', `/api/${version}`)
      if (version === '1.3') found(route, version, await keysOf(server, route, place, body))
      else if (isDry) found(route, version, await keysOf(server, route, withDryRun(place), body))
    }
    await askWaiting(segmentOf(route.path))
  }
  return sets
}

export const versionsOf = ({ unversioned, since }: Endpoint): readonly Version[] =>
  unversioned ? ['1.3'] : versions.filter((version) => isIn(version, since))

/** Documents of a CDN, files, streams and the export have tests of their own. */
export const answersRecords = ({ method, reach, path, changes, produces }: Endpoint): boolean =>
  method === 'GET' &&
  reach !== 'cdn' &&
  !changes &&
  !produces &&
  !uncomparable.test(path) &&
  !/configfiles|^\/export$/.test(path)

const segmentOf = (path: string): string => path.split('/')[1]!

const at = ({ unversioned }: Endpoint, version: Version, path: string) =>
  unversioned ? path : `/api/${version}${path}`

const withDryRun = (path: string): string => `${path}${path.includes('?') ? '&' : '?'}dryRun=true`

/** The place where most is shown; the first where no list is empty. */
async function fullest(route: Endpoint, places: readonly string[], client: Client): Promise<string | null> {
  let best: string | null = null
  let most = 0
  for (const path of places) {
    const { status, body, text } = await client.get(at(route, '1.3', path))
    const { length } = status === 200 ? keysIn(route, body) : []
    if (length > most) best = path
    most = Math.max(most, length)
    if (length > 0 && !text.includes('[]')) break
  }
  return best
}

/** Where a route may have something to show: the records of a tenant, those of the list that the path begins with. */
async function placesOf(route: Endpoint, client: Client, records: Records): Promise<string[]> {
  const ofTenant = [...rows, ...lists].find((row) => row.route === `GET ${route.path}`)?.path(records)
  if (ofTenant !== undefined) return [ofTenant.startsWith('/') ? ofTenant : `/${ofTenant}`]
  const [list, query] = queries[route.path] ?? [segmentOf(route.path)]
  const path = query ? `${route.path}?${query}` : route.path
  if (!path.includes(':') || route.unversioned) return [filledPath(route, { id: 1 })]
  const { response } = (await client.get(`/api/1.3/${list}?orderby=id`)).body ?? {}
  const listed: readonly Listed[] = Array.isArray(response) ? response.slice(-mostTried) : [{ id: 1 }]
  return [filledPath(route, listed[0] ?? { id: 1 }), ...listed.map((record) => withRecord(path, record))]
}

/** The newest of a list, which are those that were just made. */
const mostTried = 30

async function keysOf(client: Client, route: Endpoint, path: string, body?: unknown): Promise<readonly string[]> {
  const answer = await client.request(route.method, path, body)
  return answer.status === 200 ? keysIn(route, answer.body) : []
}

function keysIn({ path }: Endpoint, body: unknown): readonly string[] {
  const set = new KeySet(path)
  set.add(body)
  return set.paths
}
