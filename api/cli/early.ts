/** The signals that end a service, until it listens and can end in order. */
export interface Early {
  /** From here on a signal waits: something is being made that has to be told. */
  hold(): void
  /** Lets go of the signals; whether one came that waits. */
  over(): boolean
}

/**
 * Ends the process at once, with 0, for a signal that comes while it starts: nobody was answered, and what the store
 * was doing is whole or not there, as after a power failure. Without it a signal would end the process as a failure,
 * and not at all where it is the first of a container.
 */
export function endEarly(): Early {
  let isHeld = false
  let hasCome = false
  const end = (): void => {
    if (!isHeld) process.exit(0)
    if (hasCome) process.exit(1)
    hasCome = true
  }
  process.on('SIGTERM', end)
  process.on('SIGINT', end)
  return {
    hold: () => {
      isHeld = true
    },
    over: () => {
      process.off('SIGTERM', end)
      process.off('SIGINT', end)
      return hasCome
    },
  }
}
