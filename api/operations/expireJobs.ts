import { randomUUID } from 'node:crypto'
import { expireJobs } from '../records/kinds/jobExpiry.js'

import { system } from '../schema/privileges.js'
import type { Parts } from './parts.js'

const everyMilliseconds = 60_000

/**
 * Invalidation rules run out by the clock, but no compile may read a clock: once a minute the journal gets an entry
 * for those that have, and with it the files that name them go stale.
 */
export function startJobExpiry({ committer, failed }: Pick<Parts, 'committer' | 'failed'>): { stop(): void } {
  const expire = (): void => {
    committer
      .write({ user: system, requestId: randomUUID() }, (transaction) => expireJobs(transaction))
      // The next minute tries again.
      .catch((error: unknown) => failed('expiry', error))
  }
  const timer = setInterval(expire, everyMilliseconds)
  timer.unref()
  expire()
  return { stop: () => clearInterval(timer) }
}
