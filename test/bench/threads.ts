import { randomBytes } from 'node:crypto'
import pino from 'pino'
import { compileInPool } from '../../api/operations/compiling.js'
import { createMetrics } from '../../api/operations/metrics.js'
import { Artifacts } from '../../compiler/core/artifacts.js'
import { Budget } from '../../compiler/core/budget.js'
import type { CompileJob } from '../../compiler/core/compile.js'
import { createPool } from '../../workers/pool.js'
import { SharedLog } from '../../workers/sharedLog.js'
import { serviceUrl } from '../serviceUrl.js'
import { processorMilliseconds } from './processor.js'
import type { World } from './world.js'

/** A fleet with the threads and the artifact cache of a service, and what they were seen to do. */
export interface Threads {
  readonly artifacts: Artifacts
  /** Compiles all of them, in tasks of several, into the cache. */
  compileAll(jobs: readonly CompileJob[]): Promise<void>
  /** Asks for all of them, as many callers would; says which had to be compiled and what it cost the threads. */
  refresh(jobs: readonly CompileJob[]): Promise<{ compiled: CompileJob[]; threadMilliseconds: number }>
  /** One change, passed on to the threads. */
  change: World['change']
  close(): Promise<void>
}

export function threadsOf(fleet: World, workers: number): Threads {
  const log = new SharedLog(fleet.workingSet, fleet.templates)
  const pool = createPool({ workers, log, vaultKey: randomBytes(32), serviceUrl, partBytes: 64 * 2 ** 20 })
  const compiling = compileInPool({ pool, metrics: createMetrics(), log: pino({ level: 'silent' }) })
  let compiled: CompileJob[] = []
  const artifacts = new Artifacts({
    workingSet: fleet.workingSet,
    templates: () => fleet.templates,
    make: (job) => {
      compiled.push(job)
      return compiling.one(job)
    },
    budget: new Budget(4 * 2 ** 30),
  })
  return {
    artifacts,
    compileAll: (jobs) =>
      compiling.many(jobs, (job, outcome) => {
        if (outcome.state === 'failed') throw new Error(outcome.fault.reason)
        if (outcome.state === 'compiled') artifacts.keep(job, outcome)
      }),
    refresh: async (jobs) => {
      compiled = []
      const before = processorMilliseconds(process.pid, 'but main')
      await Promise.all(jobs.map((job) => artifacts.get(job)))
      return { compiled, threadMilliseconds: processorMilliseconds(process.pid, 'but main') - before }
    },
    change: (kind, id, change) => {
      const entry = fleet.change(kind, id, change)
      log.append(entry)
      return entry
    },
    close: () => pool.close(),
  }
}
