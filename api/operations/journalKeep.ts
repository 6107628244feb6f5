import { gone } from '../config/errors.js'
import { globalValues } from '../schema/globals.js'
import { system } from '../schema/privileges.js'
import type { Store } from '../store/store.js'
import type { Parts } from './parts.js'

const dayMilliseconds = 24 * 3600 * 1000
const everyMilliseconds = 3600 * 1000
const parameter = 'journal.keepDays'

/** So many days the journal keeps an entry: the GLOBAL parameter `journal.keepDays`; `null`, without it: for ever. */
export function keptDays({ data, log }: Pick<Parts, 'data' | 'log'>): number | null {
  const value = globalValues(data, system)[parameter]
  if (value === undefined) return null
  if (isDays(value)) return Number(value)
  log.warn({ parameter, value }, 'no number of days from 1 to 36500: the journal is kept')
  return null
}

/** Less than a day there is not: other instances may be behind by minutes, and clients by hours. */
export const isDays = (text: string): boolean => /^[1-9]\d{0,4}$/.test(text) && Number(text) <= 36_500

/** The revisions `from` to `to` are older than so many days; `null` when none is. The newest entry stays. */
export async function olderThan(
  days: number,
  { store, now }: Pick<Parts, 'store' | 'now'>,
): Promise<{ from: number; to: number } | null> {
  const time = new Date(now().getTime() - days * dayMilliseconds).toISOString()
  const [base, last, head] = await Promise.all([store.base(), store.lastBefore(time), store.head()])
  const to = Math.min(last, head - 1)
  return to > base ? { from: base + 1, to } : null
}

/** Once at the start and then once an hour: several instances may do so at the same time. */
export function startJournalKeep(services: Pick<Parts, 'store' | 'now' | 'data' | 'log' | 'failed'>): { stop(): void } {
  const trim = async (): Promise<void> => {
    const days = keptDays(services)
    const old = days === null ? null : await olderThan(days, services)
    if (!old) return
    const base = await services.store.trim(old.to)
    services.log.info({ from: old.from, to: base, days }, 'old entries were removed from the journal')
  }
  const run = (): void => {
    // The next hour tries again.
    trim().catch((error: unknown) => services.failed('trim', error))
  }
  const timer = setInterval(run, everyMilliseconds)
  timer.unref()
  run()
  return { stop: () => clearInterval(timer) }
}

/** The revision that somebody wants to go on from; refused when entries after it were removed. */
export async function mustBeKept(since: number, { store }: { store: Store }): Promise<number> {
  const [base, head] = await Promise.all([store.base(), store.head()])
  if (since > head) {
    throw gone(
      `The journal ends at revision ${head}, so ${since} is of another past: a backup was restored since. ` +
        'Read the records anew, then go on from the revision they have (X-Edgewright-Revision).',
    )
  }
  if (since >= base) return since
  throw gone(
    `The journal begins after revision ${base}: what changed between ${since} and ${base} was removed. ` +
      `Read the records anew, then go on from the revision they have (X-Edgewright-Revision), or from ${base}.`,
  )
}
