import { createHash } from 'node:crypto'
import { isLong, turn } from '../../flow/turns.js'

/** Bytes; a document can have tens of megabytes. */
const hashedAtOnce = 512 * 1024

/** `Whole-Content-SHA512`: base64 of the SHA-512 of the plain body; the field's cache agent verifies it. */
export async function wholeContentDigest(bytes: Uint8Array): Promise<string> {
  const hash = createHash('sha512')
  for (let at = 0; at < bytes.length; at += hashedAtOnce) {
    hash.update(bytes.subarray(at, at + hashedAtOnce))
    if (isLong()) await turn()
  }
  return hash.digest('base64')
}
