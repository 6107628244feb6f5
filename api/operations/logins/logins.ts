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
   * without a hash waits for nobody; `null` says nothing yet. Those who show the same name and `secret` together share
   * one hash: a fleet is one attempt, however large, but what is wrong counts for each.
   */
  attemptHash<T>(
    attempt: Attempt & { readonly secret: string },
    proven: () => T | null,
    check: () => Promise<T | null>,
  ): Promise<T | null>
}

/** How many may wait for their turn, known and unknown each. */
const mostWaiting = 32

export function createLogins(given: { throttle: Throttle; now: () => Date; log: Logger }): Logins {
  const { throttle, now, log } = given
  const lines = { known: [] as (() => void)[], unknown: [] as (() => void)[] }
  /** Hashes that are made or waited for, by what is shown; each resolves to whether it was found wrong. */
  const shared = new Map<string, Promise<boolean>>()
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

  const inTurn = async <T>(attempt: Attempt, check: () => Promise<T>): Promise<T> => {
    if (isBusy) {
      const line = throttle.isKnown(attempt) ? lines.known : lines.unknown
      if (line.length >= mostWaiting) throw busy()
      await new Promise<void>((wake) => line.push(wake))
    }
    isBusy = true
    try {
      mayTry(attempt)
      return await check()
    } finally {
      next()
    }
  }

  return {
    attempt: (attempt, check) => {
      mayTry(attempt)
      return settled(attempt, check())
    },
    attemptHash: async ({ secret, ...attempt }, proven, check) => {
      const shown = JSON.stringify([attempt.name, secret])
      for (;;) {
        mayTry(attempt)
        const found = proven()
        if (found !== null) return settled(attempt, found)
        const same = shared.get(shown)
        if (!same) break
        if (await same) {
          mayTry(attempt)
          return settled(attempt, null)
        }
      }
      const checked = inTurn(attempt, async () => proven() ?? (await check()))
      const isWrong = checked.then(
        (found) => found === null,
        () => false,
      )
      shared.set(shown, isWrong)
      try {
        return settled(attempt, await checked)
      } finally {
        shared.delete(shown)
      }
    },
  }
}
