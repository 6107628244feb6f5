import { closeSync, existsSync, fstatSync, openSync, readSync } from 'node:fs'
import { StoreDamaged } from '../rowCheck.js'
import type { Meta } from './lmdbPages.js'
import { checkPages, treeAt } from './lmdbPages.js'

const magic = 0xbeefc0de
const dataVersion = 2
const largestMap = 2n ** 46n
/** Places within a meta page, in bytes; the page size is that of the machine which made the file. */
const at = {
  magic: 24,
  version: 28,
  address: 32,
  mapSize: 40,
  pageSize: 48,
  freeTree: 48,
  mainTree: 96,
  lastPage: 144,
  transaction: 152,
}

/**
 * Throws when `file` is there and is not a whole LMDB file. LMDB maps it into memory and trusts it: of a foreign,
 * cut-off (half a copy, say) or damaged file the process dies without a word, or serves what is no longer true.
 */
export function checkLmdbFile(file: string): void {
  if (!existsSync(file)) {
    // LMDB makes this one first, and nobody removes it: there was a store.
    if (existsSync(`${file}-lock`)) throw new StoreDamaged(`${file} is gone (${file}-lock is there)`)
    return
  }
  const descriptor = openSync(file, 'r')
  let meta: Meta
  try {
    const { size } = fstatSync(descriptor)
    if (size === 0) throw new StoreDamaged(`${file} is empty`)
    const first = metaPage(descriptor, 0)
    const second = metaPage(descriptor, first?.pageSize ?? 0)
    if (!first || !second) throw new StoreDamaged(`${file} is not a store`)
    mustAgree(file, first, second)
    meta = first.transaction > second.transaction ? first : second
    if (size < (meta.lastPage + 1) * meta.pageSize) throw new StoreDamaged(`${file} is cut off: ${size} bytes only`)
  } finally {
    closeSync(descriptor)
  }
  try {
    checkPages(file, meta)
  } catch (error) {
    throw new StoreDamaged(`${file} is damaged: ${(error as Error).message}`)
  }
}

type Found = NonNullable<ReturnType<typeof metaPage>>

/** The two take turns: transactions with even numbers are in the first, odd ones in the second. */
function mustAgree(file: string, first: Found, second: Found): void {
  const isNew = first.transaction === 0 && second.transaction <= 1
  const takesTurns =
    first.transaction % 2 === 0 &&
    second.transaction % 2 === 1 &&
    Math.abs(first.transaction - second.transaction) === 1
  const isSame = ['version', 'address', 'pageSize'].every(
    (name) => first[name as 'version'] === second[name as 'version'],
  )
  const isKnown = first.version === dataVersion && first.address === 0n && first.free.sort === second.free.sort
  const isMapped = first.mapSize <= largestMap && second.mapSize <= largestMap
  const isNumbered = first.number === 0n && second.number === 1n
  if (!((isNew || takesTurns) && isSame && isKnown && isMapped && isNumbered))
    throw new StoreDamaged(`${file} is damaged: its first two pages disagree`)
}

function metaPage(descriptor: number, position: number) {
  const page = Buffer.alloc(at.transaction + 8)
  if (readSync(descriptor, page, 0, page.length, position) < page.length) return null
  if (page.readUInt32LE(at.magic) !== magic) return null
  return {
    number: page.readBigUInt64LE(0),
    version: page.readUInt32LE(at.version) & 0xffff,
    address: page.readBigUInt64LE(at.address),
    mapSize: page.readBigUInt64LE(at.mapSize),
    pageSize: page.readUInt32LE(at.pageSize),
    lastPage: Number(page.readBigUInt64LE(at.lastPage)),
    transaction: Number(page.readBigUInt64LE(at.transaction)),
    free: treeAt(page, at.freeTree),
    main: treeAt(page, at.mainTree),
  }
}
