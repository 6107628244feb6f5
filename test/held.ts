import { readFileSync } from 'node:fs'

/**
 * How long, in ms, this thread was at work without a turn of the event loop, at most: unlike a delay it does not grow
 * while a busy machine runs others. 0 where the system does not say (only Linux does).
 */
export function watchHeld(): { longest(): number; reset(): void } {
  let last = working()
  let held = 0
  const note = () => {
    const now = working()
    held = Math.max(held, now - last)
    last = now
  }
  setInterval(note, 1).unref()
  return {
    longest: () => {
      note()
      return held
    },
    reset: () => {
      note()
      held = 0
    },
  }
}

/** How long, in ms, the main thread was on a core since its start. */
function working(): number {
  try {
    return Number(readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6
  } catch {
    return 0
  }
}
