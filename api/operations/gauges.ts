import type { Parts } from './parts.js'
import { isPending, isRevalPending } from './updates.js'

/** Figures that are worked out when metrics are read: how far the fleet, and this instance, are behind. */
export function registerBacklog({
  metrics,
  store,
  workingSet,
  data,
  now,
}: Pick<Parts, 'metrics' | 'store' | 'workingSet' | 'data' | 'now'>): void {
  const pending = () => data.all('serverUpdates').filter(({ id }) => isPending(data, id) || isRevalPending(data, id))
  metrics.gauge('edgewright_pending_servers', 'Servers with an update they have not applied', () => pending().length)
  metrics.gauge(
    'edgewright_oldest_pending_seconds',
    'Since the state of the longest pending server last changed',
    () => {
      const times = pending().map(({ lastUpdated }) => Date.parse(lastUpdated))
      return times.length === 0 ? 0 : Math.max(0, (now().getTime() - Math.min(...times)) / 1000)
    },
  )
  metrics.gauge('edgewright_journal_behind', 'Journal entries this instance has not applied yet; -1 when unknown', () =>
    store.head().then(
      (head) => head - workingSet.revision,
      () => -1,
    ),
  )
}
