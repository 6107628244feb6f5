import type { Fault } from '../config/errors.js'
import { ApiError, badRequest, invalid } from '../config/errors.js'
import { drained } from '../flow/slices.js'

/** Longest list one request may bring. */
const most = 10_000

/** The elements of a body that is an object or a list of objects. */
export function oneOrMany(body: unknown): readonly unknown[] {
  const bodies = Array.isArray(body) ? body : [body]
  if (bodies.length === 0) throw badRequest('The body must not be an empty list.')
  if (bodies.length > most) throw badRequest(`The body must have at most ${most} elements.`)
  return bodies
}

/**
 * Does something with each element; what is wrong with any of them refuses them all, and every fault is named.
 * Faults of a list say which element they are about.
 */
export const each = <T, R>(elements: readonly T[], act: (element: T, index: number) => R): R[] =>
  drained(eachInSteps(elements, act))

/** The same, an element a step. */
export function* eachInSteps<T, R>(
  elements: readonly T[],
  act: (element: T, index: number) => R,
): Generator<void, R[]> {
  const faults: Fault[] = []
  const results: R[] = []
  for (const [index, element] of elements.entries()) {
    yield
    try {
      results.push(act(element, index))
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      const status = error.status as NonNullable<Fault['status']>
      const where = elements.length > 1 ? `[${index}] ` : ''
      faults.push(...error.texts.map((text) => ({ path: String(index), text: where + text, status })))
    }
  }
  if (faults.length > 0) throw invalid(faults)
  return results
}

/** Checks that do not depend on one another: whatever any of them finds is said in one answer. */
export function together(...checks: readonly (() => unknown)[]): void {
  const faults: Fault[] = []
  for (const check of checks) {
    try {
      check()
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      const status = error.status as NonNullable<Fault['status']>
      faults.push(...error.texts.map((text) => ({ path: '', text, status })))
    }
  }
  if (faults.length > 0) throw invalid(faults)
}
