import { constants } from 'node:buffer'
import { createHash } from 'node:crypto'
import { closeSync, createReadStream, openSync, readSync } from 'node:fs'
import { createGunzip } from 'node:zlib'
import { quoted } from '../../config/errors.js'
import type { Part } from '../../store/store.js'
import type { Line } from './lineShape.js'
import { lineOf } from './lineShape.js'

/**
 * The file of a backup: lines of JSON, the first a header, the last with the number and SHA-256 of all before it.
 * Packed with gzip or not.
 */
export interface Header {
  readonly edgewright: 'backup'
  readonly version: number
  /** The program that made it. */
  readonly product: string
  readonly made: string
  /** Fingerprint of the key that sealed private material; `null` when the maker knew none. */
  readonly vaultKey: string | null
}

export const formatVersion = 1
/** Bytes of a blob in one line. */
const blobPiece = 3 * 2 ** 18

/** A file that is no backup, or not a whole one. The message is for the operator. */
export class BackupDamaged extends Error {
  override name = 'BackupDamaged'

  /** @param what goes on from the name of the file */
  constructor(
    file: string,
    readonly what: string,
  ) {
    super(`${file} ${what}`)
  }
}

/** Puts the last line behind text that comes in pieces. */
export async function* sealed(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  const hash = createHash('sha256')
  let lines = 0
  for await (const piece of pieces) {
    hash.update(piece)
    for (let at = piece.indexOf('\n'); at >= 0; at = piece.indexOf('\n', at + 1)) lines++
    yield piece
  }
  yield `${JSON.stringify({ end: { lines, sha256: hash.digest('hex') } })}\n`
}

export function* blobLines(key: string, bytes: Uint8Array): Generator<string> {
  const count = Math.max(1, Math.ceil(bytes.length / blobPiece))
  for (let piece = 0; piece < count; piece++) {
    const part = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).subarray(
      piece * blobPiece,
      (piece + 1) * blobPiece,
    )
    yield `${JSON.stringify({ blob: key, left: count - 1 - piece, bytes: part.toString('base64') })}\n`
  }
}

/** Why a backup cannot be used with the vault key of a place; `null` when it can. */
export function otherKey({ vaultKey }: Header, own: string | null): string | null {
  if (vaultKey === null || own === vaultKey) return null
  const what = own === null ? 'there is none here' : `the one here has ${own}`
  return (
    `the backup's private keys are sealed with the vault key of fingerprint ${vaultKey}; ${what}. ` +
    "Set VAULT_KEY to it (or put the old place's file vault-key into DATA_DIR)."
  )
}

/**
 * Reads a backup to its end: its header, or BackupDamaged. Whether a store can be made of what the lines hold is looked
 * at by `checkRestorable`.
 *
 * @param look is given every line behind the header; may throw
 */
export async function checkBackup(
  file: string,
  look: (line: Line, number: number) => void = () => {},
): Promise<Header> {
  let header: Header | null = null
  let number = 0
  for await (const line of linesOf(file)) {
    number += 1
    if (header) look(mustBeLine(file, line, number), number)
    else header = headerOf(file, line)
  }
  if (!header) throw new BackupDamaged(file, 'is no backup')
  return header
}

/** What is in a backup, in the order of the file. Throws BackupDamaged at the end when it was not whole. */
export async function* partsOf(file: string): AsyncGenerator<Part> {
  let number = 0
  let pieces: Buffer[] = []
  for await (const line of linesOf(file)) {
    number += 1
    if (number === 1) {
      headerOf(file, line)
      continue
    }
    const said = mustBeLine(file, line, number)
    if (!('blob' in said)) yield said
    else {
      pieces.push(Buffer.from(said.bytes, 'base64'))
      if (said.left > 0) continue
      yield { blob: said.blob, bytes: Buffer.concat(pieces) }
      pieces = []
    }
  }
}

/** Whoever makes a file with a right checksum can write anything into it. */
function mustBeLine(file: string, text: string, number: number): Line {
  const line = lineOf(text)
  if (line === null) throw new BackupDamaged(file, `holds in line ${number} what no backup has`)
  return line
}

function headerOf(file: string, line: string): Header {
  const header = parsed(line) as Partial<Header> | null
  if (header?.edgewright !== 'backup') throw new BackupDamaged(file, 'is no backup')
  if (header.version !== formatVersion) {
    throw new BackupDamaged(
      file,
      `is a backup of format ${quoted(header.version)}, this program reads ${formatVersion}: restore it with edgewright ${quoted(header.product)}`,
    )
  }
  const { product, made, vaultKey } = header
  const isWhole = [product, made, vaultKey ?? ''].every(
    (text) => typeof text === 'string' && /^[\x20-\x7e]*$/.test(text),
  )
  if (!isWhole) throw new BackupDamaged(file, 'is no backup')
  return header as Header
}

/** Every line but the last, which must be there and be right. */
async function* linesOf(file: string): AsyncGenerator<string> {
  const hash = createHash('sha256')
  let lines = 0
  let held: string | null = null
  try {
    for await (const line of rawLines(file)) {
      if (held !== null) {
        hash.update(held).update('\n')
        lines++
        yield held
      }
      held = line
    }
  } catch (error) {
    if (error instanceof BackupDamaged) throw error
    throw new BackupDamaged(file, `cannot be read: ${(error as Error).message}`)
  }
  const end = (parsed(held ?? '') as { end?: { lines: number; sha256: string } } | null)?.end
  if (!end) throw new BackupDamaged(file, 'is no backup, or is cut off')
  if (end.lines !== lines || end.sha256 !== hash.digest('hex')) throw new BackupDamaged(file, 'was altered')
}

async function* rawLines(file: string): AsyncGenerator<string> {
  const bytes = createReadStream(file)
  const source = isPacked(file) ? bytes.pipe(createGunzip()) : bytes
  bytes.on('error', (error) => source.destroy(error))
  let begun: Buffer[] = []
  let length = 0
  for await (const chunk of source as AsyncIterable<Buffer>) {
    let from = 0
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, from)) {
      const rest = chunk.subarray(from, at)
      yield (begun.length === 0 ? rest : Buffer.concat([...begun, rest])).toString('utf8')
      begun = []
      length = 0
      from = at + 1
    }
    if (from >= chunk.length) continue
    begun.push(chunk.subarray(from))
    length += chunk.length - from
    // A few megabytes packed can be a line of any length.
    if (length > constants.MAX_STRING_LENGTH) throw new BackupDamaged(file, 'has a line that is too long')
  }
  if (begun.length > 0) throw new BackupDamaged(file, 'is no backup, or is cut off')
}

function isPacked(file: string): boolean {
  const descriptor = openSync(file, 'r')
  try {
    const magic = Buffer.alloc(2)
    return readSync(descriptor, magic, 0, 2, 0) === 2 && magic.readUInt16BE(0) === 0x1f8b
  } finally {
    closeSync(descriptor)
  }
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return null
  }
}
