import type { Records } from './tenantRecords.js'

/** A list: those who reach the owner read this in it, the others do not. */
export interface List {
  readonly route: string
  readonly path: (records: Records) => string
  readonly shows: RegExp | ((records: Records) => RegExp)
}

const list = (route: string, path: string | List['path'], shows: List['shows']): List => ({
  route,
  path: typeof path === 'string' ? () => path : path,
  shows,
})

/** Every route that tells of records of all tenants, and what of the owner's is in it. */
export const lists: readonly List[] = [
  list('GET /deliveryservices', 'deliveryservices', /"xmlId":"zzhttp"/),
  list('GET /deliveryservice_matches', 'deliveryservice_matches', /"zzhttp"/),
  list('GET /deliveryservices_regexes', 'deliveryservices_regexes', /"zzhttp"/),
  list(
    'GET /deliveryserviceserver',
    'deliveryserviceserver?limit=9999',
    ({ http }) => new RegExp(`"deliveryService":"?${http}"?,`),
  ),
  list('GET /servers/:id/deliveryservices', ({ server }) => `servers/${server}/deliveryservices`, /"xmlId":"zzhttp"/),
  list(
    'GET /servers/details',
    'servers/details?hostName=edge-chi-01',
    ({ http }) => new RegExp(`"deliveryservices":\\[[^\\]]*\\b${http}\\b`),
  ),
  list(
    'GET /servers/hostname/:name/details',
    'servers/hostname/edge-chi-01/details',
    ({ http }) => new RegExp(`"deliveryservices":\\[[^\\]]*\\b${http}\\b`),
  ),
  list('GET /origins', 'origins', /"zzspare"/),
  list('GET /staticdnsentries', 'staticdnsentries', /"zzhost"/),
  list('GET /jobs', 'jobs', /\/zzjob/),
  list('GET /tenants', 'tenants', /"name":"media-house"/),
  list('GET /users', 'users', /"zzuser"/),
  list('GET /cdns/:name/federations', 'cdns/stream/federations', /zzfederation/),
  list('GET /federation_resolvers', 'federation_resolvers', /203\.0\.113\.99/),
  list('GET /sslkey_expirations', 'sslkey_expirations', /"zzhttp"/),
  list('GET /stats_summary', 'stats_summary', /"zzhttp"/),
  list('GET /logs', 'logs', /zzhttp/),
  list('GET /logs/:days/days', 'logs/30/days', /zzhttp/),
  list('GET /changes', 'changes?limit=1000', /"xmlId":"zzhttp"/),
  list('GET /internal/api/:version/steering', '/internal/api/1.3/steering', /"zzsteer"/),
]

/** Those that only ever tell of the caller's own; who is no user of the owner's federation reads nothing of it. */
export const ownOnly: ReadonlySet<string> = new Set(['GET /federations', 'DELETE /federations', 'GET /logs/newcount'])
