import { crc32 } from 'node:zlib'
import { StoreRefused } from './store.js'

/** A row is not what was written. Refused at the start; later it refuses the answer that needed it. */
export class StoreDamaged extends StoreRefused {
  override name = 'StoreDamaged'
}

const mark = '#'
const sumLength = 8

/** A row's value as it is stored: with a checksum over the table, the key and the text. */
export const withSum = (table: string, key: unknown, text: string): string => `${mark}${sumOf(table, key, text)}${text}`

/** The text of a row; throws StoreDamaged when it is another one. Rows of before there were checksums have none. */
export function withoutSum(table: string, key: unknown, stored: string): string {
  if (stored[0] === mark) {
    const text = stored.slice(1 + sumLength)
    if (stored.slice(1, 1 + sumLength) === sumOf(table, key, text)) return text
  } else if (/^(?:[{[]|\d{1,15}$)/.test(stored)) return stored
  throw new StoreDamaged(`row ${textOf(key)} of ${table} is damaged`)
}

/** As `withSum`, for the bytes of a blob. */
export function bytesWithSum(key: unknown, bytes: Uint8Array): Uint8Array {
  const head = Buffer.alloc(5)
  head.write(mark)
  head.writeUInt32BE(crc32(bytes, crc32(textOf(key))), 1)
  return Buffer.concat([head, bytes])
}

/** Blobs of before there were checksums never begin with the mark: their packing begins otherwise. */
export function bytesWithoutSum(key: unknown, stored: Uint8Array): Uint8Array {
  if (stored[0] !== mark.charCodeAt(0)) return stored
  const bytes = stored.subarray(5)
  const sum = Buffer.from(stored.buffer, stored.byteOffset, stored.length).readUInt32BE(1)
  if (sum !== crc32(bytes, crc32(textOf(key)))) throw new StoreDamaged(`blob ${textOf(key)} is damaged`)
  return bytes
}

function sumOf(table: string, key: unknown, text: string): string {
  return crc32(text, crc32(`${table} ${textOf(key)} `))
    .toString(16)
    .padStart(sumLength, '0')
}

/** A damaged key can be anything that LMDB's keys can say, integers too large for JSON and symbols included. */
const textOf = (key: unknown): string =>
  JSON.stringify(key, (_name, value) => (typeof value === 'bigint' ? `${value}n` : value)) ?? String(key)
