import type { WorkingSet } from '../../../compiler/data/workingSet.js'
import { Line } from '../../flow/line.js'
import { doneAtOnce, inSlices, whileWanted } from '../../flow/slices.js'
import type { Caller } from '../../schema/privileges.js'
import type { Begin } from '../createTransaction.js'
import { onFork, onTrial } from '../ground.js'
import type { DecidedTransaction, Steps, Transaction } from '../transaction.js'

/** How many rehearsals in steps may wait, each with what it is to try. */
const mostWaiting = 40

/** What decisions would come to. Nothing becomes of them, so they wait for no other decision, and none for them. */
export class Rehearsals {
  readonly #given: { readonly workingSet: WorkingSet; readonly begin: Begin }
  readonly #line = new Line(mostWaiting)

  constructor(given: { readonly workingSet: WorkingSet; readonly begin: Begin }) {
    this.#given = given
  }

  atOnce<T>(user: Caller, decide: (transaction: Transaction) => T): { value: T; plan: DecidedTransaction } {
    return this.#onTrial(user, (transaction) => ({ value: decide(transaction), plan: transaction }))
  }

  /** At once when the steps are few. */
  async few<T>(user: Caller, steps: Steps<T>, gone?: AbortSignal): Promise<T> {
    const done = this.#onTrial(user, (transaction) => doneAtOnce(steps(transaction)))
    return done ? done.value : this.inSteps(user, steps, gone)
  }

  /** One at a time, as each has tables of its own. */
  inSteps<T>(user: Caller, steps: Steps<T>, gone?: AbortSignal): Promise<T> {
    const { workingSet, begin } = this.#given
    return this.#line.run(
      () =>
        onFork(workingSet, Object.keys(workingSet.schema), (fork) => {
          const transaction = begin({ workingSet: fork, trial: fork, user, revision: fork.revision + 1 })
          return inSlices(whileWanted(steps(transaction), gone))
        }),
      gone,
    )
  }

  #onTrial<T>(user: Caller, work: (transaction: DecidedTransaction) => T): T {
    const { workingSet, begin } = this.#given
    return onTrial(workingSet, (trial) => work(begin({ workingSet, trial, user, revision: workingSet.revision + 1 })))
  }
}
