import { threadsLoaded } from '../../workers/loading.js'

/** The signals that end a service, until it listens and can end in order. */
export interface Early {
  /** From here on a signal waits: something is being made that has to be told. */
  hold(): void
  /** From here on `end` is told of signals, and at once of one that waited. */
  handOver(end: (signal: NodeJS.Signals) => void): void
}

/**
 * Ends the process at once, with 0, for a signal that comes while it starts: nobody was answered, and what the store
 * was doing is whole or not there, as after a power failure. Without it a signal would end the process as a failure,
 * and not at all where it is the first of a container.
 */
export function endEarly(): Early {
  let isHeld = false
  let waiting: NodeJS.Signals | null = null
  const early = (signal: NodeJS.Signals): void => {
    if (waiting) process.exit(1)
    waiting = signal
    if (isHeld) return
    // It never fails.
    void threadsLoaded().then(() => {
      if (told === early) process.exit(0)
    })
  }
  let told = early
  // Never taken away: a signal that the system has given and the event loop has not would be lost with its listener.
  for (const name of ['SIGTERM', 'SIGINT'] as const) process.on(name, (signal) => told(signal))
  return {
    hold: () => {
      isHeld = true
    },
    handOver: (end) => {
      told = end
      if (waiting) end(waiting)
    },
  }
}
