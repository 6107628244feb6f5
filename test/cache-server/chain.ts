import { request as send } from 'node:http'
import { createServer } from 'node:net'
import { type Booted, type BootOptions, boot } from './boot.js'
import type { CacheServer } from './cacheServer.js'

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: Buffer
  /** What each cache found in its cache, by its name: `H` hit, `R` in memory, `M` miss, `S` stale, ` ` not looked. */
  readonly found: Readonly<Record<string, string>>
}

/** Ports that are free now, all different. */
export async function freePorts(count: number): Promise<number[]> {
  const servers = await Promise.all(
    Array.from({ length: count }, () => {
      const server = createServer()
      return new Promise<typeof server>((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)))
    }),
  )
  const ports = servers.map((server) => (server.address() as { port: number }).port)
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))))
  return ports
}

/** Starts one cache of a chain, whose Via line tells its name and what it found. */
export function bootInChain(
  server: CacheServer,
  folder: string,
  { name, ...options }: BootOptions & { name: string },
): Promise<Booted> {
  const records = { 'proxy.config.proxy_name': name, 'proxy.config.http.insert_response_via_str': '2' }
  return boot(server, folder, { ...options, records: { ...records, ...options.records } })
}

/** A GET to a cache on this machine, in the name of `host`. */
export function get(
  port: number,
  host: string,
  path: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = send(
      { host: '127.0.0.1', port, path, headers: { Host: host, ...headers }, agent: false, timeout: 10_000 },
      (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('error', reject)
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            body: Buffer.concat(chunks),
            found: findings(response.headers.via ?? ''),
          }),
        )
      },
    )
    request.on('timeout', () => request.destroy(new Error(`no answer for ${host}${path} within 10 s`)))
    request.on('error', reject)
    request.end()
  })
}

/** Reads `http/1.1 m1 (ApacheTrafficServer/9.2.9 [cMsSfW])` and the like: the letter after `c` is the find. */
function findings(via: string): Record<string, string> {
  const caches = via.matchAll(/http\/1\.1 (\S+) \([^[]*\[[^\]]*?c(.)/g)
  // A cache that asks itself for the slices of an answer is named twice; what it found is told first.
  return Object.fromEntries([...caches].reverse().map(([, name, found]) => [name, found]))
}
