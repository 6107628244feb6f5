import type { Fork } from '../../compiler/data/fork.js'
import type { Trial, WorkingSet } from '../../compiler/data/workingSet.js'
import { inSlices } from '../flow/slices.js'

/** What is written is made on a trial of the working set or on a fork beside it. Either is let go of, whatever comes of it. */

/** In one go: the working set is as it was when `work` returns. */
export function onTrial<T>(workingSet: WorkingSet, work: (trial: Trial) => T): T {
  const trial = workingSet.trial()
  try {
    return work(trial)
  } finally {
    trial.rollback()
  }
}

/** In as many turns as it takes. `kinds` are those whose records may change. */
export async function onFork<T>(
  workingSet: WorkingSet,
  kinds: Iterable<string>,
  work: (fork: Fork) => Promise<T>,
): Promise<T> {
  const fork = await inSlices(workingSet.fork(kinds))
  try {
    return await work(fork)
  } finally {
    fork.release()
  }
}
