import type { Trial, WorkingSet } from '../../../compiler/data/workingSet.js'
import { drained } from '../../flow/slices.js'
import { isLong, turn } from '../../flow/turns.js'
import { mustStillBe } from '../../schema/callers.js'
import type { Entry } from '../../store/store.js'
import type { Begin } from '../createTransaction.js'
import { onTrial } from '../ground.js'
import { entrySteps } from './entry.js'
import type { JournalEnd } from './journalEnd.js'
import type { Waiting } from './waiting.js'
import { decidedAtOnce, inManySteps, tellUnknown } from './waiting.js'

/** For how long, in ms, those that wait are decided in one go. */
const decidingTime = 12

interface Given {
  readonly workingSet: WorkingSet
  readonly end: JournalEnd
  readonly begin: Begin
  readonly now: () => Date
}

interface Decision {
  readonly waiting: Waiting
  /** Gives the caller what was decided: a value, or a refusal. */
  settle(): void
  /** `null` when nothing changes. */
  readonly entry: Entry | null
}

/**
 * Decisions of few steps, many at a time. Each is made on top of those before it, on one trial of the working set; what
 * they came to is made durable together, then applied, and only then is anybody answered.
 */
export class SmallDecisions {
  readonly #given: Given

  constructor(given: Given) {
    this.#given = given
  }

  /** Resolves with those of the batch that are left for the next: one of many steps is the first of them then. */
  async commit(batch: readonly Waiting[]): Promise<readonly Waiting[]> {
    const { workingSet, end } = this.#given
    let left = batch
    for (;;) {
      if (end.isUncertain) await end.catchUpToHead()
      const waiting = left
      const { decisions, hasManySteps } = onTrial(workingSet, (trial) => this.#decide(waiting, trial))
      const settled = await this.#makeDurable(decisions)
      left = left.slice(settled)
      if (settled === decisions.length) return hasManySteps ? inManySteps(left) : left
      // Another instance was first.
      await end.catchUpToHead()
    }
  }

  /**
   * As far as they are decided at once: what turns out to have many steps is left, with those behind it. So are those
   * that would take too long together, for the next batch: trials are over when others have a turn.
   */
  #decide(batch: readonly Waiting[], trial: Trial): { decisions: readonly Decision[]; hasManySteps: boolean } {
    const until = performance.now() + decidingTime
    const decisions: Decision[] = []
    let { revision } = this.#given.workingSet
    for (const waiting of batch) {
      const decision = this.#decideOne(waiting, trial, revision)
      if (!decision) return { decisions, hasManySteps: true }
      decisions.push(decision)
      if (decision.entry) revision = decision.entry.revision
      if (performance.now() > until) break
    }
    return { decisions, hasManySteps: false }
  }

  /** On top of `revision`; `null` when it has many steps. */
  #decideOne(waiting: Waiting, trial: Trial, revision: number): Decision | null {
    const { workingSet, end, begin, now } = this.#given
    const mark = trial.mark()
    try {
      const transaction = begin({ workingSet, trial, user: waiting.user, revision: revision + 1 })
      mustStillBe(waiting.user, transaction.data, now())
      const done = decidedAtOnce(waiting.how, transaction)
      if (!done) return null
      const { changes } = transaction
      const entry = changes.length === 0 ? null : drained(entrySteps(transaction, changes, waiting.requestId))
      if (entry) end.note(entry.time)
      const committed = { value: done.value, revision: entry ? entry.revision : revision }
      return { waiting, entry, settle: () => waiting.resolve(committed) }
    } catch (error) {
      trial.rollback(mark)
      return { waiting, entry: null, settle: () => waiting.reject(error) }
    }
  }

  /** Resolves with how many of the decisions hold; their callers know it then. */
  async #makeDurable(decisions: readonly Decision[]): Promise<number> {
    const { end } = this.#given
    const entries = decisions.flatMap(({ entry }) => (entry ? [entry] : []))
    const { committed, failure } = await end.append(entries)
    await end.follow(entries.slice(0, committed))
    // What comes after an entry that was not committed, refusals included, was decided on what never was.
    const lost = entries[committed]
    const settled = lost
      ? decisions.slice(
          0,
          decisions.findIndex(({ entry }) => entry === lost),
        )
      : decisions
    await settleAll(settled)
    if (failure) {
      tellUnknown(failure, decisions.slice(settled.length))
      throw failure
    }
    return settled.length
  }
}

/** What each of them is told is made into an answer, which takes its time for many. */
async function settleAll(decisions: readonly Decision[]): Promise<void> {
  for (const { settle } of decisions) {
    settle()
    await null
    if (isLong()) await turn()
  }
}
