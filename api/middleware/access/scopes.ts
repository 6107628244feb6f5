import type { Endpoint } from '../../operations/endpoint.js'
import { type Data, one, subjectOf } from '../../schema/data.js'
import type { Caller } from '../../schema/privileges.js'
import type { Found } from '../router.js'

/**
 * What an API token may be limited to; it may do what one of its scopes covers, and never more than its user.
 * Without scopes it may do what its user may do.
 * - `read`: everything the user may read
 * - `write:<resource>`: everything under the paths that begin with the resource, reading included
 * - `checks`: what check extensions do: register themselves, write their results and statistics, list the servers
 * - `config:read:server=<host name>`: what one cache server needs: its listing, its files and those of its profile
 *   and CDN, its update status, and the acknowledgement of what it applied
 */
export const scopeNames = 'read, write:<resource>, checks, config:read:server=<host name>'

/** The one form of what a token is limited to: `null` without scopes, in whatever way it has none. */
export const canonicalScopes = (scopes: readonly string[] | null): readonly string[] | null =>
  scopes === null || scopes.length === 0 ? null : [...new Set(scopes)].sort()

/** The resources of `write:`, which are the first words of the paths under which something can be written. */
export const writable: ReadonlySet<string> = new Set(
  `api_capabilities asns cachegroup_fallbacks cachegroupparameters cachegroups capabilities cdns coordinates
  deliveryservice_request_comments deliveryservice_requests deliveryservice_server deliveryservice_user
  deliveryservices deliveryserviceserver divisions federation_resolvers federations hwinfo isos jobs origin origins
  parameterprofile parameters phys_locations profileparameter profileparameters profiles regions servercheck servers
  snapshot staticdnsentries stats_summary statuses steering tenants to_extensions types update`.split(/\s+/),
)

/** What hands out rights is for tokens without scopes alone: another scope would be a way to all of the user's rights. */
export const unscoped: ReadonlySet<string> = new Set(['user', 'users', 'roles', 'tokens', 'import'])

/** Why a scope cannot be given; `null` when it can. */
export function scopeFault(scope: string): string | null {
  if (scope === 'read' || scope === 'checks' || /^config:read:server=[A-Za-z0-9._-]{1,255}$/.test(scope)) return null
  const resource = /^write:(.*)$/s.exec(scope)?.[1]
  if (resource === undefined) return `there are ${scopeNames}`
  if (unscoped.has(resource)) return 'what hands out rights takes a token without scopes'
  return writable.has(resource) ? null : `the resources of write: are ${[...writable].join(', ')}`
}

/** What the caller's token lacks for an endpoint; `null` when nothing. What is kept for the fast lane passed here, too. */
export function lackingScope(found: Found, { scopes }: Caller, data: Data): string | null {
  if (scopes === null || scopes.some((scope) => covers(scope, found, data))) return null
  const would = scopesFor(found.endpoint)
  return would.length === 0
    ? 'Forbidden. This takes a session, or an API token without scopes.'
    : `Forbidden. The API token lacks the scope ${would.join(' or ')}.`
}

/** The scopes of which each would do. */
function scopesFor(endpoint: Endpoint): string[] {
  const resource = resourceOf(endpoint)
  return [
    ...(isReading(endpoint) ? ['read'] : []),
    ...(writable.has(resource) ? [`write:${resource}`] : []),
    ...(isOfChecks(endpoint) ? ['checks'] : []),
    ...(isOfCaches(endpoint) ? ['config:read:server=<host name>'] : []),
  ]
}

function covers(scope: string, found: Found, data: Data): boolean {
  const { endpoint } = found
  if (scope === 'read') return isReading(endpoint)
  if (scope === 'checks') return isOfChecks(endpoint)
  const resource = /^write:(.*)$/s.exec(scope)?.[1]
  if (resource !== undefined) return writable.has(resource) && resource === resourceOf(endpoint)
  const host = /^config:read:server=(.*)$/s.exec(scope)?.[1]
  return host !== undefined && isOfCaches(endpoint) && isOfCache(host, found, data)
}

const isReading = ({ method, changes }: Endpoint): boolean => method === 'GET' && !changes

/** Jobs are everybody's own in the interface, and hang below the user there; they are no part of who that is. */
export const resourceOf = ({ path }: Pick<Endpoint, 'path'>): string =>
  path.startsWith('/user/current/jobs') ? 'jobs' : (path.split('/')[1] ?? '')

const isOfChecks = (endpoint: Endpoint): boolean =>
  endpoint.role === 'checker' ||
  (isReading(endpoint) && ['/to_extensions', '/servers/checks', '/stats_summary', '/servers'].includes(endpoint.path))

const ofOneCache = ['/servers/:host/update_status', '/update/:host', '/ort/:host/packages', '/ort/:host/chkconfig']
const ofAllCaches = ['/statuses', '/system/info']

const isOfCaches = (endpoint: Endpoint): boolean =>
  endpoint.path.includes('/configfiles/') ||
  ofOneCache.includes(endpoint.path) ||
  (endpoint.method === 'GET' && ofAllCaches.includes(endpoint.path))

function isOfCache(host: string, { endpoint, params }: Found, data: Data): boolean {
  const server = one(data, 'servers', 'hostName', host)
  if (!server) return false
  if (ofOneCache.includes(endpoint.path)) return params.host === host
  if (ofAllCaches.includes(endpoint.path)) return true
  // As the route itself reads its path: a host that is called like another's id is still not that one.
  const means = (kind: 'cdns' | 'profiles' | 'servers', id: number): boolean =>
    endpoint.path.startsWith(`/${kind}/`) && subjectOf(kind, params.id, data) === id
  return means('servers', server.id) || means('profiles', server.profileId) || means('cdns', server.cdnId)
}
