import { randomUUID } from 'node:crypto'
import type { Change, Entry } from '../../store/store.js'
import type { DecidedTransaction } from '../transaction.js'

/** The entry of one decision. Its id is made here and nowhere else: what is decided anew is another entry. */
export function* entrySteps(
  transaction: DecidedTransaction,
  changes: readonly Change[],
  requestId: string,
): Generator<void, Entry> {
  const said =
    transaction.lines.length > 0
      ? transaction.lines
      : [{ level: 'APICHANGE' as const, message: summary(changes), ticketNum: null }]
  const { time, user, revision } = transaction
  const tenants = yield* transaction.tenantsInSteps()
  const lines = said.map((line) => ({ ...line, tenants }))
  return { revision, time, user: user.username, id: randomUUID(), requestId, changes, log: lines }
}

function summary(changes: readonly Change[]): string {
  const [first] = changes
  const verb = !first?.before ? 'Created' : !first.after ? 'Deleted' : 'Updated'
  const more = changes.length > 1 ? ` and ${changes.length - 1} more records` : ''
  return `${verb} ${first?.kind} ${first?.id}${more}`
}
