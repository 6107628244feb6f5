import { LRUCache } from 'lru-cache'
import { subscriberOf } from './address.js'

/** An attempt to get in by knowing something. */
export interface Guess {
  /** What is guessed: each kind has limits of its own, so that a stale token locks nobody's password out. */
  readonly kind: 'password' | 'login token' | 'API token' | 'reset'
  readonly address: string
  /** Whose secret it is; empty when the attempt does not say. */
  readonly name: string
}

/**
 * Slows down guessing without locking anybody out. Failures count against the address and the name together, against
 * the address, and against the name from wherever; each count runs off with time. The first two are for whoever
 * guesses: the name's owner is elsewhere. The third bounds what many addresses can try together; it runs off so fast
 * that it only delays, and an address from which the name got in before is not held up by it at all.
 */
export interface Throttle {
  /** Seconds until the attempt may be made; 0 when it is now. */
  secondsLeft(guess: Guess, now: Date): number
  failed(guess: Guess, now: Date): void
  succeeded(guess: Guess, now: Date): void
  /** Whether this name got in from this address before. */
  isKnown(guess: Guess): boolean
}

interface Limit {
  readonly failures: number
  /** In which the count of that many failures runs off. */
  readonly milliseconds: number
}

const quarter = 15 * 60_000
const limits = {
  pair: { failures: 10, milliseconds: quarter },
  address: { failures: 50, milliseconds: quarter },
  name: { failures: 30, milliseconds: 30_000 },
  // Each sends a mail, of which the newest works: its owner needs no more of them.
  mail: { failures: 10, milliseconds: quarter },
} as const satisfies Record<string, Limit>

export function createThrottle({ entries }: { entries: number }): Throttle {
  const pairs = createCounts(limits.pair, entries)
  const addresses = createCounts(limits.address, entries)
  const names = createCounts(limits.name, entries)
  const mails = createCounts(limits.mail, entries)
  const wherever = ({ kind }: Guess) => (kind === 'reset' ? mails : names)
  const known = new LRUCache<string, true>({ max: entries })
  const keysOf = ({ kind, address, name }: Guess) => {
    const from = `${kind} ${subscriberOf(address)}`
    const whose = name.slice(0, 100)
    return { address: from, pair: `${from} ${whose}`, name: `${kind} ${whose}` }
  }
  return {
    secondsLeft: (guess, now) => {
      const keys = keysOf(guess)
      return Math.max(
        guess.name === '' ? 0 : pairs.secondsLeft(keys.pair, now),
        addresses.secondsLeft(keys.address, now),
        guess.name === '' || known.has(keys.pair) ? 0 : wherever(guess).secondsLeft(keys.name, now),
      )
    },
    failed: (guess, now) => {
      const keys = keysOf(guess)
      pairs.add(keys.pair, now)
      addresses.add(keys.address, now)
      if (!known.has(keys.pair)) wherever(guess).add(keys.name, now)
    },
    succeeded: (guess) => {
      const keys = keysOf(guess)
      pairs.forget(keys.pair)
      known.set(keys.pair, true)
    },
    isKnown: (guess) => known.has(keysOf(guess).pair),
  }
}

/** Counts that run off evenly. */
function createCounts({ failures, milliseconds }: Limit, entries: number) {
  const counts = new LRUCache<string, { count: number; at: number }>({ max: entries })
  const each = milliseconds / failures
  const countOf = (key: string, now: Date): number => {
    const found = counts.get(key)
    return found ? Math.max(0, found.count - Math.max(0, now.getTime() - found.at) / each) : 0
  }
  return {
    secondsLeft: (key: string, now: Date): number => {
      const over = countOf(key, now) - (failures - 1)
      return over <= 0 ? 0 : Math.max(1, Math.ceil((over * each) / 1000))
    },
    add: (key: string, now: Date): void => {
      counts.set(key, { count: countOf(key, now) + 1, at: now.getTime() })
    },
    forget: (key: string): void => {
      counts.delete(key)
    },
  }
}
