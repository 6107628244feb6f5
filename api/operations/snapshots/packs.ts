import { promisify } from 'node:util'
import { brotliCompress, brotliDecompress, constants } from 'node:zlib'
import { sha256 } from '../../../compiler/core/fileBody.js'
import { chunksOf } from './chunks.js'
import { joined } from './largeBytes.js'

export const documentNames = ['CRConfig', 'monitoring'] as const
export type DocumentName = (typeof documentNames)[number]
export type Documents = Readonly<Record<DocumentName, Uint8Array>>

/** A chunk of a document: its hash, the pack it is in (a position in `packs`), and where in it. */
export type Piece = readonly [hash: string, pack: number, at: number, length: number]

/** What the documents of a version are made of. */
export interface Manifest {
  /** Key of each pack, and its length unpacked. */
  readonly packs: readonly (readonly [key: string, length: number])[]
  readonly pieces: Readonly<Record<DocumentName, readonly Piece[]>>
}

/** Reading a version costs one look-up per pack; from here on it is stored as a whole again. */
const mostPacks = 32

/**
 * How to store documents of which the version before may hold most. Only chunks that it does not have are new; they
 * go into one pack together. A pack of which less than half is still used is not built upon any more, so that what
 * is kept stays in proportion to what differs. A chunk a step.
 *
 * @param ownKey names the pack of the new chunks by all of their hashes; asked only when there are any
 */
export function* layOut(
  documents: Documents,
  base: Manifest | null,
  ownKey: (hashes: Uint8Array) => string,
): Generator<void, { manifest: Manifest; pack: { key: string; bytes: Uint8Array } | null }> {
  const chunks: { bytes: Uint8Array; hash: string }[][] = []
  for (const name of documentNames) chunks.push(yield* hashed(yield* chunksOf(documents[name])))
  const known = base ? reusable(base, new Set(chunks.flat().map(({ hash }) => hash))) : new Map<string, Piece>()
  const usedPacks = [...new Set([...known.values()].map(([, pack]) => pack))].sort((a, b) => a - b)
  const own = usedPacks.length
  const fresh: Uint8Array[] = []
  const names: string[] = []
  let length = 0
  const pieceOf = ({ bytes, hash }: { bytes: Uint8Array; hash: string }): Piece => {
    const found = known.get(hash)
    if (found) return found
    const piece: Piece = [hash, -1, length, bytes.length]
    known.set(hash, piece)
    fresh.push(bytes)
    names.push(hash)
    length += bytes.length
    return piece
  }
  const placed: Piece[][] = []
  for (const list of chunks) {
    placed.push(list.map(pieceOf))
    yield
  }
  const place = new Map([[-1, own], ...usedPacks.map((pack, at) => [pack, at] as const)])
  const pieces = Object.fromEntries(
    documentNames.map((name, at) => [
      name,
      placed[at]!.map(([hash, pack, from, size]): Piece => [hash, place.get(pack)!, from, size]),
    ]),
  ) as Record<DocumentName, Piece[]>
  const older = usedPacks.map((pack) => base!.packs[pack]!)
  if (length === 0) return { manifest: { packs: older, pieces }, pack: null }
  const bytes = yield* joined(fresh)
  const key = ownKey(Buffer.from(names.join()))
  return { manifest: { packs: [...older, [key, length]], pieces }, pack: { key, bytes } }
}

function* hashed(chunks: readonly Uint8Array[]): Generator<void, { bytes: Uint8Array; hash: string }[]> {
  const list = []
  for (const bytes of chunks) {
    list.push({ bytes, hash: hashOf(bytes) })
    yield
  }
  return list
}

/** The chunks of the base that are worth building upon. */
function reusable(base: Manifest, wanted: ReadonlySet<string>): Map<string, Piece> {
  const pieces = new Map(
    documentNames.flatMap((name) =>
      base.pieces[name].flatMap((piece) => (wanted.has(piece[0]) ? [[piece[0], piece]] : [])),
    ),
  )
  const used = base.packs.map(() => 0)
  for (const [, pack, , length] of pieces.values()) used[pack]! += length
  const kept = new Set(base.packs.flatMap(([, length], pack) => (used[pack]! * 2 >= length ? [pack] : [])))
  if (kept.size >= mostPacks) return new Map()
  return new Map([...pieces].filter(([, [, pack]]) => kept.has(pack)))
}

/** A document put together from its packs, in steps. */
export const putTogether = (pieces: readonly Piece[], packs: readonly Uint8Array[]): Generator<void, Uint8Array> =>
  joined(pieces.map(([, pack, at, length]) => packs[pack]!.subarray(at, at + length)))

/** SHA-256, as much of it as names a thing for good. */
export const hashOf = (bytes: Uint8Array): string => sha256(bytes).slice(0, hashLength)
export const hashLength = 27

const brotlied = promisify(brotliCompress)
const unbrotlied = promisify(brotliDecompress)

/** Names, addresses and settings repeat over megabytes, so the window is as large as it can be. */
export const compressed = (bytes: Uint8Array): Promise<Uint8Array> =>
  brotlied(bytes, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: 5,
      [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    },
  })

/** No document comes near it; a few bytes that somebody made could come to any number. */
const maxOutputLength = 2 ** 29

/** @param length when it is known: then what comes out need not be put together from many pieces at once */
export const uncompressed = (bytes: Uint8Array, length?: number): Promise<Uint8Array> =>
  unbrotlied(bytes, { maxOutputLength, ...(length === undefined ? {} : { chunkSize: Math.max(length, 64) }) })
