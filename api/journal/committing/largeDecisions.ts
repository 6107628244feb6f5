import type { Fork } from '../../../compiler/data/fork.js'
import type { WorkingSet } from '../../../compiler/data/workingSet.js'
import { overtaken } from '../../config/errors.js'
import { inSlices } from '../../flow/slices.js'
import { mustStillBe } from '../../schema/callers.js'
import type { Change } from '../../store/store.js'
import type { Applier } from '../applier.js'
import type { Begin } from '../createTransaction.js'
import { onFork } from '../ground.js'
import type { DecidedTransaction, Steps } from '../transaction.js'
import { entrySteps } from './entry.js'
import type { JournalEnd } from './journalEnd.js'
import type { Waiting } from './waiting.js'
import { tellUnknown } from './waiting.js'

/** How often a decision in steps is made anew because another instance was first. */
const mostTries = 20

interface Given {
  readonly workingSet: WorkingSet
  readonly end: JournalEnd
  readonly applier: Applier
  readonly begin: Begin
  readonly now: () => Date
}

type Decision = { readonly value: unknown; readonly changes: readonly Change[] } | { readonly error: unknown }

/**
 * Decisions of many steps, one at a time. Each is made on a fork of its own, while others are answered; when nothing
 * else was committed meanwhile its entry is appended, and the fork takes the place of the tables it was made of.
 */
export class LargeDecisions {
  readonly #given: Given

  constructor(given: Given) {
    this.#given = given
  }

  async commit(waiting: Waiting, steps: Steps<unknown>): Promise<void> {
    const { workingSet, end } = this.#given
    for (let tries = 0; tries < mostTries; tries++) {
      if (end.isUncertain || tries > 0) await end.catchUpToHead()
      const isDone = await onFork(workingSet, Object.keys(workingSet.schema), (fork) => this.#try(waiting, steps, fork))
      if (isDone) return
    }
    waiting.reject(overtaken())
  }

  /** False when another instance was first. */
  async #try(waiting: Waiting, steps: Steps<unknown>, fork: Fork): Promise<boolean> {
    if (this.#isOvertaken(fork)) return false
    const { user, resolve, reject } = waiting
    const transaction = this.#given.begin({ workingSet: fork, trial: fork, user, revision: fork.revision + 1 })
    const decision = await this.#decide(transaction, steps)
    if (this.#isOvertaken(fork)) return false
    if ('error' in decision) reject(decision.error)
    else if (decision.changes.length === 0) resolve({ value: decision.value, revision: fork.revision })
    else return this.#makeDurable({ waiting, transaction, fork, ...decision })
    return true
  }

  async #decide(transaction: DecidedTransaction, steps: Steps<unknown>): Promise<Decision> {
    const { now } = this.#given
    const permitted = function* () {
      mustStillBe(transaction.user, transaction.data, now())
      return yield* steps(transaction)
    }
    const decided = await inSlices(permitted()).then(
      (value) => ({ value }),
      (error: unknown) => ({ error }),
    )
    if ('error' in decided) return decided
    return { ...decided, changes: await inSlices(transaction.changesInSteps()) }
  }

  /** False, as above. */
  async #makeDurable(decided: {
    waiting: Waiting
    transaction: DecidedTransaction
    fork: Fork
    value: unknown
    changes: readonly Change[]
  }): Promise<boolean> {
    const { end, applier } = this.#given
    const { waiting, transaction, fork, value, changes } = decided
    const entry = await inSlices(entrySteps(transaction, changes, waiting.requestId))
    if (this.#isOvertaken(fork)) return false
    end.note(entry.time)
    const { committed, failure } = await end.append([entry])
    if (failure) {
      tellUnknown(failure, [{ waiting, entry }])
      throw failure
    }
    if (committed === 0) return false
    await applier.adopt(entry, fork)
    waiting.resolve({ value, revision: entry.revision })
    return true
  }

  #isOvertaken({ revision }: Fork): boolean {
    return this.#given.workingSet.revision !== revision
  }
}
