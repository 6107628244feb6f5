import { Piscina } from 'piscina'
import type { CompileFault, CompileJob } from '../compiler/core/compile.js'
import type { Task, TaskResult } from './batch.js'
import { endThreads, watchLoading } from './loading.js'
import { Overdue, threadCell } from './overdue.js'
import type { Outcome } from './results.js'
import { unpack } from './results.js'
import type { SharedLog } from './sharedLog.js'
import type { ThreadData } from './thread.js'
import { threadModule } from './threadModule.js'

export interface Pool {
  /**
   * Compiles jobs in one thread, one after the other, from the data as it is now or newer. One outcome per job, in
   * order. Rejects only when the pool is closed meanwhile.
   */
  run(jobs: readonly CompileJob[], options?: { explain?: boolean }): Promise<Outcome[]>
  /**
   * Starts the threads, which the first task would wait for otherwise: each takes a fifth of a second to load what it
   * runs. A command that compiles nothing has none.
   */
  start(): void
  /** How many threads compile. */
  readonly workers: number
  /** Tasks that wait for a thread. */
  waiting(): number
  /** Lets running tasks finish, then ends the threads. */
  close(): Promise<void>
}

export interface TaskTimes {
  readonly jobs: number
  /** Milliseconds from `run` to the result that were not spent in the thread. */
  readonly waited: number
  /** Milliseconds in the thread. */
  readonly ran: number
}

export interface PoolOptions extends ThreadData {
  /** How many threads. */
  readonly workers: number
  readonly log: SharedLog
  /** The module the threads run; exports `compileBatch`. */
  readonly thread?: URL
  readonly onTask?: (times: TaskTimes) => void
  /** How long a thread may take over one task, in ms, before it is ended like one that died. */
  readonly longest?: number
  /** A thread died under a task. */
  readonly onDeath?: (error: Error) => void
}

export function createPool(options: PoolOptions): Pool {
  const { workers, log, longest = 60_000, onTask, onDeath } = options
  let threads: Threads | null = null
  let closing = false

  const begun = (): Threads => {
    if (threads === null) {
      threads = threadsFor(options)
      // A thread that dies while idle is replaced by the pool; nothing is lost.
      threads.on('error', (error: Error) => onDeath?.(error))
      threads.on('workerDestroy', () => setImmediate(restart))
    }
    return threads
  }
  const overdue = new Overdue(() => threads?.threads ?? [], longest)
  const waiting = new Set<(error: Error) => void>()
  let failedStarts = 0
  /** Piscina stops replacing threads once one dies while it starts, and then leaves what waits in the queue. */
  const restart = () => {
    if (closing || threads === null || threads.queueSize === 0 || threads.threads.length > 0) return
    failedStarts += 1
    const start = () => begun().run({ position: log.position, jobs: [], explain: false, thread: threadCell() })
    // It makes the pool start a thread; when that one dies as well, the pool says so and this is tried again.
    if (failedStarts <= startsTried) start().catch(() => {})
    else for (const giveUp of waiting) giveUp(new Error('no thread can be started'))
  }

  const attempt = async (jobs: readonly CompileJob[], explain: boolean): Promise<Outcome[]> => {
    const start = performance.now()
    const result = await new Promise<TaskResult>((resolve, reject) => {
      waiting.add(reject)
      overdue
        .bound((thread) => begun().run({ position: log.position, jobs, explain, thread }))
        .then(resolve, reject)
        .finally(() => waiting.delete(reject))
    })
    failedStarts = 0
    onTask?.({ jobs: jobs.length, waited: performance.now() - start - result.milliseconds, ran: result.milliseconds })
    return unpack(result)
  }

  /**
   * Every job gets two attempts, the second one alone, so that a job that kills its thread takes no other down. Any
   * rejection means that the thread failed, not the compile: compiles give their faults as outcomes.
   */
  const run = async (jobs: readonly CompileJob[], explain: boolean, isRetry: boolean): Promise<Outcome[]> => {
    if (closing) throw new Error('the compile pool was closed')
    try {
      return await attempt(jobs, explain)
    } catch (cause) {
      if (closing) throw new Error('the compile pool was closed', { cause })
      const error = cause instanceof Error ? cause : new Error(String(cause))
      onDeath?.(error)
      if (isRetry) return jobs.map((job) => ({ state: 'failed', fault: deathOf(job, error) }))
      return (await Promise.all(jobs.map((job) => run([job], explain, true)))).flat()
    }
  }

  return {
    run: (jobs, { explain = false } = {}) => run(jobs, explain, false),
    start: () => {
      if (!closing) begun()
    },
    workers,
    waiting: () => threads?.queueSize ?? 0,
    close: async () => {
      closing = true
      if (threads !== null) await endThreads(threads)
      overdue.stop()
    },
  }
}

type Threads = Piscina<Task, TaskResult>

function threadsFor({ workers, vaultKey, partBytes, serviceUrl, thread }: PoolOptions): Threads {
  const threads: Threads = new Piscina({
    filename: (thread ?? threadModule('workers/thread')).href,
    name: 'compileBatch',
    // A fixed number: a thread that comes and goes would parse all data again each time.
    minThreads: workers,
    maxThreads: workers,
    // Compiling is synchronous work; a second task in a thread could only wait there instead of in the queue.
    concurrentTasksPerWorker: 1,
    // Waiting tasks keep their order, so that no caller waits longer than the queue was when it came.
    stricterFIFO: true,
    // Threads do no I/O and set no timers, so freezing them between tasks costs nothing and saves a wake-up.
    atomics: 'sync',
    // Nothing in a thread may depend on the environment.
    env: {},
    workerData: { vaultKey, partBytes, serviceUrl } satisfies ThreadData,
  })
  watchLoading(threads)
  return threads
}

const deathOf = (job: CompileJob, { message }: Error): CompileFault => ({
  ...job,
  subject: `${job.scope} ${job.subjectId}`,
  reason: `its thread failed twice (${message})`,
})

const startsTried = 3
