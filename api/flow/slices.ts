import { clientGone } from '../config/errors.js'
import { isLong, turn } from './turns.js'

/**
 * Runs work of many small steps to its end; everybody else has the event loop in between (`turns.ts`).
 *
 * @param milliseconds how long it may go on at once, when that is to be less than long work may
 */
export async function inSlices<T>(steps: Generator<void, T>, milliseconds = Number.POSITIVE_INFINITY): Promise<T> {
  let until = performance.now() + milliseconds
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
    if (!isLong() && performance.now() < until) continue
    await turn()
    until = performance.now() + milliseconds
  }
}

/** The same steps until `gone` says that nobody wants what they come to; then throws `clientGone`. */
export function* whileWanted<T>(steps: Generator<void, T>, gone?: AbortSignal): Generator<void, T> {
  try {
    for (;;) {
      if (gone?.aborted) throw clientGone()
      const step = steps.next()
      if (step.done) return step.value
      yield
    }
  } finally {
    // Nobody takes what a generator that is given up returns.
    steps.return(undefined as never)
  }
}

/** After whatever waits for the event loop now has had it. */
export const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/**
 * Begins work of mostly few steps in one go: `null` when there are too many of them, and what was done is to be taken
 * back.
 */
export function doneAtOnce<T>(steps: Generator<void, T>): { readonly value: T } | null {
  for (let taken = 0; taken < mostAtOnce; taken++) {
    const step = steps.next()
    if (step.done) return { value: step.value }
    // Some steps are long. Usual work is never cut short because the machine is slow.
    if (taken >= usualSteps && isLong()) return null
  }
  return null
}

const mostAtOnce = 300
const usualSteps = 20

/** As `inSlices`, in one go. */
export function drained<T>(steps: Generator<void, T>): T {
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}
