import type { ServerResponse } from 'node:http'
import type { Logger } from 'pino'
import { send as sendPieces } from '../flow/pieces.js'
import { alertsFor } from './alerts.js'
import type { HttpResponse } from './answerBody.js'
import type { Context, Middleware } from './state.js'
import type { Streams } from './stream.js'

interface Sending {
  readonly streams: Streams
  readonly log: Logger
  /** Counts an answer by its status. */
  readonly served: (status: number) => void
}

/** Sends the reply that the middlewares behind it have come to: at once, in pieces, or as a stream. */
export function send(sending: Sending): Middleware {
  return async (ctx, next) => {
    await next()
    const { response: reply } = ctx.state
    if (!reply) return
    if (reply.stream) await stream(ctx, reply, sending)
    else if (reply.pieces) await inPieces(ctx, reply, sending)
    else {
      whole(ctx, reply)
      sending.served(reply.status)
    }
  }
}

function whole(ctx: Context, { status, headers, body }: HttpResponse): void {
  if (status >= 400) ctx.set('x-request-id', ctx.state.requestId)
  ctx.status = status
  for (const [name, value] of Object.entries(headers)) ctx.res.setHeader(name, String(value))
  // Setting no body would make the status 204; at 304 Koa sends none anyway.
  if (status === 304) return
  ctx.body =
    typeof body === 'string' || body === null ? body : Buffer.from(body.buffer, body.byteOffset, body.byteLength)
}

async function stream(ctx: Context, reply: HttpResponse, { streams, log }: Sending): Promise<void> {
  ctx.respond = false
  const over = streams.over(ctx.res, reply.mayStay ?? always)
  await reply.stream!(over).catch((error) => end(ctx.res, alertsFor(error, log, ctx.state.requestId)))
}

async function inPieces(ctx: Context, { status, headers, pieces, mayStay }: HttpResponse, { served, log }: Sending) {
  ctx.respond = false
  served(status)
  ctx.res.writeHead(status, headers)
  const how = { headOnly: ctx.method === 'HEAD', mayStay: mayStay ?? always }
  await sendPieces(pieces!, ctx.res, how).catch((error) => end(ctx.res, alertsFor(error, log, ctx.state.requestId)))
}

const always = () => true

/** A stream that cannot begin is answered as any other request; one that has begun can only be cut. */
function end(response: ServerResponse, { status, headers, body }: HttpResponse): void {
  if (response.headersSent) response.destroy()
  else response.writeHead(status, headers).end(body)
}
