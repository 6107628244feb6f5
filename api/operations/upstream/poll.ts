import { LRUCache } from 'lru-cache'
import type { Upstream } from './fetchJson.js'
import { UpstreamFault } from './fetchJson.js'

/** What is known of one document of one upstream. */
export interface Known<T> {
  /** The newest document that could be read; null when none ever was, or it is too old to be told. */
  readonly good: { readonly value: T; readonly at: number } | null
  /** Why the last attempt failed; null when it did not. */
  readonly fault: string | null
}

export interface Poll<T> {
  /** Asks the upstream, unless it was asked a moment ago or is being asked. Never rejects for what it does. */
  read(upstream: Upstream): Promise<Known<T>>
  /** Every upstream asked of late, with the age of its newest good answer in milliseconds. */
  ages(): { name: string; age: number | null; fault: string | null }[]
}

interface PollOptions<T> {
  /** Gets and reads the document; rejects with UpstreamFault when it cannot be had, or has another shape. */
  readonly ask: (upstream: Upstream) => Promise<T>
  /** Milliseconds of any steady or wall clock. */
  readonly now: () => number
  /** For how many milliseconds an answer counts as the current one. */
  readonly fresh?: number
  /** For how many milliseconds a failed upstream is not asked again. */
  readonly rest?: number
  /** For how many milliseconds the last good answer is told when no newer one can be had. */
  readonly keep?: number
}

/** Keeps what upstreams said for a few seconds, so that a thousand questions to us are one question to them. */
export function createPoll<T>(options: PollOptions<T>): Poll<T> {
  const { ask, now, fresh = 5000, rest = 2000, keep = 600_000 } = options
  const seats = new LRUCache<string, Seat<T>>({ max: 2000 })

  const seatOf = (upstream: Upstream): Seat<T> => {
    const key = JSON.stringify([upstream.host, upstream.port, upstream.proxy])
    const seat = seats.get(key) ?? { name: upstream.name, good: null, fault: null, triedAt: null, flight: null }
    // A server that was renamed stays the same upstream.
    seat.name = upstream.name
    seats.set(key, seat)
    return seat
  }

  async function refresh(upstream: Upstream, seat: Seat<T>): Promise<void> {
    try {
      seat.good = { value: await ask(upstream), at: now() }
      seat.fault = null
    } catch (error) {
      if (!(error instanceof UpstreamFault)) throw error
      seat.fault = error.message
    } finally {
      seat.triedAt = now()
      seat.flight = null
    }
  }

  const isCurrent = ({ triedAt, fault }: Seat<T>) => triedAt !== null && within(now() - triedAt, fault ? rest : fresh)

  return {
    async read(upstream) {
      const seat = seatOf(upstream)
      if (!isCurrent(seat)) {
        seat.flight ??= refresh(upstream, seat)
        await seat.flight
      }
      const told = seat.good !== null && within(now() - seat.good.at, keep)
      return { good: told ? seat.good : null, fault: seat.fault }
    },
    ages: () =>
      [...seats.values()].map(({ name, good, fault }) => ({
        name,
        age: good === null ? null : Math.max(0, now() - good.at),
        fault,
      })),
  }
}

interface Seat<T> {
  name: string
  good: { value: T; at: number } | null
  fault: string | null
  triedAt: number | null
  flight: Promise<void> | null
}

/** A negative age is a clock that went back; then nothing is known about age. */
const within = (age: number, limit: number) => age >= 0 && age < limit
