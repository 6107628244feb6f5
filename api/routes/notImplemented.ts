import { Type } from '@sinclair/typebox'
import { notImplemented } from '../config/errors.js'
import type { Endpoint, LiveEndpoint, Method } from '../operations/endpoint.js'
import type { Role } from '../schema/privileges.js'

/**
 * Paths the field's clients may know that need machinery beyond this service: an installer's images, a key server, an
 * approval workflow (beyond.md §2, OPTIONAL). They say so.
 */
const answers: readonly [method: Method, path: string, role: Role, what: string][] = [
  ['POST', '/isos', 'oper', 'Building installation images'],
  ['POST', '/deliveryservices/request', 'any', 'Requesting a delivery service by mail'],
  ...(['GET', 'POST', 'PUT', 'DELETE'] as const).flatMap((method): [Method, string, Role, string][] => [
    [method, '/deliveryservice_requests', 'portal', 'The approval of delivery services'],
    [method, '/deliveryservice_request_comments', 'portal', 'The approval of delivery services'],
  ]),
  ['PUT', '/deliveryservice_requests/:id/assign', 'portal', 'The approval of delivery services'],
  ['PUT', '/deliveryservice_requests/:id/status', 'portal', 'The approval of delivery services'],
  ['GET', '/riak/ping', 'any', 'A separate key server'],
  ['GET', '/keys/ping', 'any', 'A separate key server'],
  ['GET', '/riak/bucket/:bucket/key/:key/values', 'admin', 'A separate key server'],
]

/** They would be of the whole installation. */
const whole = new Set(['/riak/bucket/:bucket/key/:key/values'])

/** A page of the field's portal that begins with this list is to say that there is nothing, not that something failed. */
const noImages: Endpoint = {
  method: 'GET',
  path: '/osversions',
  role: 'any',
  reach: 'shared',
  summary: 'Systems that installation images can be built of, by name: none, as they are not built here',
  response: Type.Record(Type.String(), Type.String()),
  read: () => ({ response: {} }),
}

export const notImplementedEndpoints: readonly Endpoint[] = [noImages, ...answers.map(saysSo)]

function saysSo([method, path, role, what]: (typeof answers)[number]): LiveEndpoint {
  return {
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
  }
}
