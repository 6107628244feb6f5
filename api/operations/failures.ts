import type { Logger } from 'pino'
import { ApiError } from '../config/errors.js'
import type { Failed, Unawaited } from '../flow/failed.js'
import { unawaited } from '../flow/failed.js'
import { StoreUnavailable } from '../store/store.js'
import type { Metrics } from './metrics.js'

/** The one place where failures come together that nobody waits for: each is logged, and counted by what it was. */
export function createFailures({ log, metrics }: { log: Logger; metrics: Pick<Metrics, 'counter'> }): Failed {
  const works = Object.keys(unawaited) as Unawaited[]
  const count = metrics.counter('edgewright_failures_total', 'Failures that no request was told of', 'work', works)
  return (work, error, more = {}) => {
    count(work)
    // That the store is away is said by readiness, and the work is tried again.
    const isAway = error instanceof StoreUnavailable || (error instanceof ApiError && error.status === 503)
    log[isAway ? 'warn' : 'error']({ err: error, work, ...more }, unawaited[work])
  }
}
