import type { Endpoint } from '../api/operations/endpoint.js'
import type { TestServer } from './build.js'
import { routes } from './routes.js'

/** Values for the parameters of a path, by its beginning; later ones are for whatever is left. */
const values: readonly [path: RegExp, parameter: string, value: string][] = [
  [/configfiles\/\w+\/:file$/, ':file', 'remap.config'],
  [/^\/cdns\//, ':name', 'stream'],
  [/^\/cdns\/:id\/configfiles/, ':id', 'stream'],
  [/^\/parameters\/profile/, ':name', 'EDGE_ATS9'],
  [/^\/profiles\//, ':name', 'EDGE_ATS9'],
  [/^\/servers\/hostname/, ':name', 'edge-chi-01'],
  [/^\/(health|CRConfig)/, ':name', 'stream'],
  [/^\/servers\/:id\/configfiles/, ':id', 'edge-chi-01'],
  [/^\/profiles\/:id\/configfiles/, ':id', 'EDGE_ATS9'],
  [/./, ':cdn_name', 'stream'],
  [/./, ':hostname', 'cdn.vod.stream.example.net'],
  [/./, ':host', 'edge-chi-01'],
  [/./, ':xmlId', 'vod'],
  [/./, ':version', '1'],
  [/./, ':days', '3'],
]

/** Files whose scope is not a server's, and those with keys in them. */
const further = [
  '/api/1.3/profiles/EDGE_ATS9/configfiles/ats/records.config',
  '/api/1.3/cdns/stream/configfiles/ats/regex_revalidate.config',
  '/api/1.3/cdns/classic/configfiles/ats/regex_revalidate.config',
  '/api/1.3/servers/edge-chi-02/configfiles/ats/remap.config',
  '/api/1.3/servers/edge-chi-01/configfiles/ats/nothing.config',
]

/** What answers of the moment, never ends, or is the same for everybody. */
export const uncomparable = /^\/(metrics|readyz|watch|livez|osversions|api\/openapi\.json)$|\/ping$/

/** A record as lists show it. */
export interface Listed {
  readonly id: number | string
  readonly name?: string
}

/** The path of a route below its version, with what is known for its parameters, else with a record's id or name. */
export function filledPath({ path }: Endpoint, record: Listed): string {
  const known = values.reduce(
    (at, [where, parameter, value]) =>
      where.test(path) ? at.replace(`${parameter}/`, `${value}/`).replace(new RegExp(`${parameter}$`), value) : at,
    path,
  )
  return withRecord(known, record)
}

export const withRecord = (path: string, { id, name }: Listed): string =>
  path.replace(/:name\b/, name === undefined ? ':name' : encodeURIComponent(name)).replaceAll(/:\w+/g, String(id))

/** Every GET that changes nothing, filled with records of the sample where it has them. */
export async function everyGet(server: TestServer): Promise<string[]> {
  const firsts = new Map<string, Listed>()
  for (const { method, path, unversioned } of routes) {
    if (method !== 'GET' || unversioned || path.includes(':') || uncomparable.test(path)) continue
    const { response } = (await server.get(`/api/1.3${path}`)).body ?? {}
    const first = Array.isArray(response) ? response[0] : undefined
    if (first?.id !== undefined) firsts.set(path.split('/')[1]!, first)
  }
  const filled = routes
    .filter(({ method, changes, path }) => method === 'GET' && !changes && !uncomparable.test(path))
    .map((route) => {
      const first = firsts.get(route.path.split('/')[1]!) ?? { id: 1 }
      return `${route.unversioned ? '' : '/api/1.3'}${filledPath(route, first)}`
    })
  const { configFiles } = (await server.get('/api/1.3/servers/edge-chi-01/configfiles/ats')).body
  const keyFiles = configFiles
    .filter(({ fnameOnDisk }: { fnameOnDisk: string }) => /^(url_sig|uri_signing)_/.test(fnameOnDisk))
    .map(({ apiUri }: { apiUri: string }) => apiUri)
  return [...new Set([...filled, ...further, ...keyFiles])]
}
