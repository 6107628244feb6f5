import { driver } from './mongo/driver.js'
import type { StoredRecord } from './store.js'

/** A record in its collection. `json` holds it whole where MongoDB could not hold some of its values as they are. */
export interface RecordDocument {
  readonly _id: number
  /** The revision that wrote it last; older ones no longer may. */
  readonly rev: number
  /** It was deleted at `rev`. The document stays, so that a slow writer of an older revision cannot bring it back. */
  readonly gone?: true
  /** Too large for a document: the record is in the journal entry `rev`. */
  readonly large?: true
  readonly json?: string
  readonly [field: string]: unknown
}

const own = new Set(['_id', 'rev', 'gone', 'large', 'json'])
const largest = 12_000_000
const unstorableText = /\0|\p{Surrogate}/u

/** The document for a record as of a revision; `record` is null when it was deleted. */
export function documentOf(id: number, revision: number, record: StoredRecord | null): RecordDocument {
  if (record === null) return { _id: id, rev: revision, gone: true }
  const fields = Object.entries(record).filter(([name]) => name !== 'id')
  const plain = fields.filter(([name, value]) => !own.has(name) && isKey(name) && isStorable(value, 0))
  const document = { _id: id, rev: revision, ...Object.fromEntries(plain) }
  const whole = plain.length === fields.length ? document : { ...document, json: JSON.stringify(record) }
  return driver().BSON.calculateObjectSize(whole) < largest ? whole : { _id: id, rev: revision, large: true }
}

/** The record of a document that is neither `gone` nor `large`. */
export function recordOf({ _id, rev, json, ...fields }: RecordDocument): StoredRecord {
  return json === undefined ? { id: _id, ...fields } : (JSON.parse(json) as StoredRecord)
}

/** Text as it can be stored for queries; the exact text is kept elsewhere when this differs. */
export function cleanText(text: string): string {
  return text.replace(/\0|\p{Surrogate}/gu, '\ufffd')
}

/**
 * What every server that speaks MongoDB's protocol takes as a value: no array directly inside an array, no `.`
 * or `$` in keys, no NUL in strings, and nothing that is not JSON.
 */
function isStorable(value: unknown, depth: number): boolean {
  if (depth > 30) return false
  if (typeof value === 'string') return !unstorableText.test(value)
  if (typeof value === 'number') return Number.isFinite(value)
  if (typeof value === 'boolean' || value === null || value === undefined) return true
  if (Array.isArray(value)) return value.every((item) => !Array.isArray(item) && isStorable(item, depth + 1))
  if (typeof value !== 'object' || Object.getPrototypeOf(value) !== Object.prototype) return false
  return Object.entries(value).every(([key, item]) => isKey(key) && isStorable(item, depth + 1))
}

function isKey(key: string): boolean {
  return key !== '' && key !== '__proto__' && !/[.$]/.test(key) && !unstorableText.test(key)
}
