import { Agent, request } from 'node:http'

export interface RawAnswer {
  readonly status: number
  readonly etag: string | undefined
  readonly type: string | undefined
  readonly body: string
}

// Shorter than a server keeps an idle connection, so that none is closed just when it is used again.
const agent = new Agent({ keepAlive: true, maxSockets: 8, timeout: 2000 })

/** Asks with the request line exactly as given: nothing brings a URL to its usual form first. */
export function rawGet(
  service: string,
  target: string,
  headers: Readonly<Record<string, string>>,
  method = 'GET',
): Promise<RawAnswer> {
  const { hostname, port } = new URL(service)
  return new Promise((resolve, reject) => {
    const asking = request({ agent, hostname, port, method, path: target, headers }, (response) => {
      const parts: Buffer[] = []
      response.on('data', (part: Buffer) => parts.push(part))
      response.on('error', reject)
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          etag: response.headers.etag,
          type: response.headers['content-type'],
          body: Buffer.concat(parts).toString(),
        }),
      )
    })
    asking.on('error', reject)
    asking.end()
  })
}
