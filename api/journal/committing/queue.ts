import { restoring, unavailable } from '../../config/errors.js'
import { StoreUnavailable } from '../../store/store.js'
import type { JournalEnd } from './journalEnd.js'
import type { LargeDecisions } from './largeDecisions.js'
import type { SmallDecisions } from './smallDecisions.js'
import type { Committed, Waiting } from './waiting.js'

/** Writers that wait together are decided one after the other and made durable together. */
const batchSize = 200

interface Given {
  readonly end: JournalEnd
  readonly small: SmallDecisions
  readonly large: LargeDecisions
}

/**
 * Those who wait for a decision, in the order in which they came. Some are taken from the front, and the next only once
 * each of these has an answer: nothing is ever decided on top of what is on its way to the store.
 */
export class DecisionQueue {
  readonly #given: Given
  readonly #waiting: Waiting[] = []
  #running: Promise<void> | null = null
  #isStopped = false

  constructor(given: Given) {
    this.#given = given
  }

  /** Resolves once it is decided, and durable; rejects with why it was refused. */
  add<T>(what: Omit<Waiting, 'resolve' | 'reject'>): Promise<Committed<T>> {
    return new Promise((resolve, reject) => {
      if (this.#isStopped) {
        reject(restoring())
        return
      }
      this.#waiting.push({ ...what, resolve: resolve as Waiting['resolve'], reject })
      // Writers of the same turn of the event loop share the batch.
      this.#running ??= Promise.resolve().then(() => this.#run())
    })
  }

  /** Resolves when no decision is under way. */
  async idle(): Promise<void> {
    while (this.#running) await this.#running
  }

  stop(): Promise<void> {
    this.#isStopped = true
    return this.idle()
  }

  resume(): void {
    this.#isStopped = false
  }

  async #run(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = this.#nextBatch()
      try {
        const left = await this.#commit(batch)
        this.#waiting.unshift(...left)
      } catch (error) {
        this.#refuse(batch, error)
      }
    }
    this.#running = null
  }

  /** Writers of small decisions share a batch; one of many steps is alone. */
  #nextBatch(): readonly Waiting[] {
    const large = this.#waiting.findIndex(({ how }) => 'steps' in how)
    return this.#waiting.splice(0, large < 0 ? batchSize : Math.min(batchSize, Math.max(large, 1)))
  }

  /** Resolves with those of the batch that have no answer yet. */
  async #commit(batch: readonly Waiting[]): Promise<readonly Waiting[]> {
    const { small, large } = this.#given
    const [first] = batch
    if (!first || !('steps' in first.how)) return small.commit(batch)
    await large.commit(first, first.how.steps)
    return []
  }

  /** Those already answered ignore this; promises settle once. */
  #refuse(batch: readonly Waiting[], error: unknown): void {
    const { end } = this.#given
    // A store that was away when this batch began is away for all who wait behind it, too.
    const refused = end.isUncertain ? [...batch, ...this.#waiting.splice(0)] : batch
    end.doubt()
    for (const { reject } of refused) reject(error instanceof StoreUnavailable ? unavailable(error) : error)
  }
}
