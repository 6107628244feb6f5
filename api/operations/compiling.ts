import type { Logger } from 'pino'
import type { Made } from '../../compiler/core/artifacts.js'
import type { CompileJob } from '../../compiler/core/compile.js'
import { CompileFailed } from '../../compiler/core/compile.js'
import { FileMissing } from '../../compiler/core/defineFile.js'
import type { Pool } from '../../workers/pool.js'
import type { Outcome } from '../../workers/results.js'
import type { Metrics } from './metrics.js'

/** From this many milliseconds on a compile is worth a line in the log. */
const slow = 500

/**
 * Several files per task save messages; with too many one thread would sit on what others could do, and the message
 * would be longer than 1 KB.
 */
export const jobsPerTask = 16

export interface Compiling {
  /** For the artifact cache: one file, or why there is none. */
  one(job: CompileJob): Promise<Made>
  /** Several in one task, so that they are of one revision (unless their thread died under them). */
  together(jobs: readonly CompileJob[]): Promise<Made[]>
  /** Many at once; `done` is told of each as it comes. */
  many(jobs: readonly CompileJob[], done: (job: CompileJob, outcome: Outcome) => void): Promise<void>
}

interface Waiting {
  readonly job: CompileJob
  readonly resolve: (outcome: Outcome) => void
  readonly reject: (error: unknown) => void
}

export function compileInPool({ pool, metrics, log }: { pool: Pool; metrics: Metrics; log: Logger }): Compiling {
  const note = (job: CompileJob, outcome: Outcome): void => {
    if (outcome.state !== 'compiled') return
    metrics.compiled(job.file, outcome.milliseconds)
    if (outcome.milliseconds > slow) {
      log.warn({ ...job, milliseconds: outcome.milliseconds, readSet: outcome.readSet.length }, 'slow compile')
    }
  }
  /** Waiting for and not yet handed over: what is asked for in one go shares tasks. */
  let waiting: Waiting[] = []

  const handOver = (): void => {
    const all = waiting
    waiting = []
    // Two tasks per thread leave none idle at the end; few files are one task each, as nobody gains by waiting.
    const size = Math.min(jobsPerTask, Math.ceil(all.length / (2 * pool.workers)))
    // Each tells those who asked how it went, and never fails itself.
    for (let at = 0; at < all.length; at += size) void compileFor(all.slice(at, at + size))
  }

  const compileFor = async (some: readonly Waiting[]): Promise<void> => {
    try {
      const outcomes = await pool.run(some.map(({ job }) => job))
      for (const [at, { job, resolve }] of some.entries()) {
        note(job, outcomes[at]!)
        resolve(outcomes[at]!)
      }
    } catch (error) {
      for (const { reject } of some) reject(error)
    }
  }

  return {
    one: async (job) => {
      const outcome = await new Promise<Outcome>((resolve, reject) => {
        if (waiting.push({ job, resolve, reject }) === 1) queueMicrotask(handOver)
      })
      return madeOf(outcome)
    },
    together: async (jobs) => {
      const outcomes = await pool.run(jobs)
      for (const [at, outcome] of outcomes.entries()) note(jobs[at]!, outcome)
      return outcomes.map(madeOf)
    },
    many: async (jobs, done) => {
      const batches: CompileJob[][] = []
      for (let at = 0; at < jobs.length; at += jobsPerTask) batches.push(jobs.slice(at, at + jobsPerTask))
      await Promise.all(
        batches.map(async (batch) => {
          const outcomes = await pool.run(batch)
          for (const [at, outcome] of outcomes.entries()) {
            note(batch[at]!, outcome)
            done(batch[at]!, outcome)
          }
        }),
      )
    },
  }
}

function madeOf(outcome: Outcome): Made {
  if (outcome.state === 'missing') throw new FileMissing(outcome.text)
  if (outcome.state === 'failed') throw new CompileFailed(outcome.fault)
  return outcome
}
