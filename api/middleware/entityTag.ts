import { createHash } from 'node:crypto'
import { preconditionFailed } from '../config/errors.js'
import type { RequestInput } from '../operations/endpoint.js'

/** The opaque part of a strong ETag: the hash of the bytes. */
export function etagOf(body: string | Uint8Array): string {
  const tag = createTag()
  tag.add(body)
  return tag.text()
}

/** The same, of bytes that come one after the other. */
export function createTag(): { add(bytes: string | Uint8Array): void; text(): string } {
  const hash = createHash('sha256')
  return {
    add: (bytes) => void hash.update(bytes),
    text: () => hash.digest('base64url').slice(0, 27),
  }
}

/** Whether `If-Match` has to be looked at: it is there and names a state. */
export function namesState({ headers }: RequestInput): boolean {
  const wanted = headers['if-match']
  return wanted !== undefined && wanted.trim() !== '*'
}

/** 412 unless `If-Match`, when it names a state, names this one, in whatever form the client holds it. */
export function mustMatch(input: RequestInput, tag: () => string | null): void {
  if (!namesState(input)) return
  const tags = input.headers['if-match']!.split(',').map((one) => one.trim().replace(/^"(.*?)(-gzip|-br)?"$/, '$1'))
  const present = tag()
  if (present === null || !tags.includes(present)) throw preconditionFailed()
}
