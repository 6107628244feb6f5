import { notImplemented } from '../config/errors.js'
import type { Endpoint, LiveEndpoint, Method } from '../operations/endpoint.js'
import type { Role } from '../schema/privileges.js'

/**
 * Paths the field's clients may know that need machinery beyond this service: an installer's images, a database to
 * dump, a store of time series, a key server, an approval workflow (beyond.md §2, OPTIONAL). They say so.
 */
const answers: readonly [method: Method, path: string, role: Role, what: string][] = [
  ['GET', '/osversions', 'any', 'Building installation images'],
  ['POST', '/isos', 'oper', 'Building installation images'],
  ['GET', '/dbdump', 'admin', 'Dumping the database (the command line exports instead)'],
  ['POST', '/deliveryservices/request', 'any', 'Requesting a delivery service by mail'],
  ...(['GET', 'POST', 'PUT', 'DELETE'] as const).flatMap((method): [Method, string, Role, string][] => [
    [method, '/deliveryservice_requests', 'portal', 'The approval of delivery services'],
    [method, '/deliveryservice_request_comments', 'portal', 'The approval of delivery services'],
  ]),
  ['PUT', '/deliveryservice_requests/:id/assign', 'portal', 'The approval of delivery services'],
  ['PUT', '/deliveryservice_requests/:id/status', 'portal', 'The approval of delivery services'],
  ['GET', '/deliveryservice_stats', 'any', 'A store of time series'],
  ['GET', '/cache_stats', 'any', 'A store of time series'],
  ['GET', '/current_stats', 'any', 'A store of time series'],
  ['GET', '/traffic_monitor/stats', 'any', 'A store of time series'],
  ['GET', '/riak/ping', 'any', 'A separate key server'],
  ['GET', '/keys/ping', 'any', 'A separate key server'],
  ['GET', '/riak/bucket/:bucket/key/:key/values', 'admin', 'A separate key server'],
]

/** They would be of the whole installation. */
const whole = new Set(['/dbdump', '/riak/bucket/:bucket/key/:key/values'])

export const notImplementedEndpoints: readonly Endpoint[] = answers.map(
  ([method, path, role, what]): LiveEndpoint => ({
    method,
    path,
    role,
    reach: whole.has(path) ? 'root' : 'shared',
    summary: `Not implemented: ${what}`,
    body: 'none',
    fails: [501],
    live: async () => {
      throw notImplemented(what)
    },
  }),
)
