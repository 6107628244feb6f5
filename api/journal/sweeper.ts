import type { WorkingSet } from '../../compiler/data/workingSet.js'
import type { Failed } from '../flow/failed.js'
import { inSlices, nextTurn } from '../flow/slices.js'

/** After so many revisions everything that is kept is looked at once; after fewer where there is no room. */
const revisionsBetween = { usual: 1000, full: 100 }
/** There is no hurry: in ms, less than anybody notices. */
const slice = 2

export interface Sweeper {
  /** The working set is at another revision. */
  moved(): void
  /** Room is wanted: what is stale goes now, not some hundred revisions later. */
  wanted(): void
}

/**
 * Lets go of what is kept and no longer true though nobody asks for it, in slices between requests. What is left is
 * then known to be valid now, so that what moved before need not be remembered any more.
 */
export function createSweeper(given: {
  readonly workingSet: WorkingSet
  readonly sweeps: () => readonly Iterable<void>[]
  readonly failed: Failed
}): Sweeper {
  const { workingSet, failed } = given
  let swept = workingSet.revision
  let running = false

  const begin = async (): Promise<void> => {
    running = true
    try {
      await nextTurn()
      const { revision } = workingSet
      await inSlices(all(given.sweeps()), slice)
      await inSlices(workingSet.forget(revision), slice)
      swept = revision
    } finally {
      running = false
    }
  }

  const after = (revisions: number) => (): void => {
    if (!running && workingSet.revision - swept >= revisions) begin().catch((error: unknown) => failed('sweep', error))
  }
  return { moved: after(revisionsBetween.usual), wanted: after(revisionsBetween.full) }
}

function* all(sweeps: readonly Iterable<void>[]): Generator<void, void> {
  for (const sweep of sweeps) yield* sweep
}
