import type { WorkingSet } from '../../compiler/data/workingSet.js'
import type { Caller } from '../schema/privileges.js'
import type { Entry, Store } from '../store/store.js'
import type { Applier } from './applier.js'
import { JournalEnd } from './committing/journalEnd.js'
import { LargeDecisions } from './committing/largeDecisions.js'
import { DecisionQueue } from './committing/queue.js'
import { Rehearsals } from './committing/rehearsals.js'
import { SmallDecisions } from './committing/smallDecisions.js'
import type { Committed } from './committing/waiting.js'
import type { Begin } from './createTransaction.js'
import { createTransaction } from './createTransaction.js'
import type { RecordKinds } from './kinds.js'
import type { DecidedTransaction, Steps, Transaction } from './transaction.js'

export interface Committer {
  /**
   * The one way to change anything. `decide` runs on the data at the head revision, synchronously, and again
   * when another instance was first; what it throws refuses the write and changes nothing. So does it when the user has
   * not the same rights any more there.
   */
  write<T>(who: Who, decide: (transaction: Transaction) => T): Promise<Committed<T>>
  /**
   * As `write`, for a decision of many steps: others are answered between them, and write once it is committed. When
   * another instance was first, it is decided again, and given up when that goes on and on.
   */
  writeInSteps<T>(who: Who, steps: Steps<T>): Promise<Committed<T>>
  /**
   * As `write`, for a decision that mostly has few steps: with too many of them it is begun again as by `writeInSteps`.
   */
  writeFew<T>(who: Who, steps: Steps<T>): Promise<Committed<T>>
  /**
   * What the steps would come to, without doing it; on the data as it was at one moment, whatever is written meanwhile.
   * One at a time, as each has tables of its own; given up when `gone` says so.
   */
  rehearseInSteps<T>(user: Caller, steps: Steps<T>, gone?: AbortSignal): Promise<T>
  /** The same for what mostly has few steps, which are done at once. */
  rehearseFew<T>(user: Caller, steps: Steps<T>, gone?: AbortSignal): Promise<T>
  /** What `decide` would do, without doing it. */
  rehearse<T>(user: Caller, decide: (transaction: Transaction) => T): { value: T; plan: DecidedTransaction }
  /** Applies journal entries that came from elsewhere; those already applied are passed over. */
  follow(entries: readonly Entry[]): Promise<void>
  /** Reads the journal until at least `revision` is applied. */
  catchUp(revision: number): Promise<void>
  /** Resolves when no write is under way. */
  idle(): Promise<void>
  /** Takes no more writes; resolves when those it had taken are decided. */
  stop(): Promise<void>
  /** Takes writes again. */
  resume(): void
}

interface Who {
  readonly user: Caller
  readonly requestId: string
}

/**
 * A write waits in the queue. Small decisions are taken from it together, one of many steps alone. Each is made by a
 * transaction, on what nobody else sees; its entry is appended at the journal's end; what got in is applied; then its
 * caller is answered. What was second to another instance is decided again.
 */
export function createCommitter(given: {
  store: Store
  workingSet: WorkingSet
  catalogue: RecordKinds
  now: () => Date
  /** The latest time in the journal, as it was loaded. */
  lastTime: string
  applier: Applier
}): Committer {
  const { workingSet, catalogue, now, applier } = given
  const end = new JournalEnd(given)
  // Written out: a spread costs more than many a decision.
  const begin: Begin = ({ workingSet, trial, user, revision }) =>
    createTransaction({ workingSet, trial, catalogue, user, time: end.nextTime(), revision })
  const small = new SmallDecisions({ workingSet, end, begin, now })
  const large = new LargeDecisions({ workingSet, end, applier, begin, now })
  const queue = new DecisionQueue({ end, small, large })
  const rehearsals = new Rehearsals({ workingSet, begin })
  return {
    write: (who, decide) => queue.add({ ...who, how: { decide } }),
    writeInSteps: (who, steps) => queue.add({ ...who, how: { steps } }),
    writeFew: (who, few) => queue.add({ ...who, how: { few } }),
    rehearse: (user, decide) => rehearsals.atOnce(user, decide),
    rehearseFew: (user, steps, gone) => rehearsals.few(user, steps, gone),
    rehearseInSteps: (user, steps, gone) => rehearsals.inSteps(user, steps, gone),
    follow: (entries) => end.follow(entries),
    catchUp: (revision) => end.catchUp(revision),
    idle: () => queue.idle(),
    stop: () => queue.stop(),
    resume: () => queue.resume(),
  }
}
