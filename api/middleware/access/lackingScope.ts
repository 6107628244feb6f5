import type { Endpoint } from '../../operations/endpoint.js'
import type { Data } from '../../schema/data.js'
import { findOne, subjectOf } from '../../schema/data.js'
import type { Caller } from '../../schema/privileges.js'
import { writable } from '../../schema/scopes.js'
import type { Found } from '../found.js'

/** What the caller's token lacks for an endpoint; `null` when nothing. What is kept for the fast path passed here, too. */
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
    ...(isBackup(endpoint) ? ['backup'] : []),
    ...(writable.has(resource) ? [`write:${resource}`] : []),
    ...(isOfChecks(endpoint) ? ['checks'] : []),
    ...(isOfCaches(endpoint) ? ['config:read:server=<host name>'] : []),
  ]
}

function covers(scope: string, found: Found, data: Data): boolean {
  const { endpoint } = found
  if (scope === 'read') return isReading(endpoint)
  if (scope === 'backup') return isBackup(endpoint)
  if (scope === 'checks') return isOfChecks(endpoint)
  const resource = /^write:(.*)$/s.exec(scope)?.[1]
  if (resource !== undefined) return writable.has(resource) && resource === resourceOf(endpoint)
  const host = /^config:read:server=(.*)$/s.exec(scope)?.[1]
  return host !== undefined && isOfCaches(endpoint) && isOfCache(host, found, data)
}

const isReading = (endpoint: Endpoint): boolean => endpoint.method === 'GET' && !endpoint.changes && !isBackup(endpoint)

const isBackup = ({ reveals }: Endpoint): boolean => reveals === 'the whole store'

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
  const server = findOne(data, 'servers', 'hostName', host)
  if (!server) return false
  if (ofOneCache.includes(endpoint.path)) return params.host === host
  if (ofAllCaches.includes(endpoint.path)) return true
  // As the route itself reads its path: a host that is called like another's id is still not that one.
  const means = (kind: 'cdns' | 'profiles' | 'servers', id: number): boolean =>
    endpoint.path.startsWith(`/${kind}/`) && subjectOf(kind, params.id, data) === id
  return means('servers', server.id) || means('profiles', server.profileId) || means('cdns', server.cdnId)
}
