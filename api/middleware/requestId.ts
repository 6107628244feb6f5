import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { badRequest } from '../config/errors.js'
import { hasTwoHosts } from './hosts.js'
import type { Middleware } from './state.js'

/** Names the request and finds out where it comes from. */
export function requestId({ addressOf }: { addressOf: (request: IncomingMessage) => string }): Middleware {
  return (ctx, next) => {
    ctx.state.requestId = requestIdOf(ctx.req)
    ctx.state.address = addressOf(ctx.req)
    return next()
  }
}

/** Refuses what a program on the way may have understood otherwise. */
export const oneHost: Middleware = (ctx, next) => {
  if (hasTwoHosts(ctx.req)) throw badRequest('The request names two hosts.')
  return next()
}

const known = new WeakMap<IncomingMessage, string>()

/** What a request is called in logs and in answers that report a fault: the client's own name for it, when it is one. */
export function requestIdOf(request: IncomingMessage): string {
  let id = known.get(request)
  if (id === undefined) {
    const given = request.headers['x-request-id']
    id = typeof given === 'string' && /^[A-Za-z0-9._-]{8,64}$/.test(given) ? given : randomUUID()
    known.set(request, id)
  }
  return id
}
