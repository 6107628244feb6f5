import type { Logger } from 'pino'
import { busy, tooMany } from '../../config/errors.js'
import type { Guess, Throttle } from './throttle.js'

/** Who tries, as it is logged. */
export interface Attempt extends Guess {
  readonly requestId: string
}

/** Every way to get in by knowing something goes through here: it is slowed down, counted and logged. */
export interface Logins {
  /** Makes an attempt that costs next to nothing. `check` gives what was found, or `null` when the guess is wrong. */
  attempt<T>(attempt: Attempt, check: () => T | null): T | null
  /**
   * Makes an attempt that costs a hash: one at a time, so that those who come together are counted before each is
   * checked; a name that got in from its address before goes first. Too many at once are refused. What `proven` finds
   * without a hash waits for nobody; `null` says nothing yet.
   */
  attemptHash<T>(attempt: Attempt, proven: () => T | null, check: () => Promise<T | null>): Promise<T | null>
}

/** How many may wait for their turn, known and unknown each. */
const mostWaiting = 32

export function createLogins(given: { throttle: Throttle; now: () => Date; log: Logger }): Logins {
  const { throttle, now, log } = given
  const lines = { known: [] as (() => void)[], unknown: [] as (() => void)[] }
  let isBusy = false

  const mayTry = (attempt: Attempt): void => {
    const seconds = throttle.secondsLeft(attempt, now())
    if (seconds > 0) throw tooMany(seconds)
  }

  const settled = <T>(attempt: Attempt, found: T | null): T | null => {
    if (found !== null) throttle.succeeded(attempt, now())
    else {
      throttle.failed(attempt, now())
      const { kind, name, address, requestId } = attempt
      log.warn(
        { kind, username: name.slice(0, 100), address, requestId },
        kind === 'reset' ? 'password reset asked for' : 'failed login',
      )
    }
    return found
  }

  const next = (): void => {
    const wake = lines.known.shift() ?? lines.unknown.shift()
    if (wake) wake()
    else isBusy = false
  }

  return {
    attempt: (attempt, check) => {
      mayTry(attempt)
      return settled(attempt, check())
    },
    attemptHash: async (attempt, proven, check) => {
      mayTry(attempt)
      const found = proven()
      if (found !== null) return settled(attempt, found)
      if (isBusy) {
        const line = throttle.isKnown(attempt) ? lines.known : lines.unknown
        if (line.length >= mostWaiting) throw busy()
        await new Promise<void>((wake) => line.push(wake))
      }
      isBusy = true
      try {
        mayTry(attempt)
        return settled(attempt, proven() ?? (await check()))
      } finally {
        next()
      }
    },
  }
}
