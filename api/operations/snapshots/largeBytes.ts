import { createHash } from 'node:crypto'

/** Bytes that are copied or hashed at once: a document can have tens of megabytes. */
const atOnce = 512 * 1024

/** Puts bytes together, in steps. */
export function* joined(parts: readonly Uint8Array[]): Generator<void, Uint8Array> {
  // Memory that is not filled with zeros first costs nothing until it is written.
  const whole = Buffer.allocUnsafeSlow(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    for (const piece of pieces(part)) {
      whole.set(piece, at)
      at += piece.length
      yield
    }
  }
  return whole
}

/** The SHA-256 of bytes, in steps. */
export function* hashed(bytes: Uint8Array): Generator<void, string> {
  const hash = createHash('sha256')
  for (const piece of pieces(bytes)) {
    hash.update(piece)
    yield
  }
  return hash.digest('base64url')
}

function* pieces(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += atOnce) yield bytes.subarray(at, at + atOnce)
}
