import { LRUCache } from 'lru-cache'

export interface Throttle {
  /** Seconds until another attempt is allowed; 0 when it is now. */
  secondsLeft(name: string, now: Date): number
  failed(name: string, now: Date): void
  succeeded(name: string): void
}

/** Slows down guessing: after so many failures in a span of time a name has to wait until the span is over. */
export function createThrottle(limits: { failures: number; milliseconds: number; entries: number }): Throttle {
  const failures = new LRUCache<string, { count: number; until: number }>({ max: limits.entries })
  return {
    secondsLeft: (name, now) => {
      const known = failures.get(name)
      if (!known || known.count < limits.failures || known.until <= now.getTime()) return 0
      return Math.ceil((known.until - now.getTime()) / 1000)
    },
    failed: (name, now) => {
      const known = failures.get(name)
      const running =
        known && known.until > now.getTime() ? known : { count: 0, until: now.getTime() + limits.milliseconds }
      failures.set(name, { count: running.count + 1, until: running.until })
    },
    succeeded: (name) => {
      failures.delete(name)
    },
  }
}
