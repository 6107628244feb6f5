import type { IncomingMessage } from 'node:http'
import type { WorkingSet } from '../../compiler/data/workingSet.js'
import { isLong, turn } from '../flow/turns.js'
import type { ChangeFeed } from '../journal/changeFeed.js'
import { matches } from './cache/etag.js'
import type { CachedResponse } from './cache/kept.js'
import { type LongPollQuery, longPollQueryOf } from './longPollQuery.js'
import type { Target } from './target.js'
import { Waiter } from './waiter.js'

/**
 * Requests that wait for a change: `?wait=30s` with `If-None-Match`, or with `&rev=N`, the `X-Edgewright-Revision` of
 * the answer the client has. Answered once the answer differs from that one, or when the time is over.
 */
export class LongPolls {
  readonly #held = new Set<Waiter>()
  /** What changed before the process began is not known any more: a client of then is answered at once. */
  readonly #since: number
  #isClosed = false

  constructor(
    private readonly given: {
      readonly workingSet: WorkingSet
      readonly changeFeed: ChangeFeed
      readonly catchUp: (revision: number) => Promise<void>
      /** Whether another past was served before in this process: a revision to come may be one of that. */
      readonly isAnother: boolean
    },
  ) {
    this.#since = given.workingSet.revision
  }

  get size(): number {
    return this.#held.size
  }

  /** What `find` gives, once it is worth answering. `find` is cheap as long as nothing it read has moved. */
  async hold<R extends object>(
    text: Target['longPoll'],
    { socket, headers }: IncomingMessage,
    find: () => Promise<CachedResponse | R>,
  ): Promise<CachedResponse | R> {
    const query = longPollQueryOf(text)
    if (!query) return find()
    if (query.rev !== null) await this.given.catchUp(query.rev)
    const waiter = new Waiter(this.#isClosed)
    const stop = this.given.changeFeed.subscribe(waiter.change)
    const release = waiter.endWith(socket, query.milliseconds)
    this.#held.add(waiter)
    try {
      for (;;) {
        // A change wakes all of them at once.
        if (isLong()) await turn()
        waiter.hasChanged = false
        const found = await find()
        if (waiter.isOver || !('dependencies' in found)) return found
        if (!this.#isKnown(found, query, headers['if-none-match'])) return found
        await waiter.woken()
        if (!waiter.hasChanged) return found
      }
    } finally {
      this.#held.delete(waiter)
      release()
      stop()
    }
  }

  /** Answers everybody who waits, so that the process can end. */
  close(): void {
    this.#isClosed = true
    for (const waiter of this.#held) waiter.end()
  }

  #isKnown(found: CachedResponse, { rev }: LongPollQuery, ifNoneMatch: string | undefined): boolean {
    if (ifNoneMatch !== undefined) return matches(ifNoneMatch, found.etag)
    const { workingSet, isAnother } = this.given
    if (rev === null || rev < this.#since || (isAnother && rev > workingSet.revision)) return false
    return [found.dependencies, found.artifact?.readSet].every((read) => !read || workingSet.unmoved(read, rev))
  }
}
