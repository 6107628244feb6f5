import type { RequestListener } from 'node:http'
import type { Logger } from 'pino'
import type { Settings } from '../config/settings.js'
import type { Failed } from '../flow/failed.js'
import { inSlices } from '../flow/slices.js'
import { credentialKinds } from '../middleware/access/credentials.js'
import { Streams } from '../middleware/stream.js'
import type { Restorer } from '../operations/backup/restoring.js'
import type { Ending } from '../operations/ending.js'
import { startJobExpiry } from '../operations/expireJobs.js'
import { firstStart } from '../operations/firstStart.js'
import { startJournalKeep } from '../operations/journalKeep.js'
import { startDnssecCare } from '../operations/keys/dnssecKeeper.js'
import type { Logins } from '../operations/logins/logins.js'
import type { Metrics } from '../operations/metrics.js'
import type { Parts } from '../operations/parts.js'
import { startSampling } from '../operations/series/startSampling.js'
import { prepareChecks } from '../records/recordBody.js'
import type { Broken, Entry } from '../store/store.js'
import { createCaches } from './createCaches.js'
import type { Compiler } from './createCompiler.js'
import { createCompiler } from './createCompiler.js'
import { createHttp } from './createHttp.js'
import { createJournal } from './createJournal.js'
import { createParts } from './createParts.js'
import { openData } from './openData.js'
import { registerMetrics } from './registerMetrics.js'

/** What outlasts a generation. */
export interface Surroundings {
  readonly now: () => Date
  readonly log: Logger
  readonly failed: Failed
  readonly broken: Broken
  readonly templateFolder: string
  readonly metrics: Metrics
  readonly ending: Ending
  readonly logins: Logins
  readonly restorer: Restorer
  /** By this token the process asks itself. */
  readonly operator: string | null
}

/** All that is made of what one store holds. A restore puts another one in its place, in the same process. */
export interface Generation {
  readonly services: Parts
  /** Answers any request, by the fast path where it can. */
  readonly answerFast: RequestListener
  /** Answers any request without the fast path: the same bytes, by way of Koa. */
  readonly answer: RequestListener
  /** Writes the line of the access log, if there is one, once the request is answered. */
  readonly note: RequestListener
  readonly compileMany: Compiler['compileMany']
  readonly generatedPassword: string | null
  /**
   * Begins to follow what other instances write. Whoever is told that a restore has replaced what this generation holds
   * has to end it: so this is for who can, once it is there.
   */
  follow(replaced: () => void): void
  /** Begins what only who serves does by itself: a command line that looks into a store leaves it as it is. */
  begin(): void
  /** Starts the threads ahead of the first compile. */
  warmUp(): void
  /** Ends streams, and answers everybody who waits for a change. */
  endWaiting(): void
  /** Finishes what was begun and lets go of everything. */
  close(): Promise<void>
}

/**
 * Puts together what answers: store, working set, threads, caches, routes.
 *
 * @param given.existing refuses an empty store instead of making a first start of it
 * @param given.another whether it takes the place of one before, of another history perhaps
 */
export async function createGeneration(
  settings: Settings,
  given: Surroundings & { existing: boolean; another: boolean; beforeFirstStart?: (() => void) | undefined },
): Promise<Generation> {
  const { ending } = given
  const opened = await openData(settings, given)
  const { workingSet, store } = opened
  const compiler = createCompiler(settings, {
    ...given,
    ...opened,
    crowded: () => sweeper.wanted(),
    replaced: (old, next) => caches.answers.replaced(old, next),
  })
  const { sweeper, ...caches } = createCaches(compiler, workingSet, given.failed)
  const streams = new Streams()
  const journal = createJournal(settings, {
    ...given,
    ...opened,
    sharedLog: compiler.sharedLog,
    *applied(entry) {
      // Who is barred by an entry is not told of it any more.
      if (yield* touches(entry, credentialKinds)) streams.endBarred()
      sweeper.moved()
    },
  })
  const parts = createParts(settings, { ...given, ...opened, compiler, journal })
  const http = createHttp({ parts, ...caches, streams, ending, isAnother: given.another, operator: given.operator })
  registerMetrics({ ...compiler, parts, longPolls: http.longPolls })

  if (workingSet.revision === 0) given.beforeFirstStart?.()
  const generatedPassword = await firstStart(parts).catch(async (error) => {
    try {
      // Another instance may have been first with another vault key: then the store says so.
      await store.ping()
      throw error
    } finally {
      await closeAll([], [journal, compiler, store])
    }
  })
  /** What is done from time to time. */
  const timers: { stop(): void }[] = [startJobExpiry(parts)]
  let closing: Promise<void> | null = null
  const generation: Generation = {
    ...http,
    services: parts,
    compileMany: compiler.compileMany,
    generatedPassword,
    follow: journal.follow,
    begin: () => {
      timers.push(startDnssecCare(journal.dnssec))
      const isOver = () => closing !== null
      inSlices(prepareChecks(opened.catalogue.resources, isOver)).catch((error) => given.failed('checks', error))
      timers.push(startJournalKeep(parts))
      timers.push(startSampling(parts))
    },
    warmUp: compiler.pool.start,
    endWaiting: () => {
      streams.close()
      http.longPolls.close()
    },
    close: () => {
      closing ??= closeAll(timers, [journal, compiler, store])
      return closing
    },
  }
  return generation
}

async function closeAll(
  timers: readonly { stop(): void }[],
  parts: readonly { close(): Promise<void> }[],
): Promise<void> {
  for (const timer of timers) timer.stop()
  for (const part of parts) await part.close()
}

/** Whether an entry changes records of these kinds; a change a step. */
function* touches({ changes }: Entry, kinds: ReadonlySet<string>): Generator<void, boolean> {
  for (const { kind } of changes) {
    if (kinds.has(kind)) return true
    yield
  }
  return false
}
