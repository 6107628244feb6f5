import type { ServerResponse } from 'node:http'
import { drained } from './drained.js'
import { jsonParts } from './jsonText.js'
import { isLong, turn } from './turns.js'

/** Text of an answer that is made as it is sent: what comes first, and the rest when there is more. */
export interface Pieces {
  readonly first: string
  readonly rest: AsyncIterator<string>
}

/** Characters of a piece: what goes to the client in one write. */
const pieceLength = 64 * 1024

/** `{"response":[…],…}` of elements that come in slices, whatever they add up to; `extra` is asked for at the end. */
export async function* envelope(
  slices: AsyncIterable<readonly object[]>,
  extra: () => object = () => ({}),
): AsyncGenerator<string> {
  yield '{"response":'
  yield* jsonArray(slices)
  const end = JSON.stringify(extra())
  yield end === '{}' ? end.slice(1) : `,${end.slice(1)}`
}

/** A JSON array of elements that come in slices. */
export async function* jsonArray(slices: AsyncIterable<readonly object[]>): AsyncGenerator<string> {
  let text = '['
  let comma = ''
  for await (const slice of slices) {
    for (const element of slice) {
      text += comma + JSON.stringify(element)
      comma = ','
      if (text.length < pieceLength) continue
      yield text
      text = ''
      if (isLong()) await turn()
    }
  }
  yield `${text}]`
}

/** The JSON of a value whose lists may be long. */
export async function* jsonPieces(value: unknown): AsyncGenerator<string> {
  let text = ''
  for (const part of jsonParts(value)) {
    text += part
    if (text.length >= pieceLength) {
      yield text
      text = ''
    }
    if (isLong()) await turn()
  }
  yield text
}

/** Makes the first pieces, and finds out whether that was all: then it is an answer as any other. */
export async function begin(pieces: AsyncIterable<string>): Promise<string | Pieces> {
  const rest = pieces[Symbol.asyncIterator]()
  let first = ''
  while (first.length < pieceLength) {
    const { done, value } = await rest.next()
    if (done) return first
    first += value
  }
  return { first, rest }
}

/**
 * Sends the pieces, each made when the client has taken the one before.
 *
 * @param mayStay whether the client would be let in now: who takes long may lose the right to the rest, and is cut off
 */
export async function send(
  { first, rest }: Pieces,
  response: ServerResponse,
  { headOnly, mayStay }: { headOnly: boolean; mayStay: () => boolean },
): Promise<void> {
  try {
    for (let text: string = first; !headOnly; ) {
      if (!response.write(text)) await drained(response)
      if (response.closed) return
      if (!mayStay()) {
        response.destroy()
        return
      }
      const { done, value } = await rest.next()
      if (done) break
      text = value
    }
    response.end()
  } finally {
    await rest.return?.()
  }
}
