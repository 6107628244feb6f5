import { AppendFailed } from './store.js'

/** How a commit went: so many of the items are durable; `error` says why the others are not, when it was not another's entry. */
export interface Outcome {
  readonly committed: number
  readonly error?: unknown
}

interface Waiting<T> {
  readonly items: readonly T[]
  readonly resolve: (committed: number) => void
  readonly reject: (error: unknown) => void
}

/**
 * Group commit. Appends that arrive while a commit is under way wait and then share the next one, in order.
 *
 * Whoever appends revision n + 1 while n is still in flight has decided on top of n. So the first append that
 * does not get in takes everything that waits behind it along: those resolve with 0 and decide anew.
 */
export function groupCommit<T extends { readonly revision: number }>(
  commit: (items: readonly T[]) => Promise<Outcome>,
): { append: (items: readonly T[]) => Promise<number>; idle: () => Promise<void> } {
  let waiting: Waiting<T>[] = []
  let running: Promise<void> | null = null

  async function run(): Promise<void> {
    // One turn of the event loop, so that requests read from the sockets together are committed together.
    await new Promise(setImmediate)
    while (waiting.length > 0) {
      const shared = takeWhatFollows()
      const outcome = await commit(shared.flatMap((group) => group.items)).catch(
        (error: unknown): Outcome => ({ committed: 0, error }),
      )
      if (!settle(shared, outcome)) {
        const behind = waiting
        waiting = []
        settle(behind, { committed: 0, ...('error' in outcome && { error: unsent(outcome.error) }) })
      }
    }
    running = null
  }

  /** Takes the longest run of groups whose revisions follow each other. */
  function takeWhatFollows(): Waiting<T>[] {
    let next = waiting[0]?.items[0]?.revision ?? 0
    let count = 0
    for (const group of waiting) {
      if (group.items[0]?.revision !== next) break
      next += group.items.length
      count++
    }
    return waiting.splice(0, count)
  }

  return {
    append(items) {
      if (items.length === 0) return Promise.resolve(0)
      return new Promise((resolve, reject) => {
        waiting.push({ items, resolve, reject })
        running ??= run()
      })
    },
    async idle() {
      while (running) await running
    },
  }
}

/** Tells each group its share of the outcome; false when not all of them got in whole. */
function settle<T>(groups: readonly Waiting<T>[], { committed, error }: Outcome): boolean {
  let left = committed
  for (const { items, resolve, reject } of groups) {
    const share = Math.min(left, items.length)
    left -= share
    if (share < items.length && error !== undefined) reject(ofGroup(error, share))
    else resolve(share)
    if (share < items.length) left = 0
  }
  return committed === groups.reduce((sum, group) => sum + group.items.length, 0)
}

/** The failure as a group sees it that has so many entries in the journal. */
function ofGroup(error: unknown, committed: number): unknown {
  if (!(error instanceof AppendFailed)) return error
  return new AppendFailed(error.message, { cause: error.cause, committed, outcome: error.outcome })
}

/** The failure as those see it who waited behind it: nothing of theirs was sent. */
function unsent(error: unknown): unknown {
  if (!(error instanceof AppendFailed)) return error
  return new AppendFailed(error.message, { cause: error.cause, committed: 0, outcome: 'none' })
}
