import type { WorkingSet } from '../compiler/workingSet.js'
import { inSlices, nextTurn } from './slices.js'

/** After so many revisions everything that is kept is looked at once. */
const revisionsBetween = 1000
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
}): Sweeper {
  const { workingSet } = given
  let swept = workingSet.revision
  let running = false

  const begin = async (): Promise<void> => {
    if (running || swept === workingSet.revision) return
    running = true
    try {
      await nextTurn()
      const { revision } = workingSet
      await inSlices(all(given.sweeps()), slice)
      workingSet.forget(revision)
      swept = revision
    } finally {
      running = false
    }
  }

  return {
    moved: () => {
      if (workingSet.revision - swept >= revisionsBetween) void begin()
    },
    wanted: () => void begin(),
  }
}

function* all(sweeps: readonly Iterable<void>[]): Generator<void, void> {
  for (const sweep of sweeps) yield* sweep
}
