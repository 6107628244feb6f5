import { LRUCache } from 'lru-cache'
import { subscriberOf } from '../../config/address.js'

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
 * that it only delays. A name that got in from an address before is not held up there by what others do wrong: neither
 * from elsewhere, nor, as many machines may share an address, by their failures with other names.
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
  // Of names known at an address, each has as many as the address has for all others.
  const own = createCounts(limits.address, entries)
  const names = createCounts(limits.name, entries)
  const mails = createCounts(limits.mail, entries)
  const wherever = ({ kind }: Guess) => (kind === 'reset' ? mails : names)
  const known = new LRUCache<string, true>(upTo(entries))
  const keysOf = ({ kind, address, name }: Guess) => {
    const from = `${kind} ${subscriberOf(address)}`
    const whose = name.slice(0, 100)
    return { address: from, pair: `${from} ${whose}`, name: `${kind} ${whose}` }
  }
  return {
    secondsLeft: (guess, now) => {
      const keys = keysOf(guess)
      if (guess.name === '') return addresses.secondsLeft(keys.address, now)
      const pair = pairs.secondsLeft(keys.pair, now)
      if (known.has(keys.pair)) return Math.max(pair, own.secondsLeft(keys.pair, now))
      return Math.max(pair, addresses.secondsLeft(keys.address, now), wherever(guess).secondsLeft(keys.name, now))
    },
    failed: (guess, now) => {
      const keys = keysOf(guess)
      pairs.add(keys.pair, now)
      addresses.add(keys.address, now)
      if (known.has(keys.pair)) own.add(keys.pair, now)
      else wherever(guess).add(keys.name, now)
    },
    succeeded: (guess) => {
      const keys = keysOf(guess)
      pairs.forget(keys.pair)
      known.set(keys.pair, true)
    },
    isKnown: (guess) => known.has(keysOf(guess).pair),
  }
}

/** Not `max`, which takes the room of all entries from the start. */
const upTo = (entries: number) => ({ maxSize: entries, sizeCalculation: () => 1 })

/** Counts that run off evenly. */
function createCounts({ failures, milliseconds }: Limit, entries: number) {
  const counts = new LRUCache<string, { count: number; at: number }>(upTo(entries))
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
