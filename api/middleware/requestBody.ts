import type { IncomingMessage } from 'node:http'
import { ApiError, badRequest, tooLarge, unsupportedMedia } from '../config/errors.js'
import type { Endpoint } from '../operations/endpoint.js'
import { mustBeModest } from '../operations/transfer/bodyShape.js'
import { readImportBody } from '../operations/transfer/importBody.js'
import type { Place } from '../operations/transfer/importRoom.js'

const defaultLimit = 2 ** 20
/** For whoever has not logged in: objects that are all of different forms take long to parse. */
const strangersLimit = 2 ** 14

/**
 * The request's body as parsed JSON (or form fields); `undefined` when there is none. It is JSON whatever it is called:
 * the field's programs send it as a form, as plain text, or without a word. That pages of other sites can send so, too, is
 * why changes are refused by where they come from (`access/crossSite.ts`), and never by their content type.
 *
 * @param place of the body among the others that arrive and wait
 */
export async function readRequestBody(request: IncomingMessage, endpoint: Endpoint, place: Place): Promise<unknown> {
  const limit = endpoint.bodyLimit ?? (endpoint.role === 'none' ? strangersLimit : defaultLimit)
  const { 'content-length': declared = 0, 'content-encoding': encoding = 'identity' } = request.headers
  if (Number(declared) > limit) throw tooLarge(limit)
  if (encoding.toLowerCase() !== 'identity') throw unsupportedMedia(encoding)
  if (endpoint.importBody) return readImportBody(request, limit, place)
  const text = await readText(request, limit, place)
  if (text.trim() === '') return undefined
  if (endpoint.form && !/^\s*[{[]/.test(text)) return Object.fromEntries(new URLSearchParams(text))
  await mustBeModest(text)
  try {
    const parsed: unknown = JSON.parse(text)
    return endpoint.textBody ? text : parsed
  } catch {
    throw badRequest('The request body is not valid JSON.')
  }
}

async function readText(request: IncomingMessage, limit: number, place: Place): Promise<string> {
  const pieces: Buffer[] = []
  let length = 0
  try {
    // What is refused is still answered, so the request is not destroyed when reading ends early.
    for await (const piece of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      length += piece.length
      if (length > limit) throw tooLarge(limit)
      place.take(piece.length)
      pieces.push(piece)
    }
  } catch (error) {
    // Whoever sent it is gone: nothing of the service failed.
    throw error instanceof ApiError || request.complete ? error : badRequest('The request body did not arrive whole.')
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(pieces))
  } catch {
    throw badRequest('The request body is not valid UTF-8.')
  }
}
