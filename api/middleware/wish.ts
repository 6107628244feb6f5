import { badRequest } from '../config/errors.js'
import type { Target } from './target.js'

/** The longest a request is held, in seconds; proxies give up on a silent one soon after. */
const longest = 60

/** How a client wants to wait. */
export interface Wish {
  readonly milliseconds: number
  /** The revision of the answer the client has. */
  readonly rev: number | null
}

/** What OpenAPI says of it, for the endpoints that clients poll. */
export const wishQuery = {
  wait: `hold the request until the answer differs from If-None-Match or rev, at most so many seconds (up to ${longest}), for instance 30s`,
  rev: 'with wait: the X-Edgewright-Revision of the answer the client has',
}

/** `null` when it does not want to. */
export function wishIn({ wait, rev }: Target['wish']): Wish | null {
  if (wait === undefined) return null
  const seconds = /^(\d{1,4})s?$/.exec(wait)?.[1]
  if (seconds === undefined) throw badRequest("'wait' must be a number of seconds, for instance 30s.")
  if (rev !== undefined && !/^\d{1,15}$/.test(rev)) throw badRequest("'rev' must be a revision.")
  return { milliseconds: Math.min(Number(seconds), longest) * 1000, rev: rev === undefined ? null : Number(rev) }
}
