import type { Failed } from '../../flow/failed.js'
import { isLong, turn } from '../../flow/turns.js'
import type { Committer } from '../../journal/commit.js'
import type { KeyMaking } from './dnssecMaking.js'
import { complete, roll } from './dnssecMaking.js'

/** What is to be looked after some time soon, zone by zone: nobody waits for it. */
export interface Chores {
  /** Services that may lack keys, by id. */
  complete(ids: Iterable<number>): void
  /** Keys that may end soon, by id. */
  roll(ids: Iterable<number>): void
  /** What is under way, if something is. */
  running(): Promise<void> | null
  /** Begins nothing new. */
  stop(): void
}

export function createChores(given: KeyMaking & { committer: Committer; failed: Failed }): Chores {
  const lacking = new Set<number>()
  const ending = new Set<number>()
  let running: Promise<void> | null = null
  let stopped = false

  const each = async (
    ids: Set<number>,
    look: (id: number, given: KeyMaking & { committer: Committer }) => Promise<void>,
  ) => {
    for (const id of ids) {
      if (stopped) break
      ids.delete(id)
      await look(id, given)
      if (isLong()) await turn()
    }
  }

  async function work(): Promise<void> {
    try {
      while (!stopped && lacking.size + ending.size > 0) {
        await each(lacking, complete)
        await each(ending, roll)
      }
    } catch (error) {
      // What is left is looked for again within the hour, at the next start, and when the CDN is changed.
      lacking.clear()
      ending.clear()
      given.failed('dnssec', error)
    } finally {
      running = null
    }
  }

  const add = (to: Set<number>, ids: Iterable<number>): void => {
    if (stopped) return
    for (const id of ids) to.add(id)
    // Not within the commit that brought it about.
    if (to.size > 0) running ??= Promise.resolve().then(work)
  }

  return {
    complete: (ids) => add(lacking, ids),
    roll: (ids) => add(ending, ids),
    running: () => running,
    stop: () => {
      stopped = true
    },
  }
}
