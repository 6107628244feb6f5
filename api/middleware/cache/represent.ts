import { standingHeaders } from '../standingHeaders.js'
import type { Encoding } from './acceptEncoding.js'
import { chooseEncoding } from './acceptEncoding.js'
import type { Encodings } from './encodings.js'
import { matches, tagOf } from './etag.js'
import type { CachedResponse } from './kept.js'
import type { Wire, WireHeaders } from './wire.js'

/** What an answer without a body repeats: what tells whether and for whom the client may go on using its own. */
const repeated = ['cache-control', 'vary'] as const

export interface Representation {
  readonly status: 200 | 304
  readonly headers: Readonly<Record<string, string | number>>
  readonly listed: readonly string[]
  readonly body: Uint8Array | null
}

/** What of a request decides the form of its answer. */
export interface Wanted {
  readonly ifNoneMatch: string | undefined
  readonly acceptEncoding: string | undefined
}

/**
 * A cached response as it goes over the wire: used by the fast path and by Koa, so the two cannot differ.
 * `null` when a form of the body has to be made first (`prepare`).
 */
export function represent(
  kept: CachedResponse,
  wanted: Wanted,
  encodings: Encodings,
  revision: number,
): Representation | null {
  const encoding = chooseEncoding(wanted.acceptEncoding, kept.length)
  const wire = wireOf(kept, encoding, revision)
  if (matches(wanted.ifNoneMatch, kept.etag)) {
    return { status: 304, headers: wire.unchanged.byName, listed: wire.unchanged.listed, body: null }
  }
  const body = encoding === 'identity' && kept.bytes ? kept.bytes : encodings.peek(kept.etag, encoding)
  if (!body) return null
  wire.whole ??= wholeHeaders(kept, encoding, wire, { length: body.length, digest: encodings.peekDigest(kept.etag) })
  return wire.whole && { status: 200, headers: wire.whole.byName, listed: wire.whole.listed, body }
}

function wireOf(kept: CachedResponse, encoding: Encoding, revision: number): Wire {
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
  kept: CachedResponse,
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
