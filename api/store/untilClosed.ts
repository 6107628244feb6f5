import type { ReadPart, Store } from './store.js'
import { StoreUnavailable } from './store.js'

/**
 * A store that is let go of while some may still work with it: closing waits for what is under way, and whoever asks
 * for something afterwards is told that the store is away. A table that is closed must not be touched any more.
 */
export function untilClosed(store: Store): Store {
  const open = new Set<AsyncIterator<unknown>>()
  let isClosed = false
  let inUse = 0
  let unused = (): void => undefined

  async function use<T>(work: () => Promise<T>): Promise<T> {
    if (isClosed) throw new StoreUnavailable('The store was closed')
    inUse += 1
    try {
      return await work()
    } finally {
      inUse -= 1
      if (inUse === 0) unused()
    }
  }

  /** What is read in pieces is in use only while a piece is fetched: who takes them may take any time. */
  async function* pieces<T>(of: () => AsyncIterable<T>): AsyncGenerator<T> {
    const iterator = await use(async () => of()[Symbol.asyncIterator]())
    open.add(iterator)
    try {
      for (;;) {
        const { done, value } = await use(() => iterator.next())
        if (done) return
        yield value
      }
    } finally {
      if (open.delete(iterator)) await iterator.return?.()
    }
  }

  const guarded = (part: ReadPart): ReadPart =>
    'changes' in part ? { ...part, changes: pieces(() => part.changes) } : part

  return {
    history: store.history,
    load: () => use(() => store.load()),
    append: (entries) => use(() => store.append(entries)),
    entriesAfter: (revision, limit) => use(() => store.entriesAfter(revision, limit)),
    headsAfter: (revision, limit) => use(() => store.headsAfter(revision, limit)),
    changesOf: (revision) => pieces(() => store.changesOf(revision)),
    head: () => use(() => store.head()),
    base: () => use(() => store.base()),
    lastBefore: (time) => use(() => store.lastBefore(time)),
    // It may take long, and ends by itself when the store is closed.
    trim: async (revision) => (isClosed ? use(() => store.trim(revision)) : store.trim(revision)),
    log: (query) => use(() => store.log(query)),
    async *contents(blobsOf) {
      for await (const part of pieces(() => store.contents(blobsOf))) yield guarded(part)
    },
    putBlob: (blob) => use(() => store.putBlob(blob)),
    getBlob: (hash) => use(() => store.getBlob(hash)),
    deleteBlobs: (hashes) => use(() => store.deleteBlobs(hashes)),
    listBlobs: () => use(() => store.listBlobs()),
    ping: () => use(() => store.ping()),
    settled: () => use(() => store.settled()),

    async close() {
      isClosed = true
      if (inUse > 0) {
        await new Promise<void>((resolve) => {
          unused = resolve
        })
      }
      const left = [...open]
      open.clear()
      await Promise.allSettled(left.map((iterator) => iterator.return?.()))
      await store.close()
    },
  }
}
