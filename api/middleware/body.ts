import type { Endpoint, RequestInput } from '../operations/endpoint.js'
import type { ImportRoom } from '../operations/transfer/importRoom.js'
import { nobody } from './access/credentials.js'
import type { Rights } from './access/rights.js'
import { readRequestBody } from './requestBody.js'
import type { Middleware } from './state.js'

/** Import documents arrive, and wait, only as many as there is room for. */
export function importRoom(room: ImportRoom): Middleware {
  return (ctx, next) => {
    ctx.state.place = null
    if (!ctx.state.found.endpoint.importBody) return next()
    return room.during(Number(ctx.headers['content-length'] ?? 0), (place) => {
      ctx.state.place = place
      return next()
    })
  }
}

/** Reads the body; the handler checks it, by what its route declares. */
export function body(endpoint: Endpoint, { rights }: { rights: Rights }): Middleware {
  const hasBody = endpoint.method !== 'GET' && !endpoint.bodyStream
  return async (ctx, next) => {
    const { found, credentials, target, address, requestId } = ctx.state
    const user = (credentials ?? nobody).caller
    ctx.state.input = {
      params: found.params,
      query: target.query,
      body: hasBody ? await readRequestBody(ctx.req, endpoint, ctx.state.place) : undefined,
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
