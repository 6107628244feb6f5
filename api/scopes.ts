import { type Data, one } from './data.js'
import type { Caller } from './roles.js'
import type { Found } from './routing.js'

/**
 * What an API token may be limited to. Without scopes it may do what its user may do.
 * - `read`: everything the user may read
 * - `config:read:server=<host name>`: what one cache server needs: its listing, its files and those of its profile
 *   and CDN, its update status, and the acknowledgement of what it applied
 */
export const scopePattern = '^(read|config:read:server=[A-Za-z0-9._-]{1,255})$'

/** Whether the token that was used covers an endpoint; the answers kept for the fast lane passed here, too. */
export function mayCall(found: Found, caller: Caller, data: Data): boolean {
  return caller.scopes === null || caller.scopes.some((scope) => covers(scope, found, data))
}

function covers(scope: string, { endpoint, params }: Found, data: Data): boolean {
  if (scope === 'read') return endpoint.method === 'GET' && !endpoint.changes
  const host = scope.slice('config:read:server='.length)
  const server = one(data, 'servers', 'hostName', host)
  if (!server) return false
  const names = (kind: 'cdns' | 'profiles' | 'servers', id: number, name: string | undefined): boolean =>
    [params.id, params.host, params.name].some(
      (given) => given !== undefined && (given === name || given === String(id)),
    ) && endpoint.path.startsWith(`/${kind}/`)
  if (endpoint.path.includes('/configfiles/')) {
    return (
      names('servers', server.id, host) ||
      names('profiles', server.profileId, data.get('profiles', server.profileId)?.name) ||
      names('cdns', server.cdnId, data.get('cdns', server.cdnId)?.name)
    )
  }
  const own = ['/servers/:host/update_status', '/update/:host', '/ort/:host/packages', '/ort/:host/chkconfig']
  if (own.includes(endpoint.path)) return params.host === host
  return endpoint.method === 'GET' && ['/statuses', '/system/info'].includes(endpoint.path)
}
