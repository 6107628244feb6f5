import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Encoding } from './acceptEncoding.js'

const gzipped = promisify(gzip)
const brotlied = promisify(brotliCompress)

/** A form of a body; on threads of the runtime. */
export async function compress(bytes: Uint8Array, encoding: Encoding): Promise<Uint8Array> {
  if (encoding === 'gzip') return gzipped(bytes, { level: 6 })
  if (encoding === 'br') {
    return brotlied(bytes, {
      params: { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
    })
  }
  return bytes
}
