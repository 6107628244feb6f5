/** How long, in ms, one piece of work may hold the event loop before others have their turn. */
const slice = 8

/**
 * Runs work of many steps to its end, and lets everybody else have the event loop between slices of it. Steps must be
 * small: what one of them holds, nobody can interrupt.
 */
export async function inSlices<T>(steps: Generator<void, T>, milliseconds = slice): Promise<T> {
  let until = performance.now() + milliseconds
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
    if (performance.now() < until) continue
    await nextTurn()
    until = performance.now() + milliseconds
  }
}

/** After whatever waits for the event loop now has had it. */
export const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** As `inSlices`, in one go. */
export function drained<T>(steps: Generator<void, T>): T {
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}
