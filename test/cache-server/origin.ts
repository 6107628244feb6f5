import { createHash } from 'node:crypto'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A request as it arrived at the origin. */
export interface OriginRequest {
  readonly host: string
  readonly url: string
  readonly headers: IncomingHttpHeaders
  /** What the origin answered. */
  readonly status: number
}

export interface Origin {
  readonly port: number
  /** What arrived for one host since the last call for that host. */
  received(host: string): OriginRequest[]
  stop(): Promise<void>
}

/** The size of every body, in bytes. */
export const bodyBytes = 4000

/**
 * An origin for every host name: all its bodies may be kept for an hour, except below `/private/`; it honours single
 * ranges and revalidates by entity tag. The bytes differ by host and URL.
 */
export async function openOrigin(): Promise<Origin> {
  const requests: OriginRequest[] = []
  const server = createServer((request, response) => {
    const { headers, url = '/' } = request
    const host = headers.host ?? ''
    const body = bodyOf(host, url)
    const tag = `"${createHash('sha256').update(body).digest('hex').slice(0, 8)}"`
    const always = {
      'Cache-Control': url.startsWith('/private/') ? 'no-store' : 'max-age=3600',
      ETag: tag,
      'Last-Modified': 'Mon, 02 Jan 2023 00:00:00 GMT',
      'Accept-Ranges': 'bytes',
    }
    const range = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? '')
    const status = headers['if-none-match'] === tag ? 304 : range ? 206 : 200
    requests.push({ host, url, headers, status })
    if (status === 304) {
      response.writeHead(304, always).end()
    } else if (range) {
      const [first, last] = [Number(range[1]), Math.min(Number(range[2]), bodyBytes - 1)]
      const part = body.subarray(first, last + 1)
      const about = { 'Content-Range': `bytes ${first}-${last}/${bodyBytes}`, 'Content-Length': part.length }
      response.writeHead(206, { ...always, ...about }).end(part)
    } else {
      response.writeHead(200, { ...always, 'Content-Length': bodyBytes }).end(body)
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    received(host) {
      const mine = requests.filter((request) => request.host.split(':')[0] === host)
      const others = requests.filter((request) => request.host.split(':')[0] !== host)
      requests.splice(0, requests.length, ...others)
      return mine
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function bodyOf(host: string, url: string): Buffer {
  return Buffer.alloc(bodyBytes, `${host} ${url} `)
}
