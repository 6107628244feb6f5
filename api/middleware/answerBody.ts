import { jsonType } from '../flow/jsonText.js'
import type { Pieces } from '../flow/pieces.js'
import { begin } from '../flow/pieces.js'
import type { Result } from '../operations/endpoint.js'
import type { EventStream } from '../operations/eventStream.js'
import { standingHeaders } from './standingHeaders.js'

/** An answer as it goes over the wire. */
export interface HttpResponse {
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
export async function begunResponse(answer: Result): Promise<HttpResponse> {
  if (!answer.pieces) return responseOf(answer)
  const begun = await begin(answer.pieces)
  if (typeof begun === 'string') return responseOf({ ...answer, raw: { body: begun, contentType: jsonType } })
  return { ...responseOf({ ...answer, raw: { body: '', contentType: jsonType } }), pieces: begun }
}

export function responseOf(answer: Result): HttpResponse {
  const { body, contentType } = bodyOf(answer)
  return {
    status: answer.status ?? 200,
    headers: { ...standingHeaders, 'content-type': contentType, ...answer.headers },
    body,
    ...(answer.stream ? { stream: answer.stream } : {}),
  }
}

/** An answer's body, as text or as the bytes it is. */
export function bodyOf(answer: Result): { body: string | Uint8Array; contentType: string } {
  return answer.raw ?? { body: JSON.stringify(envelopeOf(answer)), contentType: jsonType }
}

/** The whole body as a value. */
export function envelopeOf({ response, alerts, extra, bare }: Result): unknown {
  return bare ?? { ...(alerts ? { alerts } : {}), ...(response === undefined ? {} : { response }), ...extra }
}
