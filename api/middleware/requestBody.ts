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
 * The request's body as parsed JSON (or form fields); `undefined` when there is none.
 *
 * @param place of the body among the others that arrive and wait
 */
export async function readRequestBody(request: IncomingMessage, endpoint: Endpoint, place: Place): Promise<unknown> {
  const limit = endpoint.bodyLimit ?? (endpoint.role === 'none' ? strangersLimit : defaultLimit)
  const declared = Number(request.headers['content-length'] ?? 0)
  if (declared > limit) throw tooLarge(limit)
  const type = request.headers['content-type']
  if (endpoint.importBody && (type === undefined || isJson(type))) return readImportBody(request, limit, place)
  const text = await readText(request, limit, place)
  if (text.trim() === '') return undefined
  if (endpoint.lenientBody === 'form' && !type?.includes('json')) return Object.fromEntries(new URLSearchParams(text))
  if (type !== undefined && endpoint.lenientBody === undefined && !isJson(type)) {
    throw unsupportedMedia(type)
  }
  await mustBeModest(text)
  try {
    const parsed: unknown = JSON.parse(text)
    return endpoint.textBody ? text : parsed
  } catch {
    throw badRequest('The request body is not valid JSON.')
  }
}

const isJson = (type: string): boolean => /^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(type)

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
