import type { LRUCache } from 'lru-cache'
import type { WorkingSet } from '../data/workingSet.js'
import type { Budget } from './budget.js'
import type { CompileJob } from './compile.js'
import type { Body } from './fileBody.js'
import { join } from './fileBody.js'
import type { TemplateSet } from './templates.js'
import type { Warning } from './warnings.js'

/** What a compile gives back, from wherever it ran. */
export interface Made {
  /** The revision it was compiled at. */
  readonly revision: number
  /** Hash of the exact bytes. */
  readonly etag: string
  readonly body: Body
  readonly contentType: string
  readonly warnings: readonly Warning[]
  /** The dependency keys it read, sorted. */
  readonly readSet: Uint32Array
  /** The templates it was laid out with, and their fingerprint then. */
  readonly templates: readonly string[]
  readonly fingerprint: string
  readonly milliseconds: number
}

export interface Artifact extends Omit<Made, 'body'> {
  readonly job: CompileJob
  /** Names the shared body in the cache; `name` is what its holes hold. */
  readonly bodyHash: string
  readonly name: string
  /** Length of the exact bytes. */
  readonly length: number
  /** The newest revision it is known to be valid at. */
  validAt: number
  generation: number
}

interface SharedBody {
  readonly bytes: Uint8Array
  readonly holes: Uint32Array
}

export interface ArtifactCounts {
  readonly artifacts: number
  /** Bytes of the bodies as they are kept. */
  readonly keptBytes: number
  readonly compiles: number
  readonly hits: number
}

/**
 * Compiled files, each kept until something it read changes; there are no timers and no flushes.
 *
 * A thousand callers that miss at once share one compile. What comes back is checked against the newest revision
 * before it is kept, so a slow compile of old data never passes as new. A failed compile is not kept.
 */
export class Artifacts {
  readonly #entries: LRUCache<string, Artifact>
  readonly #bodies: LRUCache<string, SharedBody>
  /** How many entries have a body, by its hash: the last one takes it along. */
  readonly #users = new Map<string, number>()
  /** Bodies of what was not kept, since something newer was: they last as long as somebody holds the artifact. */
  readonly #loose = new WeakMap<Artifact, SharedBody>()
  readonly #flights = new Map<string, Promise<Artifact>>()
  #compiles = 0
  #hits = 0

  constructor(
    private readonly given: {
      readonly workingSet: WorkingSet
      readonly templates: () => TemplateSet
      readonly make: (job: CompileJob) => Promise<Made>
      readonly budget: Budget
      /** Told when a newer artifact has taken the place of an older one. */
      readonly replaced?: (old: Artifact, next: Artifact) => void
    },
  ) {
    this.#entries = given.budget.cache('artifacts', {
      size: ({ readSet, warnings, name }) => readSet.byteLength + warnings.length * 300 + name.length + 800,
      dispose: ({ bodyHash }) => this.#release(bodyHash),
    })
    this.#bodies = given.budget.cache('bodies', {
      size: ({ bytes, holes }) => bytes.length + holes.byteLength + 300,
    })
  }

  /** The artifact if it is valid now, with its body still here; never waits. */
  peek(job: CompileJob): Artifact | null {
    const known = this.#entries.get(keyOf(job))
    return known && this.isFresh(known) && this.#bodies.has(known.bodyHash) ? known : null
  }

  /** The artifact as of now or later, compiled when it has to be. */
  async get(job: CompileJob): Promise<Artifact> {
    const input = this.given.workingSet.revision
    const layout = this.given.templates()
    const known = this.peek(job)
    if (known) {
      this.#hits += 1
      return known
    }
    for (;;) {
      const artifact = await this.#flight(job)
      // A flight that began before this call may have read older data, and have been laid out with older templates.
      const isLaidOut = layout.fingerprint(artifact.templates) === artifact.fingerprint
      if ((artifact.revision >= input && isLaidOut) || this.isFresh(artifact)) return artifact
    }
  }

  /** Whether nothing that the artifact read, and no template it was laid out with, changed since. */
  isFresh(artifact: Artifact): boolean {
    const { workingSet, templates } = this.given
    if (artifact.validAt !== workingSet.revision) {
      if (!workingSet.unmoved(artifact.readSet, artifact.validAt)) return false
      artifact.validAt = workingSet.revision
    }
    const now = templates()
    if (artifact.generation !== now.generation) {
      if (now.fingerprint(artifact.templates) !== artifact.fingerprint) return false
      artifact.generation = now.generation
    }
    return true
  }

  /** The exact bytes; `null` when the cache had to let the body go. */
  bytes(artifact: Artifact): Uint8Array | null {
    const { bodyHash, name } = artifact
    const body = this.#bodies.get(bodyHash) ?? this.#loose.get(artifact)
    return body ? join({ ...body, name }) : null
  }

  /** Lets go of every artifact that is no longer fresh; gives way after each few. */
  *sweep(): Iterable<void> {
    let looked = 0
    for (const key of [...this.#entries.keys()]) {
      const artifact = this.#entries.peek(key)
      if (artifact && !this.isFresh(artifact)) this.#entries.delete(key)
      looked += 1
      if (looked % 16 === 0) yield
    }
  }

  /** Every artifact that is kept, fresh or not. */
  *[Symbol.iterator](): Iterator<Artifact> {
    yield* this.#entries.values()
  }

  counts(): ArtifactCounts {
    return {
      artifacts: this.#entries.size,
      keptBytes: this.#bodies.calculatedSize,
      compiles: this.#compiles,
      hits: this.#hits,
    }
  }

  /** Takes in what was compiled without having been asked for (a whole fleet at once). */
  keep(job: CompileJob, { body, ...made }: Made): Artifact {
    this.#compiles += 1
    const artifact: Artifact = {
      ...made,
      job,
      bodyHash: body.hash,
      name: body.name,
      length: body.bytes.length + body.holes.length * body.name.length,
      validAt: made.revision,
      generation: -1,
    }
    const shared = { bytes: body.bytes, holes: body.holes }
    const key = keyOf(job)
    const known = this.#entries.peek(key)
    if (known && known.revision > made.revision) this.#loose.set(artifact, shared)
    else {
      this.#enter(key, artifact, shared)
      if (known) this.given.replaced?.(known, artifact)
      this.given.budget.trim()
    }
    return artifact
  }

  #enter(key: string, artifact: Artifact, shared: SharedBody): void {
    const { bodyHash } = artifact
    this.#users.set(bodyHash, (this.#users.get(bodyHash) ?? 0) + 1)
    if (!this.#bodies.has(bodyHash)) this.#bodies.set(bodyHash, shared)
    this.#entries.set(key, artifact)
    // What is larger than all there is room for is not taken in.
    if (this.#entries.peek(key) !== artifact) this.#release(bodyHash)
  }

  #release(bodyHash: string): void {
    const users = this.#users.get(bodyHash)! - 1
    if (users > 0) this.#users.set(bodyHash, users)
    else {
      this.#users.delete(bodyHash)
      this.#bodies.delete(bodyHash)
    }
  }

  #flight(job: CompileJob): Promise<Artifact> {
    const key = keyOf(job)
    const running = this.#flights.get(key)
    if (running) return running
    const flight = this.given
      .make(job)
      .then((made) => this.keep(job, made))
      .finally(() => this.#flights.delete(key))
    this.#flights.set(key, flight)
    return flight
  }
}

const keyOf = ({ scope, subjectId, file }: CompileJob): string => `${scope}/${subjectId}/${file}`
