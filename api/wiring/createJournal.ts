import type { SharedLog } from '../../workers/sharedLog.js'
import type { Settings } from '../config/settings.js'
import type { Failed } from '../flow/failed.js'
import { createApplier } from '../journal/applier.js'
import { createChangeFeed } from '../journal/changeFeed.js'
import { createCommitter } from '../journal/commit.js'
import { createDnssecKeeper } from '../operations/keys/dnssecKeeper.js'
import { createKeyMaker } from '../operations/keys/keyMaker.js'
import { follow } from '../store/follow.js'
import type { Entry } from '../store/store.js'
import { HistoryReplaced } from '../store/store.js'
import type { OpenData } from './openData.js'

interface Given extends Pick<OpenData, 'store' | 'workingSet' | 'catalogue' | 'data' | 'vault' | 'lastTime'> {
  readonly now: () => Date
  readonly failed: Failed
  readonly sharedLog: SharedLog
  /** An entry was applied; what it comes to goes in steps. */
  readonly applied: (entry: Entry) => Generator<void, void>
}

export type Journal = ReturnType<typeof createJournal>

/** The one write path, what tells others of it, and what follows the entries of other instances. */
export function createJournal({ mongoUri }: Settings, given: Given) {
  const { store, workingSet, catalogue, data, vault, lastTime, now, failed, sharedLog } = given
  const changeFeed = createChangeFeed({ data, store })
  const committer = createCommitter({
    store,
    workingSet,
    catalogue,
    now,
    lastTime,
    applier: createApplier({
      workingSet,
      sharedLog,
      *applied(entry) {
        yield* given.applied(entry)
        changeFeed.applied(entry)
        yield* dnssec.applied(entry)
      },
    }),
  })
  const makeRsa = createKeyMaker()
  const dnssec = createDnssecKeeper({ data, committer, vault, makeRsa, now, failed })
  let behind: string | null = null
  let follower: { stop(): Promise<void> } | null = null
  return {
    committer,
    changeFeed,
    makeRsa,
    dnssec,
    /**
     * Begins to follow the entries of other instances.
     *
     * @param replaced told when another history has taken the place of the store's
     */
    follow: (replaced: () => void): void => {
      if (mongoUri === null) return
      const onError = (error: unknown): void => {
        if (error instanceof HistoryReplaced) {
          replaced()
          return
        }
        behind = error instanceof Error ? error.message : String(error)
        failed('follow', error)
      }
      follower = follow({ store, from: workingSet.revision, onEntry: (entry) => committer.follow([entry]), onError })
    },
    /** Why the entries of other instances do not come any more; `null` while they do. */
    behind: () => behind,
    close: async () => {
      await dnssec.stop()
      await follower?.stop()
      await committer.idle()
    },
  }
}
