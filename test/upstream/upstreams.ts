import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Upstream } from '../../api/operations/upstream/fetchJson.js'

/** A real HTTP server on this machine that plays a monitor or a router. */
export interface Played {
  readonly upstream: Upstream
  readonly port: number
  /** The targets of all requests so far. */
  readonly asked: string[]
  /** Plays something else from the next request on. */
  become(play: RequestListener): void
  close(): Promise<void>
}

export async function play(listener: RequestListener): Promise<Played> {
  let current = listener
  const input: string[] = []
  const server = createServer((request, response) => {
    input.push(request.url ?? '')
    current(request, response)
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  const { port } = server.address() as AddressInfo
  return {
    upstream: { name: 'played.example.net', host: '127.0.0.1', port, proxy: null },
    port,
    asked: input,
    become: (play) => {
      current = play
    },
    close: () =>
      new Promise((closed) => {
        server.close(() => closed())
        server.closeAllConnections()
      }),
  }
}

/** Sends documents by path, without the query; 404 for others. */
export const documents =
  (byPath: Readonly<Record<string, unknown>>): RequestListener =>
  (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://any')
    const found = byPath[pathname]
    response.writeHead(found === undefined ? 404 : 200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(found ?? null))
  }

export const text =
  (body: string, headers: Readonly<Record<string, string>> = {}): RequestListener =>
  (_, response) =>
    response.writeHead(200, headers).end(body)

export const status =
  (code: number, headers: Readonly<Record<string, string>> = {}): RequestListener =>
  (_, response) =>
    response.writeHead(code, headers).end('{}')

/** Accepts the request and never says a word. */
export const silent: RequestListener = () => {}

/** Begins an answer and never ends it. */
export const stuck: RequestListener = (_, response) => response.writeHead(200).write('{"caches":')

/** Promises more than it sends before it hangs up. */
export const cut: RequestListener = (_, response) => {
  response.writeHead(200, { 'content-length': '1000' }).write('{"caches":{}}', () => response.destroy())
}

/** Hangs up without an answer. */
export const hangUp: RequestListener = (request) => request.socket.destroy()

/** Sends for as long as somebody reads. */
export const endless = (_: IncomingMessage, response: ServerResponse): void => {
  const chunk = Buffer.alloc(65_536, ' ')
  const more = () => {
    while (!response.destroyed && response.write(chunk)) {}
  }
  response.writeHead(200).on('drain', more)
  more()
}
