import { createHash } from 'node:crypto'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { KeyPair } from './certificates.js'

/** Where the origin can be entered: in clear, by TLS, and at two sites that can be down on their own. */
export type Door = 'plain' | 'tls' | 'firstSite' | 'secondSite'

/** A request as it arrived at the origin. */
export interface OriginRequest {
  readonly door: Door
  readonly host: string
  readonly url: string
  readonly headers: IncomingHttpHeaders
  /** What the origin answered. */
  readonly status: number
}

export interface Origin {
  readonly ports: Readonly<Record<Door, number>>
  /** What arrived for one host name since the last call for that host. */
  received(host: string): OriginRequest[]
  /** From now on this door answers 503 to everything. */
  fail(door: Door): void
  stop(): Promise<void>
}

/** An origin for every host name. */
export async function openOrigin(pair: KeyPair): Promise<Origin> {
  let requests: OriginRequest[] = []
  const failing = new Set<Door>()
  const answerAt = (door: Door) => (request: IncomingMessage, response: ServerResponse) => {
    const { headers, url = '/' } = request
    const host = headers.host ?? ''
    const { status, about, body } = failing.has(door) ? unavailable : answerTo(host, url, headers)
    requests.push({ door, host, url, headers, status })
    response.writeHead(status, about).end(body)
  }
  const servers = {
    plain: createServer(answerAt('plain')),
    tls: createTlsServer({ cert: pair.certificate, key: pair.key }, answerAt('tls')),
    firstSite: createServer(answerAt('firstSite')),
    secondSite: createServer(answerAt('secondSite')),
  }
  const all = Object.values(servers)
  await Promise.all(all.map((server) => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))))
  const portOf = (door: Door) => (servers[door].address() as AddressInfo).port
  return {
    ports: {
      plain: portOf('plain'),
      tls: portOf('tls'),
      firstSite: portOf('firstSite'),
      secondSite: portOf('secondSite'),
    },
    received(host) {
      const isMine = (request: OriginRequest) => request.host.split(':')[0] === host
      const mine = requests.filter(isMine)
      requests = requests.filter((request) => !isMine(request))
      return mine
    },
    fail: (door) => failing.add(door),
    async stop() {
      for (const server of all) server.closeAllConnections()
      await Promise.all(all.map((server) => new Promise((resolve) => server.close(resolve))))
    },
  }
}

interface OriginAnswer {
  readonly status: number
  readonly about: Readonly<Record<string, string | number>>
  readonly body?: Buffer
}

const unavailable: OriginAnswer = { status: 503, about: { 'Content-Length': 0 } }

/** The size of every body, in bytes. */
const bodyBytes = 4000

/**
 * All bodies may be kept for an hour, except below `/private/`; single ranges are honoured, and what has the same
 * entity tag is not sent again. The bytes differ by host and URL.
 */
function answerTo(host: string, url: string, headers: IncomingHttpHeaders): OriginAnswer {
  const body = Buffer.alloc(bodyBytes, `${host} ${url} `)
  const tag = `"${createHash('sha256').update(body).digest('hex').slice(0, 8)}"`
  const always = {
    'Cache-Control': url.startsWith('/private/') ? 'no-store' : 'max-age=3600',
    ETag: tag,
    'Last-Modified': 'Mon, 02 Jan 2023 00:00:00 GMT',
    'Accept-Ranges': 'bytes',
  }
  if (headers['if-none-match'] === tag) return { status: 304, about: always }
  const range = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? '')
  if (!range) return { status: 200, about: { ...always, 'Content-Length': bodyBytes }, body }
  const [first, last] = [Number(range[1]), Math.min(Number(range[2]), bodyBytes - 1)]
  const part = body.subarray(first, last + 1)
  const about = { 'Content-Range': `bytes ${first}-${last}/${bodyBytes}`, 'Content-Length': part.length }
  return { status: 206, about: { ...always, ...about }, body: part }
}
