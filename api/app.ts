import type { IncomingMessage, ServerResponse } from 'node:http'
import Koa from 'koa'
import type { Logger } from 'pino'
import { send } from './flow/pieces.js'
import { alertsFor } from './middleware/alerts.js'
import type { Reply } from './middleware/answerBody.js'
import { requestIdOf } from './middleware/requestId.js'
import type { Streams } from './middleware/stream.js'

/** The Koa application: one middleware names the request and words errors, one makes the answer. */
export function createApp(given: {
  handle: (request: IncomingMessage, requestId: string) => Promise<Reply>
  log: Logger
  served: (status: number) => void
  streams: Streams
}): Koa {
  const { handle, log, served, streams } = given
  const app = new Koa()
  const always = () => true
  app.use(async (ctx) => {
    const requestId = requestIdOf(ctx.req)
    const reply = await handle(ctx.req, requestId).catch((error: unknown) => alertsFor(error, log, requestId))
    if (reply.stream) {
      ctx.respond = false
      await reply
        .stream(streams.over(ctx.res, reply.mayStay ?? always))
        .catch((error: unknown) => endStream(ctx.res, alertsFor(error, log, requestId)))
      return
    }
    if (reply.pieces) {
      ctx.respond = false
      served(reply.status)
      ctx.res.writeHead(reply.status, reply.headers)
      const how = { headOnly: ctx.method === 'HEAD', mayStay: reply.mayStay ?? always }
      await send(reply.pieces, ctx.res, how).catch((error: unknown) => {
        endStream(ctx.res, alertsFor(error, log, requestId))
      })
      return
    }
    if (reply.status >= 400) ctx.set('x-request-id', requestId)
    ctx.status = reply.status
    for (const [name, value] of Object.entries(reply.headers)) ctx.res.setHeader(name, String(value))
    // Setting no body would make the status 204; at 304 Koa sends none anyway.
    if (reply.status !== 304) {
      ctx.body =
        typeof reply.body === 'string' || reply.body === null
          ? reply.body
          : Buffer.from(reply.body.buffer, reply.body.byteOffset, reply.body.byteLength)
    }
    served(reply.status)
  })
  // A client that hangs up while an answer is written is its own business.
  app.on('error', (error: Error) => log.debug({ err: error }, 'connection'))
  return app
}

/** A stream that cannot begin is answered as any other request; one that has begun can only be cut. */
function endStream(response: ServerResponse, { status, headers, body }: Reply): void {
  if (response.headersSent) response.destroy()
  else response.writeHead(status, headers).end(body)
}
