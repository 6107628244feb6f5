import { type IncomingMessage, request } from 'node:http'

/** A monitor or router as it is asked over HTTP. */
export interface Upstream {
  /** For people: the fully qualified host name. */
  readonly name: string
  readonly host: string
  readonly port: number
  /** A forward proxy that asks in our place. */
  readonly proxy: { readonly host: string; readonly port: number } | null
}

export interface FetchLimits {
  /** Milliseconds for the whole answer, connecting included. */
  readonly timeout: number
  /** Bytes of the body. */
  readonly bytes: number
}

/** Gets a JSON document from an upstream. Rejects with UpstreamFault, never with anything else. */
export type FetchJson = (upstream: Upstream, path: string) => Promise<unknown>

/**
 * What an upstream sends is not trusted: only a 200 counts, redirects are not followed, nothing is decompressed, and
 * a body that is too long or too slow is cut off. Asks exactly the host and port given, over plain HTTP.
 */
export function createFetchJson({ timeout, bytes }: FetchLimits): FetchJson {
  return async (upstream, path) => {
    const signal = AbortSignal.timeout(timeout)
    let text: string
    try {
      text = await fetchText(upstream, path, bytes, signal)
    } catch (error) {
      if (error instanceof UpstreamFault) throw error
      if (signal.aborted) throw new UpstreamFault(`did not answer within ${timeout / 1000} s`)
      throw new UpstreamFault(`cannot be reached (${codeOf(error)})`)
    }
    try {
      return JSON.parse(text)
    } catch {
      throw new UpstreamFault('sent something that is not JSON')
    }
  }
}

/** Why an upstream's answer cannot be used, worded to follow its name: `did not answer within 3 s`. */
export class UpstreamFault extends Error {
  override name = 'UpstreamFault'
}

async function fetchText(upstream: Upstream, path: string, limit: number, signal: AbortSignal): Promise<string> {
  const response = await open(upstream, path, signal)
  try {
    refuseUnlessPlain(response, limit)
    const chunks: Buffer[] = []
    let length = 0
    for await (const chunk of response as AsyncIterable<Buffer>) {
      length += chunk.length
      if (length > limit) throw tooLong(limit)
      chunks.push(chunk)
    }
    return Buffer.concat(chunks, length).toString('utf8')
  } finally {
    response.destroy()
  }
}

function open({ host, port, proxy }: Upstream, path: string, signal: AbortSignal): Promise<IncomingMessage> {
  const authority = `${host.includes(':') ? `[${host}]` : host}:${port}`
  const headers = { host: authority, accept: 'application/json', 'accept-encoding': 'identity' }
  const target = proxy === null ? { host, port, path } : { ...proxy, path: `http://${authority}${path}` }
  return new Promise((resolve, reject) => {
    // A connection of its own: a keep-alive one that has died meanwhile would look like an upstream that has.
    request({ ...target, headers, signal, agent: false }, resolve)
      .on('error', reject)
      .end()
  })
}

function refuseUnlessPlain({ statusCode = 0, headers }: IncomingMessage, limit: number): void {
  if (statusCode >= 300 && statusCode < 400)
    throw new UpstreamFault(`answered with a redirect (${statusCode}), which is not followed`)
  if (statusCode !== 200) throw new UpstreamFault(`answered with status ${statusCode}`)
  if ((headers['content-encoding'] ?? 'identity') !== 'identity')
    throw new UpstreamFault('sent a compressed answer without being asked to')
  if (Number(headers['content-length'] ?? 0) > limit) throw tooLong(limit)
}

const tooLong = (limit: number) => new UpstreamFault(`sent more than ${limit} bytes`)

/** `ECONNREFUSED` and the like; the message itself may hold what the upstream sent. */
const codeOf = (error: unknown) => (error instanceof Error && 'code' in error ? String(error.code) : 'unknown error')
