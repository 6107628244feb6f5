import { jsonParts, jsonType } from '../flow/jsonText.js'
import { isLong, turn } from '../flow/turns.js'
import type { Result } from '../operations/endpoint.js'
import { envelopeOf } from './answerBody.js'
import { createTag } from './entityTag.js'

/** Bytes that are made, or only hashed, at once. */
const sliceLength = 256 * 1024

/** The same body as bytes with the tag that names them, made in slices. */
export async function bytesOf(
  answer: Result,
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
