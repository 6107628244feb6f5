import type { Endpoint, RequestInput } from '../operations/endpoint.js'
import { bodySchema } from '../operations/endpoint.js'
import { dryRunQuery } from '../operations/queryParameters.js'
import type { ImportRoom, Place } from '../operations/transfer/importRoom.js'
import { nobody } from './access/credentials.js'
import type { Rights } from './access/rights.js'
import type { BodyRoom } from './bodyRoom.js'
import { readRequestBody } from './requestBody.js'
import type { Middleware } from './state.js'
import { queryOf } from './target.js'

/** Bodies arrive, and wait, only as many as there is room for: import documents have one of their own. */
export function room({ imports, bodies }: { imports: ImportRoom; bodies: BodyRoom }): Middleware {
  return (ctx, next) => {
    const { found, credentials } = ctx.state
    const within = (place: Place) => {
      ctx.state.place = place
      return next()
    }
    ctx.state.place = unbounded
    if (found.endpoint.importBody) return imports.during(Number(ctx.headers['content-length'] ?? 0), within)
    // Strangers send little, and are not to take the room of others.
    if (!credentials || !hasBody(found.endpoint)) return next()
    return bodies.during(credentials.caller.id, within)
  }
}

const unbounded: Place = { take: () => undefined }
/** What is sent to a route that takes no body is not looked at: clients of the field send a record along that they delete. */
const hasBody = (endpoint: Endpoint): boolean => endpoint.method !== 'GET' && bodySchema(endpoint) !== null

/**
 * Makes the handler's input: of the query only what its route declares, so that nothing is asked by a parameter that the
 * document does not tell of, and the body, which the handler checks by its declaration.
 */
export function body(endpoint: Endpoint, { rights }: { rights: Rights }): Middleware {
  const names = new Set([...Object.keys(endpoint.query ?? {}), ...Object.keys(dryRunQuery)])
  return async (ctx, next) => {
    const { found, credentials, target, address, requestId } = ctx.state
    const user = (credentials ?? nobody).caller
    ctx.state.input = {
      params: found.params,
      query: queryOf(names, target),
      body: hasBody(endpoint) ? await readRequestBody(ctx.req, endpoint, ctx.state.place) : undefined,
      version: found.version,
      user,
      headers: ctx.headers as RequestInput['headers'],
      address,
      requestId,
    }
    // A body may be long in coming, and whoever sends it may have lost the right to it meanwhile.
    if (endpoint.method !== 'GET') rights.stillAllowed({ found, credentials, request: ctx.req }, user)
    await next()
  }
}
