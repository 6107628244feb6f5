import type { Answer } from './endpoint.js'
import { begin, type Pieces } from './pieces.js'
import { standingHeaders } from './represent.js'
import type { EventStream } from './stream.js'

export const jsonType = 'application/json; charset=utf-8'

/** An answer as it goes over the wire. */
export interface Reply {
  readonly status: number
  readonly headers: Record<string, string | number>
  readonly body: string | Uint8Array | null
  /** Set when the body is made as it is sent. */
  readonly pieces?: Pieces
  /** Set when the answer is a stream of events that this function writes. */
  readonly stream?: (stream: EventStream) => Promise<void>
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
export function bodyOf({ response, alerts, extra, bare, raw }: Answer): {
  body: string | Uint8Array
  contentType: string
} {
  if (raw) return raw
  const envelope = bare ?? {
    ...(alerts ? { alerts } : {}),
    ...(response === undefined ? {} : { response }),
    ...extra,
  }
  return { body: JSON.stringify(envelope), contentType: jsonType }
}
