import { badRequest } from '../config/errors.js'
import { longestWait } from '../operations/queryParameters.js'
import type { Target } from './target.js'

/** How a client wants to wait. */
export interface LongPollQuery {
  readonly milliseconds: number
  /** The revision of the answer the client has. */
  readonly rev: number | null
}

/** `null` when it does not want to. */
export function longPollQueryOf({ wait, rev }: Target['longPoll']): LongPollQuery | null {
  if (wait === undefined) return null
  const seconds = /^(\d{1,4})s?$/.exec(wait)?.[1]
  if (seconds === undefined) throw badRequest("'wait' must be a number of seconds, for instance 30s.")
  if (rev !== undefined && !/^\d{1,15}$/.test(rev)) throw badRequest("'rev' must be a revision.")
  return { milliseconds: Math.min(Number(seconds), longestWait) * 1000, rev: rev === undefined ? null : Number(rev) }
}
