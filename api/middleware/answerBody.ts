import { jsonParts, jsonType } from '../flow/jsonText.js'
import type { Pieces } from '../flow/pieces.js'
import { begin } from '../flow/pieces.js'
import { isLong, turn } from '../flow/turns.js'
import type { Answer } from '../operations/endpoint.js'
import type { EventStream } from '../operations/eventStream.js'
import { standingHeaders } from './cache/represent.js'
import { createTag } from './entityTag.js'

/** An answer as it goes over the wire. */
export interface Reply {
  readonly status: number
  readonly headers: Record<string, string | number>
  readonly body: string | Uint8Array | null
  /** Set when the body is made as it is sent. */
  readonly pieces?: Pieces
  /** Set when the answer is a stream of events that this function writes. */
  readonly stream?: (stream: EventStream) => Promise<void>
  /** Of a write: what ties the caller's session to their password from now on. */
  readonly stamp?: string
  /** Of a stream: whether whoever asked would be let in now. */
  readonly mayStay?: () => boolean
}

/** The reply to an answer, once so much of it is made that it can begin. */
export async function begunReply(answer: Answer): Promise<Reply> {
  if (!answer.pieces) return replyOf(answer)
  const begun = await begin(answer.pieces)
  if (typeof begun === 'string') return replyOf({ ...answer, raw: { body: begun, contentType: jsonType } })
  return { ...replyOf({ ...answer, raw: { body: '', contentType: jsonType } }), pieces: begun }
}

export function replyOf(answer: Answer): Reply {
  const { body, contentType } = bodyOf(answer)
  return {
    status: answer.status ?? 200,
    headers: { ...standingHeaders, 'content-type': contentType, ...answer.headers },
    body,
    ...(answer.stream ? { stream: answer.stream } : {}),
  }
}

/** An answer's body, as text or as the bytes it is. */
export function bodyOf(answer: Answer): { body: string | Uint8Array; contentType: string } {
  return answer.raw ?? { body: JSON.stringify(envelopeOf(answer)), contentType: jsonType }
}

function envelopeOf({ response, alerts, extra, bare }: Answer): unknown {
  return bare ?? { ...(alerts ? { alerts } : {}), ...(response === undefined ? {} : { response }), ...extra }
}

/** Bytes that are made, or only hashed, at once. */
const sliceLength = 256 * 1024

/** The same body as bytes with the tag that names them, made in slices. */
export async function bytesOf(
  answer: Answer,
  { etag }: { etag?: string | undefined } = {},
): Promise<{ bytes: Uint8Array; contentType: string; etag: string }> {
  const tag = createTag()
  const chunks: Uint8Array[] = []
  for (const chunk of answer.raw ? slicesOf(answer.raw.body) : chunksOf(jsonParts(envelopeOf(answer)))) {
    chunks.push(chunk)
    if (etag === undefined) tag.add(chunk)
    if (isLong()) await turn()
  }
  const whole = answer.raw && typeof answer.raw.body !== 'string' ? answer.raw.body : null
  return {
    bytes: whole ?? (chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)),
    contentType: answer.raw?.contentType ?? jsonType,
    etag: etag ?? tag.text(),
  }
}

function* slicesOf(body: string | Uint8Array): Generator<Uint8Array> {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body
  for (let at = 0; at < bytes.length || at === 0; at += sliceLength) yield bytes.subarray(at, at + sliceLength)
}

/** A part is rarely longer than a record: what is too short to be worth a slice waits for the next. */
function* chunksOf(parts: Iterable<string>): Generator<Uint8Array> {
  let text = ''
  for (const part of parts) {
    text += part
    if (text.length < 16 * 1024) continue
    yield Buffer.from(text)
    text = ''
  }
  yield Buffer.from(text)
}
