import { readFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import Koa from 'koa'
import type { Body } from './bodies.js'

/** The least that node:http and Koa can do with the same bytes: one look-up by URL, no session. Runs as a process. */
export interface YardsticksReady {
  readonly raw: string
  readonly koa: string
}

const bodies = new Map(
  (JSON.parse(process.argv[2]!) as { bodies: Body[] }).bodies.map((body) => [
    `/${body.name}`,
    { ...body, bytes: readFileSync(body.file) },
  ]),
)

const raw: RequestListener = (request, response) => {
  const body = bodies.get(request.url!)!
  if (request.headers['if-none-match'] === body.etag) {
    response.writeHead(304, { etag: body.etag }).end()
    return
  }
  response.writeHead(200, {
    etag: body.etag,
    'content-type': body.contentType,
    'content-length': body.bytes.length,
    ...(body.encoding === 'identity' ? {} : { 'content-encoding': body.encoding }),
  })
  response.end(body.bytes)
}

const app = new Koa()
// Clients that hang up are no concern here.
app.silent = true
app.use((ctx) => {
  const body = bodies.get(ctx.path)!
  ctx.set('etag', body.etag)
  ctx.type = body.contentType
  ctx.status = 200
  if (ctx.fresh) {
    ctx.status = 304
    return
  }
  if (body.encoding !== 'identity') ctx.set('content-encoding', body.encoding)
  ctx.body = body.bytes
})

process.send!({ raw: await listening(raw), koa: await listening(app.callback()) } satisfies YardsticksReady)
process.once('SIGTERM', () => process.exit(0))

async function listening(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
