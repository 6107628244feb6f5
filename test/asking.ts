import { Agent, request } from 'node:http'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'

export interface Reply {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

// Shorter than a server keeps an idle connection, so that none is closed just when it is used again.
const agent = new Agent({ keepAlive: true, timeout: 2000 })

/**
 * As `fetch` asks for what has an end, redirects left alone; at half of its cost, which adds up over the tens of
 * thousands of requests of all tests.
 */
export function asking(
  url: string,
  given: { method: string; headers: Readonly<Record<string, string>>; body?: string },
): Promise<Reply> {
  const { method, headers, body } = given
  const { hostname, port, pathname, search } = new URL(url)
  const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
  const all = { accept: '*/*', 'accept-encoding': 'gzip', ...length, ...headers }
  return new Promise((resolve, reject) => {
    const sent = request({ agent, hostname, port, method, path: pathname + search, headers: all }, (response) => {
      const parts: Buffer[] = []
      response.on('data', (part: Buffer) => parts.push(part))
      response.on('error', reject)
      response.on('end', () => {
        const got = new Headers()
        for (const [name, values = []] of Object.entries(response.headersDistinct)) {
          for (const value of values) got.append(name, value)
        }
        resolve({ status: response.statusCode!, headers: got, text: plain(Buffer.concat(parts), got) })
      })
    })
    sent.on('error', (error: NodeJS.ErrnoException) => {
      // While this process waited for another, the server closed a connection that was idle.
      if (sent.reusedSocket && error.code === 'ECONNRESET') resolve(asking(url, given))
      else reject(error)
    })
    sent.end(body)
  })
}

function plain(body: Buffer, headers: Headers): string {
  const encoding = headers.get('content-encoding') ?? 'identity'
  if (body.length === 0 || encoding === 'identity') return body.toString()
  if (encoding === 'gzip') return gunzipSync(body).toString()
  if (encoding === 'br') return brotliDecompressSync(body).toString()
  throw new Error(`an answer in ${encoding}`)
}
