import { closeSync, existsSync, fstatSync, openSync, readSync } from 'node:fs'

const magic = 0xbeefc0de
/** Places within a meta page, in bytes; the page size is that of the machine which made the file. */
const at = { magic: 24, pageSize: 48, lastPage: 144, transaction: 152 }

/**
 * Throws when `file` is there and is not a whole LMDB file. LMDB maps it into memory and trusts it: of a foreign
 * or cut-off file (half a copy, say) the process dies without a word.
 */
export function checkLmdbFile(file: string): void {
  if (!existsSync(file)) return
  const descriptor = openSync(file, 'r')
  try {
    const { size } = fstatSync(descriptor)
    if (size === 0) return
    const first = metaPage(descriptor, 0)
    const pageSize = first?.pageSize ?? 0
    const second = metaPage(descriptor, pageSize)
    if (!first || !second) throw new Error(`${file} is not a store`)
    const { lastPage } = first.transaction > second.transaction ? first : second
    if (size < (lastPage + 1n) * BigInt(pageSize)) throw new Error(`${file} is cut off: ${size} bytes only`)
  } finally {
    closeSync(descriptor)
  }
}

function metaPage(descriptor: number, position: number) {
  const page = Buffer.alloc(at.transaction + 8)
  if (readSync(descriptor, page, 0, page.length, position) < page.length) return null
  if (page.readUInt32LE(at.magic) !== magic) return null
  return {
    pageSize: page.readUInt32LE(at.pageSize),
    lastPage: page.readBigUInt64LE(at.lastPage),
    transaction: page.readBigUInt64LE(at.transaction),
  }
}
