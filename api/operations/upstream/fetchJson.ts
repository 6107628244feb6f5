import { type IncomingMessage, request } from 'node:http'
import { request as requestByTls } from 'node:https'
import { isLong, turn } from '../../flow/turns.js'

/** A monitor, router or store of time series as it is asked over HTTP. */
export interface Upstream {
  /** For people: the fully qualified host name. */
  readonly name: string
  readonly host: string
  readonly port: number
  /** A forward proxy that asks in our place. */
  readonly proxy: { readonly host: string; readonly port: number } | null
  /** Asked by https, with a certificate that has to be good. Without a proxy only. */
  readonly tls?: boolean
  /** The `Authorization` header to show. */
  readonly authorization?: string
}

export interface FetchLimits {
  /** Milliseconds for the whole answer, connecting included. */
  readonly timeout: number
  /** Bytes of the body. */
  readonly bytes: number
}

/** Gets a document from an upstream. Rejects with UpstreamFault, never with anything else. */
export type FetchBytes = (upstream: Upstream, path: string) => Promise<Buffer>
/** The same, parsed: for documents that are never long. */
export type FetchJson = (upstream: Upstream, path: string) => Promise<unknown>

/**
 * What an upstream sends is not trusted: only a 200 counts, redirects are not followed, nothing is decompressed, and
 * a body that is too long or too slow is cut off. Asks exactly the host and port given.
 */
export function createFetchBytes({ timeout, bytes }: FetchLimits): FetchBytes {
  return async (upstream, path) => {
    const signal = AbortSignal.timeout(timeout)
    try {
      return await fetchBytes(upstream, path, bytes, signal)
    } catch (error) {
      if (error instanceof UpstreamFault) throw error
      if (signal.aborted) throw new UpstreamFault(`did not answer within ${timeout / 1000} s`)
      throw new UpstreamFault(`cannot be reached (${codeOf(error)})`)
    }
  }
}

export function createFetchJson(limits: FetchLimits): FetchJson {
  const fetch = createFetchBytes(limits)
  return async (upstream, path) => parseJson(await fetch(upstream, path))
}

export function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    throw new UpstreamFault('sent something that is not JSON')
  }
}

/** Why an upstream's answer cannot be used, worded to follow its name: `did not answer within 3 s`. */
export class UpstreamFault extends Error {
  override name = 'UpstreamFault'
}

async function fetchBytes(upstream: Upstream, path: string, limit: number, signal: AbortSignal): Promise<Buffer> {
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
    return await joined(chunks, length)
  } finally {
    response.destroy()
  }
}

/** A long document is put together in turns, in memory that the thread which reads it shares instead of copying it. */
async function joined(chunks: readonly Buffer[], length: number): Promise<Buffer> {
  if (length <= longestAtOnce) return Buffer.concat(chunks, length)
  const whole = Buffer.from(new SharedArrayBuffer(length))
  let at = 0
  for (const chunk of chunks) {
    whole.set(chunk, at)
    at += chunk.length
    if (isLong()) await turn()
  }
  return whole
}

const longestAtOnce = 512 * 1024

function open(upstream: Upstream, path: string, signal: AbortSignal): Promise<IncomingMessage> {
  const { host, port, proxy, tls = false, authorization } = upstream
  const authority = `${host.includes(':') ? `[${host}]` : host}:${port}`
  const headers = {
    host: authority,
    accept: 'application/json',
    'accept-encoding': 'identity',
    ...(authorization === undefined ? {} : { authorization }),
  }
  const target = proxy === null ? { host, port, path } : { ...proxy, path: `http://${authority}${path}` }
  return new Promise((resolve, reject) => {
    // A connection of its own: a keep-alive one that has died meanwhile would look like an upstream that has.
    const ask = tls && proxy === null ? requestByTls : request
    ask({ ...target, headers, signal, agent: false }, resolve)
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
