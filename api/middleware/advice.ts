import type { Alert } from '../config/errors.js'
import type { Transaction } from '../journal/transaction.js'
import type { Result } from '../operations/endpoint.js'

const mostSaid = 20

/** What whoever writes should know, as alerts; of many the first ones. */
export function adviceIn({ advice }: Pick<Transaction, 'advice'>): Alert[] {
  const said = advice.slice(0, mostSaid).map((text): Alert => ({ level: 'warning', text }))
  const more = advice.length - said.length
  return more > 0 ? [...said, { level: 'warning', text: `… and ${more} more records like these.` }] : said
}

/** The answer to a write with what its transaction advises beside its own alerts. */
export function advised(answer: Result, transaction: Transaction): Result {
  const advice = adviceIn(transaction)
  return advice.length === 0 ? answer : { ...answer, alerts: [...(answer.alerts ?? []), ...advice] }
}
