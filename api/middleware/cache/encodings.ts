import type { LRUCache } from 'lru-cache'
import type { Budget } from '../../../compiler/core/budget.js'
import type { Encoding } from './acceptEncoding.js'
import { encodings } from './acceptEncoding.js'
import { compress } from './compress.js'
import { wholeContentDigest } from './digest.js'

/**
 * The forms in which a body is sent, kept by the hash of its bytes as long as an answer has it. Compression runs on
 * libuv's threads, once per distinct body, when a client first asks for it.
 */
export class Encodings {
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

  /** An answer that had this body is no more; with the last one its encodings go. */
  release(etag: string): void {
    const left = (this.#holders.get(etag) ?? 1) - 1
    if (left > 0) this.#holders.set(etag, left)
    else {
      this.#holders.delete(etag)
      this.#drop(etag)
    }
  }

  /** Lets go of encodings that were made for an answer that was gone by then; gives way after each few. */
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

  async digest(etag: string, bytes: Uint8Array): Promise<void> {
    if (!this.#digests.has(etag)) this.#digests.set(etag, await wholeContentDigest(bytes))
  }

  peekDigest(etag: string): string | undefined {
    return this.#digests.get(etag)
  }
}
