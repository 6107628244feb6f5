import type { Endpoint } from '../../operations/endpoint.js'
import { bodySchema, changes, isOfOneState } from '../../operations/endpoint.js'

/** What each status says, wherever a route gives it. */
export const failures: Readonly<Record<number, readonly [name: string, description: string]>> = {
  400: ['BadRequest', 'What was sent is malformed or invalid: one alert for each thing that is wrong.'],
  401: ['Unauthorized', 'No session or token, an expired one, or a wrong name or password.'],
  403: ['Forbidden', 'The role, the tenant or the scopes of the token do not reach this.'],
  404: ['NotFound', 'What the path or the query names is not there.'],
  409: ['Conflict', 'It is there already, or others still refer to it.'],
  410: ['Gone', 'What was asked for was there, and was removed for good.'],
  412: ['PreconditionFailed', 'If-Match named another state than the one that is there.'],
  413: ['TooLarge', 'The body is larger than this route takes.'],
  415: ['UnsupportedMedia', 'The body is compressed or encoded in another way.'],
  429: ['TooMany', 'Too many failed attempts, or too many at once; Retry-After says in how many seconds to try again.'],
  500: ['InternalError', 'Something failed within the service; its log has the id of the request.'],
  501: ['NotImplemented', 'It needs machinery beyond this service.'],
  503: [
    'Unavailable',
    'The store does not answer or is busy, and nothing was changed unless the alert says that this is unknown.',
  ],
}

/** Every status from 400 on that a route can give. */
export function failuresOf(endpoint: Endpoint): number[] {
  const { path, role, query = {}, fails = [] } = endpoint
  const isLetIn = role !== 'none'
  const isChange = changes(endpoint)
  const statuses = [
    400,
    500,
    503,
    ...(isLetIn || isChange ? [401, 403, 429] : []),
    ...(path.includes(':') || 'id' in query || isChange ? [404] : []),
    ...(isChange ? [409] : []),
    ...(isOfOneState(endpoint) ? [412] : []),
    ...(endpoint.body === 'bytes' ? [413] : []),
    ...(bodySchema(endpoint) ? [413, 415] : []),
    ...fails,
  ]
  return [...new Set(statuses)].sort((a, b) => a - b)
}
