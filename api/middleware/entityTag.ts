import { createHash } from 'node:crypto'
import { ApiError, preconditionFailed } from '../config/errors.js'
import type { RequestInput, Result } from '../operations/endpoint.js'
import type { Namable } from '../operations/lookBack.js'
import type { Data } from '../schema/data.js'
import { bodyOf } from './answerBody.js'

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

/** That of an answer. */
export const tagOf = (answer: Result): string => etagOf(bodyOf(answer).body)

/** Whether `If-Match` has to be looked at: it is there and names a state. */
export function namesState({ headers }: RequestInput): boolean {
  const wanted = headers['if-match']
  return wanted !== undefined && wanted.trim() !== '*'
}

/** The opaque parts of what it names, in whatever form the client holds it. */
export const namedBy = ({ headers }: RequestInput): string[] =>
  (headers['if-match'] ?? '').split(',').map((one) => one.trim().replace(/^"(.*?)(-gzip|-br)?"$/, '$1'))

/** 412, with what it takes to find out whether nobody but the caller wrote since (`ownWrites.ts`). */
export class Outdated extends ApiError {
  constructor(readonly means: Namable) {
    const { status, code, texts } = preconditionFailed()
    super(status, code, texts)
  }
}

/** Throws `Outdated` unless `If-Match`, when it names a state, names this one. */
export function mustMatch(input: RequestInput, data: Data, means: Namable): void {
  if (!namesState(input)) return
  const wanted = namedBy(input)
  for (const tag of means.tags(data)) if (wanted.includes(tag)) return
  throw new Outdated(means)
}
