import { LRUCache } from 'lru-cache'
import type { Artifact, Artifacts } from '../compiler/artifacts.js'
import type { WorkingSet } from '../compiler/workingSet.js'
import type { Encoding } from './forms.js'
import type { Wire } from './represent.js'

/** A GET's answer, kept until something it read changes. */
export interface KeptAnswer {
  /** The cells that were read to make it; for a compiled file, those that found its subject. */
  readonly cells: Uint32Array
  validAt: number
  readonly etag: string
  readonly contentType: string
  readonly length: number
  /** Constant headers beside type, tag and length. */
  readonly headers: Readonly<Record<string, string>>
  /** The bytes; `null` when they are an artifact's. */
  readonly bytes: Uint8Array | null
  readonly artifact: Artifact | null
  /** Its headers in each form in which it was sent. */
  readonly wires: Partial<Record<Encoding, Wire>>
}

/**
 * Answers of GETs by what they ask and by all that they may depend on in the caller (`answerKey`). The same read sets as for compiled
 * files decide how long one is valid. The fast lane and Koa look here, so both give the same bytes.
 */
export class Answers {
  readonly #kept: LRUCache<string, KeptAnswer>

  constructor(
    private readonly workingSet: WorkingSet,
    private readonly artifacts: Artifacts,
    maxBytes: number,
  ) {
    // A key and its notes cost something too; artifacts' bytes are counted where they are kept.
    this.#kept = new LRUCache({
      maxSize: maxBytes,
      sizeCalculation: ({ bytes, cells }, key) => (bytes?.length ?? 0) + cells.byteLength + key.length + 2000,
    })
  }

  /** The answer if nothing it read has moved. */
  get(key: string): KeptAnswer | null {
    const kept = this.#kept.get(key)
    if (!kept) return null
    if (kept.validAt !== this.workingSet.revision) {
      if (!this.workingSet.unmoved(kept.cells, kept.validAt)) {
        this.#kept.delete(key)
        return null
      }
      kept.validAt = this.workingSet.revision
    }
    if (kept.artifact && !this.artifacts.isFresh(kept.artifact)) return null
    return kept
  }

  set(key: string, answer: KeptAnswer): void {
    this.#kept.set(key, answer)
  }

  get size(): number {
    return this.#kept.size
  }
}
