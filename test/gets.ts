import type { TestServer } from './build.js'
import { routes } from './routes.js'

/** Values for the parameters of a path, by its beginning; later ones are for whatever is left. */
const values: readonly [path: RegExp, parameter: string, value: string][] = [
  [/configfiles\/\w+\/:file$/, ':file', 'remap.config'],
  [/^\/cdns\//, ':name', 'stream'],
  [/^\/cdns\//, ':id', 'stream'],
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

/** What answers of the moment, never ends, or is the same for everybody and long. */
const uncomparable = /^\/(metrics|readyz|watch|livez|api\/openapi\.json)$|\/ping$/

/** Every GET that changes nothing, filled with records of the sample where it has them. */
export async function everyGet(server: TestServer): Promise<string[]> {
  const firstIds = new Map<string, string>()
  for (const { method, path, unversioned } of routes) {
    if (method !== 'GET' || unversioned || path.includes(':') || uncomparable.test(path)) continue
    const { response } = (await server.get(`/api/1.3${path}`)).body ?? {}
    const id = Array.isArray(response) ? response[0]?.id : undefined
    if (id !== undefined) firstIds.set(path.split('/')[1]!, String(id))
  }
  const filled = routes
    .filter(({ method, changes, path }) => method === 'GET' && !changes && !uncomparable.test(path))
    .map(({ path, unversioned }) => {
      const first = firstIds.get(path.split('/')[1]!) ?? '1'
      const known = values.reduce(
        (at, [where, parameter, value]) =>
          where.test(path) ? at.replace(`${parameter}/`, `${value}/`).replace(new RegExp(`${parameter}$`), value) : at,
        path,
      )
      return `${unversioned ? '' : '/api/1.3'}${known.replaceAll(/:\w+/g, first)}`
    })
  const { configFiles } = (await server.get('/api/1.3/servers/edge-chi-01/configfiles/ats')).body
  const keyFiles = configFiles
    .filter(({ fnameOnDisk }: { fnameOnDisk: string }) => /^(url_sig|uri_signing)_/.test(fnameOnDisk))
    .map(({ apiUri }: { apiUri: string }) => apiUri)
  return [...new Set([...filled, ...further, ...keyFiles])]
}
