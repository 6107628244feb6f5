import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http'
import { request as tlsRequest } from 'node:https'

export interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
  /** What each cache found in its cache, by its name: `hit`, `miss`, `stale`, or `unasked` when it did not look. */
  readonly found: Readonly<Record<string, string>>
}

export type TlsVersion = 'TLSv1.2' | 'TLSv1.3'

export interface Question {
  readonly port: number
  /** Host name, with the port when it is not the usual one, as a client names it. */
  readonly host: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly tls?: { readonly newestVersion: TlsVersion }
  readonly method?: string
  /** The client's address, any of 127.0.0.0/8. */
  readonly from?: string
}

/** A request to a cache on this machine, GET unless it says otherwise. */
export function ask({ port, host, path, headers = {}, tls, method = 'GET', from }: Question): Promise<Answer> {
  const client = { agent: false, timeout: 10_000, localAddress: from }
  const options = { ...client, host: '127.0.0.1', port, path, method, headers: { Host: host, ...headers } }
  return new Promise((resolve, reject) => {
    const take = (response: IncomingMessage) => answerIn(response).then(resolve, reject)
    const sent = tls ? tlsRequest({ ...options, ...tlsOptions(host, tls.newestVersion) }, take) : request(options, take)
    sent.on('timeout', () => sent.destroy(new Error(`no answer for ${host}${path} within 10 s`)))
    sent.on('error', reject)
    sent.end()
  })
}

const tlsOptions = (host: string, maxVersion: TlsVersion) => ({
  servername: host.split(':')[0],
  maxVersion,
  rejectUnauthorized: false,
})

async function answerIn(response: IncomingMessage): Promise<Answer> {
  const { statusCode: status = 0, headers } = response
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(chunk)
  return { status, headers, body: Buffer.concat(chunks), found: findings(headers.via ?? '') }
}

/**
 * Reads `http/1.1 mid1 (ApacheTrafficServer/9.2.9 [cMsSfW])` and the like, as a cache writes it with
 * proxy.config.http.insert_response_via_str = 2. The letter after `c` is the find.
 */
function findings(via: string): Record<string, string> {
  const caches = [...via.matchAll(/https?\/1\.1 (\S+) \([^[]*\[c(.)/g)]
  // A cache that asks itself for the slices of an answer is named twice; what it found is told first.
  return Object.fromEntries(caches.reverse().map(([, name, letter]) => [name, finds[letter ?? ''] ?? `${letter}?`]))
}

/** `R` is a hit in memory, `W` one while the object is still being written. */
const finds: Readonly<Record<string, string>> = { H: 'hit', R: 'hit', W: 'hit', M: 'miss', S: 'stale', ' ': 'unasked' }
