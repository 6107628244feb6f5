import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { LRUCache } from 'lru-cache'
import type { Budget } from '../../../compiler/core/budget.js'
import { isLong, turn } from '../../flow/turns.js'

export const encodings = ['identity', 'gzip', 'br'] as const
export type Encoding = (typeof encodings)[number]

/** Bytes; a document can have tens of megabytes. */
const hashedAtOnce = 512 * 1024

/** Below this a compressed form saves no packet. */
const worthCompressing = 1024

/**
 * The forms in which a body is sent, kept by the hash of its bytes as long as an answer has it. Compression runs on
 * libuv's threads, once per distinct body, when a client first asks for it.
 */
export class Forms {
  readonly #kept: LRUCache<string, Uint8Array>
  readonly #digests: LRUCache<string, string>
  readonly #making = new Map<string, Promise<Uint8Array>>()
  /** How many answers have a body, by its tag. */
  readonly #holders = new Map<string, number>()

  constructor(private readonly budget: Budget) {
    this.#kept = budget.cache('forms', { size: (bytes) => bytes.length + 300 })
    this.#digests = budget.cache('digests', { size: () => 400 })
  }

  /** An answer has this body. */
  hold(etag: string): void {
    this.#holders.set(etag, (this.#holders.get(etag) ?? 0) + 1)
  }

  /** An answer that had this body is no more; with the last one its forms go. */
  release(etag: string): void {
    const left = (this.#holders.get(etag) ?? 1) - 1
    if (left > 0) this.#holders.set(etag, left)
    else {
      this.#holders.delete(etag)
      this.#drop(etag)
    }
  }

  /** Lets go of forms that were made for an answer that was gone by then; gives way after each few. */
  *sweep(): Iterable<void> {
    const all = [...this.#kept.keys()].map((name) => name.slice(name.indexOf(' ') + 1))
    let looked = 0
    for (const etag of [...all, ...this.#digests.keys()]) {
      if (!this.#holders.has(etag)) this.#drop(etag)
      looked += 1
      if (looked % 256 === 0) yield
    }
  }

  #drop(etag: string): void {
    for (const encoding of encodings) this.#kept.delete(`${encoding} ${etag}`)
    this.#digests.delete(etag)
  }

  /** The form if it is here; never waits. */
  peek(etag: string, encoding: Encoding): Uint8Array | undefined {
    return this.#kept.get(`${encoding} ${etag}`)
  }

  async make(etag: string, bytes: Uint8Array, encoding: Encoding): Promise<Uint8Array> {
    const name = `${encoding} ${etag}`
    const known = this.#kept.get(name) ?? this.#making.get(name)
    if (known) return known
    const making = compress(bytes, encoding).finally(() => this.#making.delete(name))
    this.#making.set(name, making)
    const made = await making
    this.#kept.set(name, made)
    this.budget.trim()
    return made
  }

  /** `Whole-Content-SHA512`: base64 of the SHA-512 of the plain body; the field's cache agent verifies it. */
  async digest(etag: string, bytes: Uint8Array): Promise<void> {
    if (this.#digests.has(etag)) return
    const hash = createHash('sha512')
    for (let at = 0; at < bytes.length; at += hashedAtOnce) {
      hash.update(bytes.subarray(at, at + hashedAtOnce))
      if (isLong()) await turn()
    }
    this.#digests.set(etag, hash.digest('base64'))
  }

  peekDigest(etag: string): string | undefined {
    return this.#digests.get(etag)
  }
}

/** The best form the client takes; the plain one for short bodies and for clients that say nothing. */
export function chooseEncoding(accepted: string | undefined, length: number): Encoding {
  if (!accepted || length < worthCompressing) return 'identity'
  if (takes(accepted, 'br')) return 'br'
  return takes(accepted, 'gzip') ? 'gzip' : 'identity'
}

function takes(accepted: string, encoding: string): boolean {
  const at = accepted.indexOf(encoding)
  if (at < 0) return false
  // Nearly always it stands there by itself, and nothing has to be taken apart.
  const before = at === 0 ? ',' : accepted[at - 1]
  const behind = accepted[at + encoding.length] ?? ','
  if ((before === ',' || before === ' ') && behind === ',') return true
  const named = accepted.split(',').find((part) => part.trim().split(';')[0] === encoding)
  return named !== undefined && !/;\s*q=0(\.0{1,3})?\s*$/.test(named)
}

const gzipped = promisify(gzip)
const brotlied = promisify(brotliCompress)

async function compress(bytes: Uint8Array, encoding: Encoding): Promise<Uint8Array> {
  if (encoding === 'gzip') return gzipped(bytes, { level: 6 })
  if (encoding === 'br') {
    return brotlied(bytes, {
      params: { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
    })
  }
  return bytes
}

/** Whether `If-None-Match` names this entity, in whatever form the client holds it. */
export function matches(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false
  const at = ifNoneMatch.indexOf(etag)
  if (at < 0) return ifNoneMatch.trim() === '*'
  const before = ifNoneMatch[at - 1]
  const rest = ifNoneMatch.slice(at + etag.length, at + etag.length + 6)
  return before === '"' && /^(-gzip|-br)?"/.test(rest)
}

/** A strong ETag names the bytes on the wire, so each form has its own. */
export const tagOf = (etag: string, encoding: Encoding): string =>
  encoding === 'identity' ? `"${etag}"` : `"${etag}-${encoding}"`
