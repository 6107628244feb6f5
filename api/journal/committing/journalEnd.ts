import type { WorkingSet } from '../../../compiler/data/workingSet.js'
import type { Entry, Store } from '../../store/store.js'
import { AppendFailed, StoreUnavailable } from '../../store/store.js'
import type { Applier } from '../applier.js'

interface Given {
  readonly store: Store
  readonly workingSet: WorkingSet
  readonly applier: Applier
  readonly now: () => Date
  /** The latest time in the journal, as it was loaded. */
  readonly lastTime: string
}

/**
 * The end of the journal, as far as this instance knows it: what came in from elsewhere is applied, what was decided
 * here is added, and times only ever rise.
 */
export class JournalEnd {
  readonly #given: Given
  #lastTime: string
  #isUncertain = false

  constructor(given: Given) {
    this.#given = given
    this.#lastTime = given.lastTime
  }

  /** Whether an append failed half-known: then the journal is read before anything is decided again. */
  get isUncertain(): boolean {
    return this.#isUncertain
  }

  doubt(): void {
    this.#isUncertain = true
  }

  /** The time of an entry that is made now. Times in the journal never go back, whatever the clock does. */
  nextTime(): string {
    return later(this.#given.now().toISOString(), this.#lastTime)
  }

  /** An entry has this time. */
  note(time: string): void {
    this.#lastTime = later(time, this.#lastTime)
  }

  /** How many of the entries got in, from the first on; and why the others did not, unless another instance was first. */
  async append(entries: readonly Entry[]): Promise<{ committed: number; failure?: AppendFailed }> {
    if (entries.length === 0) return { committed: 0 }
    try {
      return { committed: await this.#given.store.append(entries) }
    } catch (error) {
      if (!(error instanceof AppendFailed)) throw error
      return { committed: error.committed, failure: error }
    }
  }

  /** Applies entries; those already applied are passed over. */
  async follow(entries: readonly Entry[]): Promise<void> {
    for (const { time } of entries) this.note(time)
    await this.#given.applier.follow(entries)
  }

  /** Reads the journal until at least `revision` is applied, if it is there. */
  async catchUp(revision: number): Promise<void> {
    const { store, workingSet } = this.#given
    if (workingSet.revision >= revision) return
    // What comes meanwhile is not waited for: a revision of the far future would be waited for as long as others write.
    const wanted = Math.min(revision, await store.head())
    while (workingSet.revision < wanted) {
      const entries = await store.entriesAfter(workingSet.revision, 100)
      if (entries.length === 0) return
      await this.follow(entries)
    }
  }

  /** Reads the journal to its end; nothing about it is uncertain then. */
  async catchUpToHead(): Promise<void> {
    const { store, workingSet } = this.#given
    const head = await store.head()
    await this.catchUp(head)
    const { revision } = workingSet
    // Whoever decided on top of less would try for ever.
    if (revision < head) throw new StoreUnavailable(`The journal ends at ${head} and gives nothing after ${revision}`)
    this.#isUncertain = false
  }
}

/** Of two ISO times in ms, UTC. */
const later = (one: string, other: string): string => (one > other ? one : other)
