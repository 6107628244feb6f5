import { ApiError } from '../config/errors.js'
import type { Endpoint, RequestInput } from '../operations/endpoint.js'
import { isOfOneState } from '../operations/endpoint.js'
import type { Data } from '../schema/data.js'
import { bodyOf } from './answerBody.js'
import { etagOf, mustMatch, namesState } from './entityTag.js'
import type { Routers } from './routers.js'

/**
 * `If-Match` of a write that does not compare it with a record itself: the state meant is what GET answers at the
 * same address, or at the nearest address above it that can be read (a list, for one of its entries). Where nothing
 * can be read there is no state to be named, so only `*` matches.
 *
 * Returns the check, to be run on the data the write is decided on.
 */
export function preconditionOf(
  endpoint: Endpoint,
  input: RequestInput,
  path: string,
  routers: Routers,
): (data: Data) => void {
  if (endpoint.conditional || !isOfOneState(endpoint) || !namesState(input)) return () => undefined
  return (data) => mustMatch(input, () => stateAt(path, input, data, routers))
}

/** The opaque part of the ETag of what is there. */
function stateAt(path: string, input: RequestInput, data: Data, routers: Routers): string | null {
  for (let at = path; at.includes('/'); at = at.slice(0, at.lastIndexOf('/'))) {
    const found = routers.find('GET', at)
    if (!found || !('read' in found.endpoint)) continue
    try {
      return etagOf(bodyOf(found.endpoint.read({ ...input, params: found.params, body: undefined }, data)).body)
    } catch (error) {
      if (error instanceof ApiError) return null
      throw error
    }
  }
  return null
}
