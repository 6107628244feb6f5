import { outcomeUnknown } from '../../config/errors.js'
import { doneAtOnce } from '../../flow/slices.js'
import type { Caller } from '../../schema/privileges.js'
import type { AppendFailed, Entry } from '../../store/store.js'
import type { DecidedTransaction, Steps, Transaction } from '../transaction.js'

/** What a write came to. */
export interface Committed<T> {
  readonly value: T
  /** The revision that holds the write; the current one when nothing had to change. */
  readonly revision: number
}

/** Who wants something decided, what, and where the answer goes. */
export interface Waiting {
  readonly user: Caller
  readonly requestId: string
  readonly how: How
  readonly resolve: (committed: Committed<unknown>) => void
  readonly reject: (error: unknown) => void
}

/** In one go; in steps that are mostly few; or in steps, beside what is served meanwhile. */
export type How =
  | { readonly decide: (transaction: Transaction) => unknown }
  | { readonly few: Steps<unknown> }
  | { readonly steps: Steps<unknown> }

/** `null` when it is to be taken back, and decided alone. */
export function decidedAtOnce(how: How, transaction: DecidedTransaction): { readonly value: unknown } | null {
  if ('decide' in how) return { value: how.decide(transaction) }
  return 'few' in how ? doneAtOnce(how.few(transaction)) : null
}

/** The first of those that wait has many steps. */
export function inManySteps([first, ...others]: readonly Waiting[]): readonly Waiting[] {
  if (!first || !('few' in first.how)) return others
  return [{ ...first, how: { steps: first.how.few } }, ...others]
}

/**
 * Tells those whose entry was sent and not confirmed that nobody knows what became of it. Everybody else hears of the
 * failure from whoever catches it.
 */
export function tellUnknown(
  { outcome }: AppendFailed,
  sent: readonly { readonly waiting: Waiting; readonly entry: Entry | null }[],
): void {
  if (outcome !== 'unknown') return
  for (const { waiting, entry } of sent) if (entry) waiting.reject(outcomeUnknown(entry))
}
