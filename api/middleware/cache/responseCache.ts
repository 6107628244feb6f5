import type { LRUCache } from 'lru-cache'
import type { Artifact, Artifacts } from '../../../compiler/core/artifacts.js'
import type { Budget } from '../../../compiler/core/budget.js'
import type { WorkingSet } from '../../../compiler/data/workingSet.js'
import type { Encodings } from './encodings.js'
import type { CachedResponse } from './kept.js'
import { KeysOfArtifacts } from './keysOfArtifacts.js'

/**
 * Answers of GETs by what they ask and by all that they may depend on in the caller (`answerKey`), for as long as nothing
 * moves that they read, as with compiled files. The fast path and Koa look here, so both give the same bytes.
 */
export class ResponseCache {
  readonly #kept: LRUCache<string, CachedResponse>
  readonly #keysOf = new KeysOfArtifacts()

  constructor(
    private readonly given: { workingSet: WorkingSet; artifacts: Artifacts; encodings: Encodings; budget: Budget },
  ) {
    // A key and its notes cost something too; artifacts' bytes are counted where they are kept.
    this.#kept = given.budget.cache('answers', {
      size: ({ bytes, dependencies }, key) => (bytes?.length ?? 0) + dependencies.byteLength + key.length + 2000,
      dispose: ({ etag }) => given.encodings.release(etag),
    })
  }

  /** The answer if nothing it read has moved. */
  get(key: string): CachedResponse | null {
    const kept = this.#kept.get(key)
    if (!kept || this.#isCurrent(kept)) return kept ?? null
    this.#kept.delete(key)
    return null
  }

  set(key: string, answer: CachedResponse): void {
    const { encodings, budget } = this.given
    encodings.hold(answer.etag)
    this.#kept.set(key, answer)
    // What is larger than all there is room for is not taken in.
    if (this.#kept.peek(key) !== answer) encodings.release(answer.etag)
    else if (answer.artifact) this.#keysOf.note(answer.artifact, key)
    budget.trim()
  }

  /** Lets go of every answer that something moved under; gives way after each few. */
  *sweep(): Iterable<void> {
    let looked = 0
    for (const key of [...this.#kept.keys()]) {
      const kept = this.#kept.peek(key)
      if (kept && !this.#isCurrent(kept)) this.#kept.delete(key)
      looked += 1
      if (looked % 16 === 0) yield
    }
  }

  #isCurrent(kept: CachedResponse): boolean {
    const { workingSet, artifacts } = this.given
    if (kept.validAt !== workingSet.revision) {
      if (!workingSet.unmoved(kept.dependencies, kept.validAt)) return false
      kept.validAt = workingSet.revision
    }
    return !kept.artifact || artifacts.isFresh(kept.artifact)
  }

  /** Answers of a file that was compiled again go with it; those that are the file itself stay if no byte of it changed. */
  replaced(old: Artifact, next: Artifact): void {
    for (const key of this.#keysOf.get(old)) {
      const kept = this.#kept.peek(key)
      if (kept?.artifact !== old) continue
      if (kept.bytes === null && old.etag === next.etag) {
        kept.artifact = next
        this.#keysOf.note(next, key)
      } else this.#kept.delete(key)
    }
  }

  get size(): number {
    return this.#kept.size
  }
}
