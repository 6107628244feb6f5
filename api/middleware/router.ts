import findMyWay from 'find-my-way'
import type { Version } from '../config/apiVersions.js'
import { versions } from '../config/apiVersions.js'
import type { Endpoint, Method } from '../operations/endpoint.js'

export interface Found {
  readonly endpoint: Endpoint
  readonly params: Readonly<Record<string, string>>
  readonly version: Version
}

export interface Router {
  /** `path` without the query. HEAD is looked up as GET. */
  find(method: string, path: string): Found | null
}

/** Every endpoint under every version; `.json` may follow any path but a config file's name. */
export function createRouter(endpoints: readonly Endpoint[]): Router {
  const routes = findMyWay({ caseSensitive: true, ignoreTrailingSlash: true, maxParamLength: 1000 })
  for (const endpoint of endpoints) {
    const places: [string, Version][] = endpoint.unversioned
      ? [[endpoint.path, '1.3']]
      : versions.map((version) => [`/api/${version}${endpoint.path}`, version])
    for (const [path, version] of places) {
      routes.on(endpoint.method, path, () => undefined, { endpoint, version })
    }
  }
  const exact = (method: Method, path: string): Found | null => {
    const found = routes.find(method, path)
    if (!found) return null
    const { endpoint, version } = found.store as { endpoint: Endpoint; version: Version }
    return { endpoint, version, params: found.params as Record<string, string> }
  }
  return {
    find: (method, path) => {
      const asked = (method === 'HEAD' ? 'GET' : method) as Method
      if (!['GET', 'POST', 'PUT', 'DELETE'].includes(asked)) return null
      const found =
        !path.endsWith('.json') || /\/configfiles\/[^/]+\//.test(path)
          ? exact(asked, path)
          : (exact(asked, path.slice(0, -'.json'.length)) ?? exact(asked, path))
      // A few GETs of the interface delete; looking at their headers must not.
      return method === 'HEAD' && found?.endpoint.changes ? null : found
    },
  }
}
