/**
 * What an API token may be limited to; it may do what one of its scopes covers, and never more than its user.
 * Without scopes it may do what its user may do.
 * - `read`: everything the user may read, but for the backup
 * - `backup`: the backup, with the hashes of passwords and the sealed keys in it, and nothing else
 * - `write:<resource>`: everything under the paths that begin with the resource, reading included
 * - `checks`: what check extensions do: register themselves, write their results and statistics, list the servers
 * - `config:read:server=<host name>`: what one cache server needs: its listing, its files and those of its profile
 *   and CDN, its update status, and the acknowledgement of what it applied
 */
export const scopeNames = 'read, backup, write:<resource>, checks, config:read:server=<host name>'

/** The one form of what a token is limited to: `null` without scopes, in whatever way it has none. */
export const canonicalScopes = (scopes: readonly string[] | null): readonly string[] | null =>
  scopes === null || scopes.length === 0 ? null : [...new Set(scopes)].sort()

/** The resources of `write:`, which are the first words of the paths under which something can be written. */
export const writable: ReadonlySet<string> = new Set(
  `api_capabilities asns cachegroup_fallbacks cachegroupparameters cachegroups capabilities cdns coordinates
  deliveryservice_request_comments deliveryservice_requests deliveryservice_server deliveryservice_user
  deliveryservices deliveryserviceserver divisions federation_resolvers federations hwinfo isos jobs origin origins
  parameterprofile parameters phys_locations profileparameter profileparameters profiles regions servercheck servers
  snapshot staticdnsentries stats_summary statuses steering tenants to_extensions tools types update`.split(/\s+/),
)

/** What hands out rights is for tokens without scopes alone: another scope would be a way to all of the user's rights. */
export const unscoped: ReadonlySet<string> = new Set(['user', 'users', 'roles', 'tokens', 'import', 'restore'])

/** Why a scope cannot be given; `null` when it can. */
export function scopeFault(scope: string): string | null {
  if (['read', 'backup', 'checks'].includes(scope) || /^config:read:server=[A-Za-z0-9._-]{1,255}$/.test(scope))
    return null
  const resource = /^write:(.*)$/s.exec(scope)?.[1]
  if (resource === undefined) return `there are ${scopeNames}`
  if (unscoped.has(resource)) return 'what hands out rights takes a token without scopes'
  return writable.has(resource) ? null : `the resources of write: are ${[...writable].join(', ')}`
}
