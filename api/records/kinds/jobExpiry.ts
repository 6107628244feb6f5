import type { Transaction } from '../../journal/transaction.js'

const hour = 3_600_000

/** When a rule stops to hold, in milliseconds since the epoch. */
export function jobEnd({ startTime, parameters }: { readonly startTime: string; readonly parameters: string }): number {
  const hours = Number(/^TTL:(\d+)h$/.exec(parameters)?.[1] ?? 0)
  return Date.parse(startTime) + hours * hour
}

/**
 * Takes rules that have run out by the transaction's time from the files of the caches: no compile reads a clock, so
 * time passing has to be written down. Returns how many.
 */
export function expireJobs(transaction: Transaction): number {
  const now = Date.parse(transaction.time)
  const over = transaction.data.all('jobs').filter((job) => job.active && jobEnd(job) <= now)
  for (const { id } of over) transaction.update('jobs', id, { active: false })
  if (over.length > 0) transaction.log(`${over.length} invalidation rules have run out`, 'OPER')
  return over.length
}
