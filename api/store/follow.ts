import { setTimeout as delay } from 'node:timers/promises'
import type { Entry, Store } from './store.js'
import { HistoryReplaced, JournalTrimmed, StoreUnavailable } from './store.js'

const page = 100
const longestWait = 5000

/**
 * Hands every entry after revision `from` to `onEntry`, in order and once, as instances commit them. Asks the
 * store every `interval` ms, less often while it is unavailable. Any other error ends it, through `onError`.
 */
export function follow({
  store,
  from,
  interval = 250,
  onEntry,
  onError,
}: {
  store: Pick<Store, 'entriesAfter'>
  from: number
  interval?: number
  onEntry: (entry: Entry) => void | Promise<void>
  onError: (error: unknown) => void
}): { stop: () => Promise<void> } {
  const stopping = new AbortController()
  let revision = from
  let wait = interval

  async function poll(): Promise<void> {
    try {
      const entries = await store.entriesAfter(revision, page)
      wait = entries.length === page ? 0 : interval
      for (const entry of entries) {
        if (stopping.signal.aborted) return
        await onEntry(entry)
        revision = entry.revision
      }
    } catch (error) {
      const isOver = error instanceof JournalTrimmed || error instanceof HistoryReplaced
      if (!(error instanceof StoreUnavailable) || isOver) throw error
      wait = Math.min(longestWait, Math.max(interval, wait) * 2)
    }
  }

  const running = (async () => {
    while (!stopping.signal.aborted) {
      await poll()
      // Called off by `stop`.
      await delay(wait, undefined, { signal: stopping.signal, ref: false }).catch(() => {})
    }
  })().catch(onError)

  return {
    async stop() {
      stopping.abort()
      await running
    },
  }
}
