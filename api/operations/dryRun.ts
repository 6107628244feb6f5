import type { Alert } from '../config/errors.js'
import type { Committer } from '../journal/commit.js'
import type { Steps, Transaction } from '../journal/transaction.js'
import type { RequestInput, Result } from './endpoint.js'
import { ignoredText } from './ignored.js'

/** With `?dryRun=true` a write answers what it would have, and which records it would have changed, and does nothing. */
export const isDryRun = ({ query }: RequestInput): boolean => query.dryRun === 'true'

export async function rehearsed(
  committer: Committer,
  { user, ignored = [] }: RequestInput,
  steps: Steps<Result>,
  gone?: AbortSignal,
): Promise<Result> {
  const { value, changed } = await committer.rehearseFew(
    user,
    function* (transaction) {
      const value = yield* steps(transaction)
      return { value, changed: yield* transaction.changesInSteps() }
    },
    gone,
  )
  // A document as the whole body has no room for what is said here.
  const { raw: _, ...answer } = value
  const changes = changed.map(({ kind, id, before, after }) => ({
    kind,
    id,
    action: before === null ? 'create' : after === null ? 'delete' : 'update',
  }))
  const notice: Alert = { level: 'info', text: 'Dry run: nothing was changed.' }
  const said: Alert[] =
    ignored.length === 0 ? [] : [{ level: 'warning', text: `Nothing reads ${ignoredText(ignored)}.` }]
  return { ...answer, alerts: [notice, ...said, ...(value.alerts ?? [])], extra: { ...value.extra, changes } }
}

/** A decision that has no steps, as one that has. */
export const atOnce = (decide: (transaction: Transaction) => Result): Steps<Result> =>
  function* (transaction) {
    yield
    return decide(transaction)
  }
