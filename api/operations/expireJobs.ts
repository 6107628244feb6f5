import { randomUUID } from 'node:crypto'
import { ApiError } from '../config/errors.js'
import { expireJobs } from '../records/kinds/jobExpiry.js'

import { system } from '../schema/privileges.js'
import type { Services } from './services.js'

const everyMilliseconds = 60_000

/**
 * Invalidation rules run out by the clock, but no compile may read a clock: once a minute the journal gets an entry
 * for those that have, and with it the files that name them go stale.
 */
export function startJobExpiry({ committer, log }: Services): { stop(): void } {
  const expire = (): void => {
    committer
      .write({ user: system, requestId: randomUUID() }, (plan) => expireJobs(plan))
      .catch((error: unknown) => {
        // The store is away: the next minute tries again, and readiness already says so.
        if (!(error instanceof ApiError)) log.error({ err: error }, 'expired rules could not be marked')
      })
  }
  const timer = setInterval(expire, everyMilliseconds)
  timer.unref()
  expire()
  return { stop: () => clearInterval(timer) }
}
