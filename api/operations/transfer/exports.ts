import { crowded } from '../../config/errors.js'
import type { RecordKinds } from '../../journal/kinds.js'
import type { Transaction } from '../../journal/transaction.js'
import { exportedSteps } from './transfer.js'

/** Exports that wait, are made or are being taken; each holds up to a whole document. */
const most = 20
/** Characters of a piece. */
const pieceLength = 64 * 1024

/** The exports under way: so many at most, however slowly their clients take them. */
export class Exports {
  #open = 0

  /**
   * The pieces that `make` gives, each let go of as it is sent. They are made before the first is: what they are made
   * of must not stay as it is for as long as a client likes, nor may the next one wait for it.
   */
  async *pieces(make: () => Promise<string[]>): AsyncGenerator<string> {
    if (this.#open >= most) throw crowded()
    this.#open += 1
    try {
      const pieces = await make()
      while (pieces.length > 0) yield pieces.shift()!
    } finally {
      this.#open -= 1
    }
  }
}

/** The text of what `exportDocument` gives, in pieces, with no more than one collection in memory beside it. */
export function* exportPieces(
  data: Transaction['data'],
  catalogue: RecordKinds,
  options: { ids: boolean },
): Generator<void, string[]> {
  const pieces: string[] = []
  let before = '{'
  for (const resource of catalogue.dependencyOrder) {
    const texts = yield* exportedSteps(resource, data, catalogue, { secrets: null, ...options }, (key) => ({ key }))
    if (texts.length === 0) continue
    pieces.push(`${before}${JSON.stringify(resource.kind)}:[`)
    yield* joined(texts, pieces)
    before = '],'
  }
  pieces.push(before === '{' ? '{}' : ']}')
  return pieces
}

/** Adds what an array holds of these elements, as text: joined, so that each piece is one string and not a tree. */
function* joined(elements: readonly { key: string }[], pieces: string[]): Generator<void, void> {
  let piece: string[] = []
  let length = 0
  for (const [at, { key }] of elements.entries()) {
    if (at > 0) piece.push(',')
    piece.push(key)
    length += key.length + 1
    if (length >= pieceLength) {
      pieces.push(piece.join(''))
      piece = []
      length = 0
    }
    yield
  }
  pieces.push(piece.join(''))
}
