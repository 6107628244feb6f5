import { LRUCache } from 'lru-cache'

/**
 * What a cache that does not say which revision it fetched can have fetched: nothing older than what was current
 * when it first saw that an update is pending. The field's agent asks for its update status once before it fetches
 * and once more before it acknowledges (clients.md §4); only the first counts, or an update queued between the two
 * would be cleared by files that are older. Taking too old a revision costs one more run, never an update.
 *
 * Kept in memory, so that looking stays free of writes. What is forgotten, with a restart or at another instance,
 * falls back to the revision of the login: the agent logs in once per run.
 */
export interface UpdateReads {
  /** A client was told at `revision` whether the server has something to fetch. */
  note(reader: string, serverId: number, told: { revision: number; pending: boolean }): void
  /** The newest revision of which it is known that the client has fetched it for the server; 0 when none is. */
  fetched(reader: Reader, serverId: number): number
  /** What was pending is reported on; the next question begins anew. */
  reported(reader: string, serverId: number): void
}

/** Who asks: one login or API token, and the revision its session began at. */
export interface Reader {
  readonly name: string
  readonly begun: number
}

export function createUpdateReads({ entries }: { entries: number }): UpdateReads {
  // Not `max`, which takes the room of all entries from the start.
  const firstPending = new LRUCache<string, number>({ maxSize: entries, sizeCalculation: () => 1 })
  const keyOf = (reader: string, serverId: number) => `${serverId} ${reader}`
  return {
    note: (reader, serverId, { revision, pending }) => {
      const key = keyOf(reader, serverId)
      if (!pending) firstPending.delete(key)
      else if (!firstPending.has(key)) firstPending.set(key, revision)
    },
    fetched: ({ name, begun }, serverId) => firstPending.get(keyOf(name, serverId)) ?? begun,
    reported: (reader, serverId) => {
      firstPending.delete(keyOf(reader, serverId))
    },
  }
}
