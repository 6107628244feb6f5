import { LRUCache } from 'lru-cache'
import { type Body, join } from './body.js'
import type { CompileJob } from './compile.js'
import type { TemplateSet } from './templates.js'
import type { Warning } from './warnings.js'
import type { WorkingSet } from './workingSet.js'

/** What a compile gives back, from wherever it ran. */
export interface Made {
  /** The revision it was compiled at. */
  readonly revision: number
  /** Hash of the exact bytes. */
  readonly etag: string
  readonly body: Body
  readonly contentType: string
  readonly warnings: readonly Warning[]
  /** The cells it read, sorted. */
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
  // A bound on the size, unlike one on the number, makes no room for all of them at the start.
  readonly #entries = new LRUCache<string, Artifact>({ maxSize: 1_000_000, sizeCalculation: () => 1 })
  readonly #bodies: LRUCache<string, SharedBody>
  readonly #flights = new Map<string, Promise<Artifact>>()
  #compiles = 0
  #hits = 0

  constructor(
    private readonly given: {
      readonly workingSet: WorkingSet
      readonly templates: () => TemplateSet
      readonly make: (job: CompileJob) => Promise<Made>
      /** Bound on the bytes of all bodies together. */
      readonly maxBytes: number
    },
  ) {
    this.#bodies = new LRUCache({
      maxSize: given.maxBytes,
      sizeCalculation: ({ bytes, holes }) => bytes.length + holes.byteLength + 1,
    })
  }

  /** The artifact if it is valid now, with its body still here; never waits. */
  peek(job: CompileJob): Artifact | null {
    const known = this.#entries.get(keyOf(job))
    return known && this.isFresh(known) && this.#bodies.has(known.bodyHash) ? known : null
  }

  /** The artifact as of now or later, compiled when it has to be. */
  async get(job: CompileJob): Promise<Artifact> {
    const asked = this.given.workingSet.revision
    const known = this.peek(job)
    if (known) {
      this.#hits += 1
      return known
    }
    for (;;) {
      const artifact = await this.#flight(job)
      // A flight that began before this call may have read older data.
      if (artifact.revision >= asked || this.isFresh(artifact)) return artifact
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
  bytes({ bodyHash, name }: Artifact): Uint8Array | null {
    const body = this.#bodies.get(bodyHash)
    return body ? join({ ...body, name }) : null
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
    if (!this.#bodies.has(body.hash)) this.#bodies.set(body.hash, { bytes: body.bytes, holes: body.holes })
    const artifact: Artifact = {
      ...made,
      job,
      bodyHash: body.hash,
      name: body.name,
      length: body.bytes.length + body.holes.length * body.name.length,
      validAt: made.revision,
      generation: -1,
    }
    const key = keyOf(job)
    const known = this.#entries.peek(key)
    if (!known || known.revision <= made.revision) this.#entries.set(key, artifact)
    return artifact
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
