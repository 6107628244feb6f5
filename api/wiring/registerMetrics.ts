import type { Budget } from '../../compiler/core/budget.js'
import type { Pool } from '../../workers/pool.js'
import type { LongPolls } from '../middleware/longPoll.js'
import { registerBacklog } from '../operations/gauges.js'
import type { Parts } from '../operations/parts.js'

interface Given {
  readonly parts: Parts
  readonly budget: Budget
  readonly pool: Pool
  readonly longPolls: LongPolls
}

/** Everything that is read when metrics are asked for. */
export function registerMetrics({ parts, budget, pool, longPolls }: Given): void {
  const { metrics, workingSet, artifacts, changeFeed, live, sampler } = parts
  const upstreams = ['document', 'upstream'] as const
  metrics.gauge('edgewright_revision', 'The revision this instance is at', () => workingSet.revision)
  metrics.gauge('edgewright_artifacts', 'Compiled files that are kept', () => artifacts.counts().artifacts)
  metrics.gauge('edgewright_artifact_bytes', 'Bytes of the bodies that are kept', () => artifacts.counts().keptBytes)
  metrics.gauges('edgewright_cache_bytes', 'What is kept in memory to be sent or compiled with', ['cache'], () =>
    [...budget.shares()].map(([cache, value]) => ({ cache, value })),
  )
  metrics.gauge(
    'edgewright_remembered_dependencies',
    'Dependency keys that are remembered',
    () => workingSet.rememberedDependencies,
  )
  metrics.gauge('edgewright_compiles', 'Files compiled since the start', () => artifacts.counts().compiles)
  metrics.gauge('edgewright_artifact_hits', 'Files that were still valid when asked for', () => artifacts.counts().hits)
  metrics.gauge('edgewright_watchers', 'Open change streams', () => changeFeed.watchers)
  metrics.gauges(
    'edgewright_upstream_age_seconds',
    'Time since a monitor or router last gave a good answer; none when it never did',
    upstreams,
    () =>
      live
        .ages()
        .flatMap(({ document, name, age }) => (age === null ? [] : [{ document, upstream: name, value: age / 1000 }])),
  )
  metrics.gauges(
    'edgewright_upstream_failed',
    'Whether the last question to a monitor or router failed',
    upstreams,
    () => live.ages().map(({ document, name, fault }) => ({ document, upstream: name, value: fault === null ? 0 : 1 })),
  )
  metrics.gauge('edgewright_series_bytes', 'What is kept in memory of what monitors said', () => sampler.kept().bytes)
  registerBacklog(parts)
  metrics.gauge('edgewright_pool_waiting', 'Compile tasks that wait for a thread', () => pool.waiting())
  metrics.gauge('edgewright_long_polls', 'Requests that are held until something changes', () => longPolls.size)
}
