import type { Fork } from '../../compiler/data/fork.js'
import type { WorkingSet } from '../../compiler/data/workingSet.js'
import type { SharedLog } from '../../workers/sharedLog.js'
import { drained, inSlices } from '../flow/slices.js'
import { isLong, turn } from '../flow/turns.js'
import type { Change, Entry } from '../store/store.js'
import { onFork } from './ground.js'

/** Brings journal entries into the working set and to the threads, in order. */
export interface Applier {
  /** Applies entries, own or followed; those already applied are passed over. */
  follow(entries: readonly Entry[]): Promise<void>
  /** As `follow`, for an entry whose changes are in `fork` already; the caller releases the fork. */
  adopt(entry: Entry, fork: Fork): Promise<void>
}

/** Changes of an entry that are applied in one go; more of them are prepared in slices beside what is served. */
const atOnce = 500

export function createApplier(given: {
  workingSet: WorkingSet
  sharedLog: SharedLog
  /** Tells of every entry, in order, after the working set and the threads' log have it: in steps. */
  applied: (entry: Entry) => Generator<void, void>
}): Applier {
  const { workingSet, sharedLog, applied } = given
  let busy: Promise<void> | null = null

  /** `false`, and nothing done, when it would take long: the entry is large, or the log is full and has to begin anew. */
  const applyAtOnce = (entry: Entry): boolean => {
    if (entry.changes.length > atOnce) return false
    const frame = sharedLog.frame(entry)
    if (!sharedLog.hasRoom(frame)) return false
    workingSet.apply(entry)
    sharedLog.append(entry, frame)
    drained(applied(entry))
    return true
  }

  /** Nothing is seen of it until all of it is there, in the working set and for the threads. */
  const show = async (entry: Entry, fork: Fork): Promise<void> => {
    const moved = await inSlices(fork.moved())
    const publish = await inSlices(sharedLog.prepare(entry, fork))
    workingSet.adopt(fork, moved)
    publish()
    await inSlices(applied(entry))
    await inSlices(workingSet.settle(moved))
  }

  const applyInSlices = (entry: Entry): Promise<void> =>
    onFork(workingSet, new Set(entry.changes.map(({ kind }) => kind)), async (fork) => {
      await inSlices(changed(fork, entry.changes))
      await show(entry, fork)
    })

  /** Whoever applies waits for what is being prepared: entries stay in order. */
  const alone = async (work: () => Promise<void>): Promise<void> => {
    const mine = work()
    // Who waits behind it is not told how it went; who asked for it is.
    busy = mine.catch(() => undefined)
    try {
      await mine
    } finally {
      busy = null
    }
  }

  return {
    follow: async (entries) => {
      for (const entry of entries) {
        while (busy) await busy
        if (entry.revision <= workingSet.revision) continue
        if (!applyAtOnce(entry)) await alone(() => applyInSlices(entry))
        // Each is there as a whole, and what was read after one is as good as what was read after the last.
        if (isLong()) await turn()
      }
    },
    adopt: async (entry, fork) => {
      while (busy) await busy
      // It may have been followed from the journal before its writer heard that it is in there.
      if (entry.revision > workingSet.revision) await alone(() => show(entry, fork))
    },
  }
}

function* changed(fork: Fork, changes: readonly Change[]): Generator<void, void> {
  for (const { kind, id, after } of changes) {
    fork.change(kind, id, after)
    yield
  }
}
