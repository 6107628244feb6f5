import { productVersion } from '../../config/packageRoot.js'
import { jsonArray } from '../../flow/pieces.js'
import { isLong, turn } from '../../flow/turns.js'
import type { LoadedRecord, Store } from '../../store/store.js'
import type { Prepared } from '../snapshots/frozenVersions.js'
import { blobsOf } from '../snapshots/frozenVersions.js'
import type { Header } from './format.js'
import { blobLines, formatVersion, sealed } from './format.js'

/** Characters of a piece: what goes on in one write. */
const pieceLength = 64 * 1024

/** Everything that a store holds, at one revision, as the text of a backup; writes may go on meanwhile. */
export function backupText(given: {
  store: Pick<Store, 'contents'>
  /** Fingerprint of the key that sealed what is sealed in the store. */
  vaultKey: string | null
  now: () => Date
}): AsyncGenerator<string> {
  return sealed(inPieces(lines(given)))
}

async function* lines({ store, vaultKey, now }: Parameters<typeof backupText>[0]): AsyncGenerator<string> {
  const header: Header = {
    edgewright: 'backup',
    version: formatVersion,
    product: productVersion,
    made: now().toISOString(),
    vaultKey,
  }
  yield line(header)
  for await (const part of store.contents(namedBlobs)) {
    if ('blob' in part) yield* blobLines(part.blob, part.bytes)
    else if ('changes' in part) {
      yield `{"entry":${JSON.stringify(part.entry).slice(0, -1)},"changes":`
      yield* jsonArray(part.changes)
      yield '}}\n'
    } else yield line(part)
  }
}

const namedBlobs = ({ kind, record }: LoadedRecord): readonly string[] =>
  // A record of this kind was frozen with them.
  kind === 'snapshots' ? blobsOf(record as unknown as Prepared) : []

const line = (said: object): string => `${JSON.stringify(said)}\n`

/** Small lines together, and the event loop its turns. */
async function* inPieces(texts: AsyncIterable<string>): AsyncGenerator<string> {
  let piece = ''
  for await (const text of texts) {
    piece += text
    if (piece.length >= pieceLength) {
      yield piece
      piece = ''
    }
    if (isLong()) await turn()
  }
  if (piece !== '') yield piece
}
