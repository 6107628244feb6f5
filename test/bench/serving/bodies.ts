import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { type IncomingMessage, request } from 'node:http'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'

export type Encoding = 'identity' | 'gzip' | 'br'

/** Bytes as the service sends them, kept in a file so that every server under test sends the same. */
export interface Body {
  /** Also its path on the servers that stand beside the service. */
  readonly name: string
  readonly file: string
  readonly etag: string
  readonly contentType: string
  readonly encoding: Encoding
  readonly length: number
  /** Where the service has it. */
  readonly path: string
}

/** Asks the service for a path in each form and writes what comes to `folder`. */
export async function bodiesOf(
  { url, cookie }: { url: string; cookie: string },
  { size, path, folder }: { size: string; path: string; folder: string },
): Promise<Body[]> {
  const bodies: Body[] = []
  for (const encoding of ['identity', 'gzip', 'br'] as const) {
    const answer = await get(`${url}${path}`, { cookie, 'accept-encoding': encoding })
    const bytes = await buffer(answer)
    if (answer.statusCode !== 200) throw new Error(`${path} answered ${answer.statusCode}: ${bytes.subarray(0, 300)}`)
    const name = `${size}-${encoding}`
    const file = join(folder, name)
    writeFileSync(file, bytes)
    const { etag = '', 'content-type': contentType = '' } = answer.headers
    bodies.push({ name, file, etag, contentType, encoding, length: bytes.length, path })
  }
  return bodies
}

/** Without the decoding that `fetch` does. */
async function get(url: string, headers: Record<string, string>): Promise<IncomingMessage> {
  const asking = request(url, { headers, agent: false })
  asking.end()
  const [answer] = (await once(asking, 'response')) as [IncomingMessage]
  return answer
}
