import type { Artifacts } from '../compiler/artifacts.js'
import type { KeptAnswer } from './answers.js'
import { chooseEncoding, type Encoding, type Forms, matches, tagOf } from './forms.js'

/** Headers of every answer: nothing is sniffed, framed, run or kept by proxies. */
export const standingHeaders: Readonly<Record<string, string>> = Object.freeze({
  'cache-control': 'private, no-cache',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  vary: 'Accept-Encoding, Cookie, Authorization',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
})

export interface Representation {
  readonly status: 200 | 304
  readonly headers: Record<string, string | number>
  readonly body: Uint8Array | null
}

interface Wanted {
  readonly ifNoneMatch: string | undefined
  readonly acceptEncoding: string | undefined
}

/**
 * A kept answer as it goes over the wire: used by the fast lane and by Koa, so the two cannot differ.
 * `null` when a form of the body has to be made first (`prepare`).
 */
export function represent(kept: KeptAnswer, wanted: Wanted, forms: Forms, revision: number): Representation | null {
  const encoding = chooseEncoding(wanted.acceptEncoding, kept.length)
  const headers: Record<string, string | number> = {
    ...standingHeaders,
    ...kept.headers,
    etag: tagOf(kept.etag, encoding),
  }
  if (kept.artifact) headers['x-edgewright-revision'] = revision
  if (matches(wanted.ifNoneMatch, kept.etag)) return { status: 304, headers, body: null }
  const body = encoding === 'identity' && kept.bytes ? kept.bytes : forms.peek(kept.etag, encoding)
  if (!body) return null
  if (kept.artifact) {
    const digest = forms.peekDigest(kept.etag)
    if (digest === undefined) return null
    headers['whole-content-sha512'] = digest
  }
  headers['content-type'] = kept.contentType
  headers['content-length'] = body.length
  if (encoding !== 'identity') headers['content-encoding'] = encoding
  return { status: 200, headers, body }
}

/** Makes the form a client wants. False when the body is gone and has to be compiled again. */
export async function prepare(kept: KeptAnswer, wanted: Wanted, forms: Forms, artifacts: Artifacts): Promise<boolean> {
  const bytes = kept.bytes ?? (kept.artifact && artifacts.bytes(kept.artifact))
  if (!bytes) return false
  const encoding: Encoding = chooseEncoding(wanted.acceptEncoding, kept.length)
  if (kept.artifact) forms.digest(kept.etag, bytes)
  if (encoding !== 'identity' || !kept.bytes) await forms.make(kept.etag, bytes, encoding)
  return true
}
