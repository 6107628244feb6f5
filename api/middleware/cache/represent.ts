import type { Artifacts } from '../../../compiler/core/artifacts.js'
import type { Encoding, Forms } from './encodings.js'
import { chooseEncoding, matches, tagOf } from './encodings.js'
import type { KeptAnswer } from './responseCache.js'
import type { Wire, WireHeaders } from './wire.js'

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

/** What an answer without a body repeats: what tells whether and for whom the client may go on using its own. */
const repeated = ['cache-control', 'vary'] as const

export interface Representation {
  readonly status: 200 | 304
  readonly headers: Readonly<Record<string, string | number>>
  readonly listed: readonly string[]
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
  const wire = wireOf(kept, encoding, revision)
  if (matches(wanted.ifNoneMatch, kept.etag)) {
    return { status: 304, headers: wire.unchanged.byName, listed: wire.unchanged.listed, body: null }
  }
  const body = encoding === 'identity' && kept.bytes ? kept.bytes : forms.peek(kept.etag, encoding)
  if (!body) return null
  wire.whole ??= wholeHeaders(kept, encoding, wire, { length: body.length, digest: forms.peekDigest(kept.etag) })
  return wire.whole && { status: 200, headers: wire.whole.byName, listed: wire.whole.listed, body }
}

function wireOf(kept: KeptAnswer, encoding: Encoding, revision: number): Wire {
  const known = kept.wires[encoding]
  if (known && (known.revision === revision || !kept.artifact)) return known
  const unchanged = {
    ...Object.fromEntries(repeated.map((name) => [name, kept.headers[name] ?? standingHeaders[name]!])),
    etag: tagOf(kept.etag, encoding),
    ...(kept.artifact ? { 'x-edgewright-revision': revision } : {}),
  }
  const wire: Wire = { revision, unchanged: listed(unchanged), whole: null }
  kept.wires[encoding] = wire
  return wire
}

function wholeHeaders(
  kept: KeptAnswer,
  encoding: Encoding,
  { unchanged }: Wire,
  { length, digest }: { length: number; digest: string | undefined },
): WireHeaders | null {
  if (kept.artifact && digest === undefined) return null
  return listed({
    ...standingHeaders,
    ...kept.headers,
    ...unchanged.byName,
    ...(kept.artifact && digest !== undefined ? { 'whole-content-sha512': digest } : {}),
    'content-type': kept.contentType,
    'content-length': length,
    ...(encoding === 'identity' ? {} : { 'content-encoding': encoding }),
  })
}

const listed = (byName: Record<string, string | number>): WireHeaders => ({
  byName: Object.freeze(byName),
  listed: Object.entries(byName).flatMap(([name, value]) => [name, String(value)]),
})

/** Makes the form a client wants. False when the body is gone and has to be compiled again. */
export async function prepare(kept: KeptAnswer, wanted: Wanted, forms: Forms, artifacts: Artifacts): Promise<boolean> {
  const bytes = kept.bytes ?? (kept.artifact && artifacts.bytes(kept.artifact))
  if (!bytes) return false
  const encoding: Encoding = chooseEncoding(wanted.acceptEncoding, kept.length)
  if (kept.artifact) await forms.digest(kept.etag, bytes)
  if (encoding !== 'identity' || !kept.bytes) await forms.make(kept.etag, bytes, encoding)
  return true
}
