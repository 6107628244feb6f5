import { type IncomingHttpHeaders, request as send } from 'node:http'

export interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
  /** What each cache found in its cache, by its name: `hit`, `miss`, `stale`, or `unasked` when it did not look. */
  readonly found: Readonly<Record<string, string>>
}

/** A GET to a cache on this machine, in the name of `host`. */
export function get(
  port: number,
  host: string,
  path: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const options = { host: '127.0.0.1', port, path, headers: { Host: host, ...headers }, agent: false, timeout: 10_000 }
  return new Promise((resolve, reject) => {
    const request = send(options, (response) => {
      const { statusCode: status = 0, headers } = response
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () =>
        resolve({ status, headers, body: Buffer.concat(chunks), found: findings(headers.via ?? '') }),
      )
    })
    request.on('timeout', () => request.destroy(new Error(`no answer for ${host}${path} within 10 s`)))
    request.on('error', reject)
    request.end()
  })
}

/**
 * Reads `http/1.1 mid1 (ApacheTrafficServer/9.2.9 [cMsSfW])` and the like, as a cache writes it with
 * proxy.config.http.insert_response_via_str = 2. The letter after `c` is the find.
 */
function findings(via: string): Record<string, string> {
  const caches = [...via.matchAll(/http\/1\.1 (\S+) \([^[]*\[c(.)/g)]
  // A cache that asks itself for the slices of an answer is named twice; what it found is told first.
  return Object.fromEntries(caches.reverse().map(([, name, letter]) => [name, finds[letter ?? ''] ?? `${letter}?`]))
}

/** `R` is a hit in memory, `N` a hit that had to be revalidated. */
const finds: Readonly<Record<string, string>> = { H: 'hit', R: 'hit', M: 'miss', S: 'stale', ' ': 'unasked' }
