import type { IncomingMessage } from 'node:http'
import { ApiError, badRequest, tooLarge } from '../../config/errors.js'
import { isLong, turn } from '../../flow/turns.js'
import { mustBeModest } from './bodyShape.js'
import type { Place } from './importRoom.js'

/** Bytes of records that are parsed at once. */
const batchBytes = 64 * 1024
/** No record is larger: what is parsed at once has to have an end. */
const mostRecordBytes = 8 * 2 ** 20
/** More than there are kinds of records by far. */
const mostCollections = 1000

/**
 * An import document from a request, `{ "<collection>": [records] }`, parsed as it arrives: a few records at a time,
 * so that a document of hundreds of megabytes holds nobody up. A collection that is given twice is refused; a parser
 * of the whole would keep the last one without a word.
 */
export async function readImportBody(request: IncomingMessage, limit: number, place: Place): Promise<unknown> {
  let reader = new DocumentReader()
  let length = 0
  let refused: { error: unknown } | null = null
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      length += chunk.length
      if (length > limit) throw tooLarge(limit)
      // Whoever leaves a body unread ends the connection, and the client may never see why.
      if (!refused) {
        try {
          place.take(chunk.length)
          await reader.read(chunk)
        } catch (error) {
          refused = { error }
          reader = new DocumentReader()
        }
      }
    }
  } catch (error) {
    // Whoever sent it is gone: nothing of the service failed.
    throw error instanceof ApiError || request.complete ? error : badRequest('The request body did not arrive whole.')
  }
  if (refused) throw (refused as { error: unknown }).error
  return reader.document()
}

type State = 'start' | 'firstKey' | 'key' | 'colon' | 'value' | 'plain' | 'records' | 'next' | 'end' | 'other'

const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a]
const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d]
const isSpace = (byte: number): boolean => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09

class DocumentReader {
  readonly #collections = new Map<string, unknown>()
  #state: State = 'start'
  #kind = ''
  #records: unknown[] = []
  /** The text that is being collected, and where it is: how deep, inside a string, after a backslash. */
  #pieces: Buffer[] = []
  #bytes = 0
  #depth = 0
  #inString = false
  #escaped = false
  /** A comma came last: a record has to follow. */
  #owesRecord = false

  async read(chunk: Buffer): Promise<void> {
    let from = 0
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at]!
      if (this.#collects()) {
        if (!this.#ends(byte)) continue
        this.#take(chunk.subarray(from, at))
        await this.#close(byte)
        from = at + 1
        if (isLong()) await turn()
      } else if (!isSpace(byte)) {
        this.#open(byte)
        from = this.#state === 'records' ? at + 1 : at
      }
    }
    if (this.#collects()) this.#take(chunk.subarray(from))
  }

  /** The document; of what is none, what it is instead. */
  async document(): Promise<unknown> {
    if (this.#state === 'start') return undefined
    if (this.#state === 'other') return this.#parsed()
    if (this.#state !== 'end') throw notJson()
    return Object.fromEntries(this.#collections)
  }

  #collects(): boolean {
    const state = this.#state
    return state === 'colon' || state === 'plain' || state === 'records' || state === 'other'
  }

  /** Whether the text that is collected ends before this byte. */
  #ends(byte: number): boolean {
    if (this.#inString) {
      if (this.#escaped) this.#escaped = false
      else if (byte === backslash) this.#escaped = true
      else if (byte === quote) this.#inString = false
      return false
    }
    if (byte === quote) this.#inString = true
    else if (this.#depth === 0 && this.#endsAtTop(byte)) return true
    else if (byte === openBrace || byte === openBracket) this.#depth += 1
    else if ((byte === closeBrace || byte === closeBracket) && --this.#depth < 0) throw notJson()
    return false
  }

  #endsAtTop(byte: number): boolean {
    if (this.#state === 'colon') return byte === colon
    if (this.#state === 'plain') return byte === comma || byte === closeBrace
    if (this.#state === 'records') return byte === comma || byte === closeBracket
    return false
  }

  #open(byte: number): void {
    const state = this.#state
    if (state === 'start') this.#state = byte === openBrace ? 'firstKey' : 'other'
    else if ((state === 'firstKey' || state === 'key') && byte === quote) this.#state = 'colon'
    else if ((state === 'firstKey' || state === 'next') && byte === closeBrace) this.#state = 'end'
    else if (state === 'next' && byte === comma) this.#state = 'key'
    else if (state === 'value') this.#state = byte === openBracket ? 'records' : 'plain'
    else throw notJson()
    if (this.#state === 'other' || this.#state === 'colon' || this.#state === 'plain') this.#ends(byte)
  }

  async #close(byte: number): Promise<void> {
    if (this.#state === 'colon') {
      this.#kind = String(await this.#parsed())
      if (this.#collections.has(this.#kind)) throw badRequest('The document has one collection twice.')
      if (this.#collections.size === mostCollections) throw badRequest('The document has too many collections.')
      this.#collections.set(this.#kind, null)
      this.#state = 'value'
    } else if (this.#state === 'plain') {
      this.#collections.set(this.#kind, await this.#parsed())
      this.#state = byte === comma ? 'key' : 'end'
    } else await this.#recordEnds(byte === closeBracket)
  }

  async #recordEnds(isLast: boolean): Promise<void> {
    if (!isLast && this.#bytes < batchBytes) {
      this.#take(Buffer.from(','))
      return
    }
    const more = (await this.#parsed('[', ']')) as unknown[]
    if (more.length === 0 && (!isLast || this.#owesRecord)) throw notJson()
    for (const record of more) this.#records.push(record)
    this.#owesRecord = !isLast
    if (!isLast) return
    this.#collections.set(this.#kind, this.#records)
    this.#records = []
    this.#state = 'next'
  }

  #take(piece: Buffer): void {
    this.#bytes += piece.length
    if (this.#bytes > mostRecordBytes) throw tooLarge(mostRecordBytes)
    if (piece.length > 0) this.#pieces.push(piece)
  }

  async #parsed(before = '', after = ''): Promise<unknown> {
    const bytes = Buffer.concat(this.#pieces)
    this.#pieces = []
    this.#bytes = 0
    const text = `${before}${decoded(bytes)}${after}`
    await mustBeModest(text)
    try {
      return JSON.parse(text)
    } catch {
      throw notJson()
    }
  }
}

const notJson = () => badRequest('The request body is not valid JSON.')

function decoded(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw badRequest('The request body is not valid UTF-8.')
  }
}
