import type { IncomingMessage, RequestListener } from 'node:http'
import type { Logger } from 'pino'
import { headerOf } from '../compiler/cdn/header.js'
import { Artifacts } from '../compiler/core/artifacts.js'
import { Budget } from '../compiler/core/budget.js'
import { Memos } from '../compiler/core/keptFragments.js'
import { recorder } from '../compiler/core/readSet.js'
import { createRegistry } from '../compiler/core/registry.js'
import { loadTemplates } from '../compiler/core/templates.js'
import { watchTemplates } from '../compiler/core/watchTemplates.js'
import { WorkingSet } from '../compiler/data/workingSet.js'
import { configFiles, unknownFile } from '../compiler/files/index.js'
import { createPool } from '../workers/pool.js'
import { SharedLog } from '../workers/sharedLog.js'
import { createApp } from './app.js'
import { addressOf } from './config/address.js'
import type { Settings } from './config/settings.js'
import type { Failed } from './flow/failed.js'
import { inSlices } from './flow/slices.js'
import { createApplier } from './journal/applier.js'
import { createChangeHub } from './journal/changeFeed.js'
import { createCommitter } from './journal/commit.js'
import { createCatalogue } from './journal/kinds.js'
import { plainData } from './journal/plainData.js'
import { createSweeper } from './journal/sweeper.js'
import { createAuthenticator } from './middleware/access/authenticate.js'
import { credentialKinds } from './middleware/access/credentials.js'
import { createAccessLog } from './middleware/accessLog.js'
import { Forms } from './middleware/cache/encodings.js'
import { KnownUrls } from './middleware/cache/knownUrls.js'
import { Answers } from './middleware/cache/responseCache.js'
import { createFastLane } from './middleware/fastPath.js'
import { hasTwoHosts } from './middleware/hosts.js'
import { LongPolls } from './middleware/longPoll.js'
import { Streams } from './middleware/stream.js'
import type { Restorer } from './operations/backup/restoring.js'
import { compileInPool } from './operations/compiling.js'
import type { Ending } from './operations/ending.js'
import { startJobExpiry } from './operations/expireJobs.js'
import { firstStart } from './operations/firstStart.js'
import { registerBacklog } from './operations/gauges.js'
import { startJournalKeep } from './operations/journalKeep.js'
import { createDnssecKeeper } from './operations/keys/dnssecKeeper.js'
import { createKeyMaker } from './operations/keys/keyMaker.js'
import type { Logins } from './operations/logins/logins.js'
import { createProvenPasswords } from './operations/logins/provenPasswords.js'
import { createSessions } from './operations/logins/sessions.js'
import { createMail } from './operations/mail.js'
import type { Metrics } from './operations/metrics.js'
import { openSealed } from './operations/sealing/openSealed.js'
import type { Services } from './operations/services.js'
import type { Since } from './operations/since.js'
import { Versions } from './operations/snapshots/frozenVersions.js'
import { Exports } from './operations/transfer/exports.js'
import { createUpdateReads } from './operations/updateReads.js'
import { createFetchJson } from './operations/upstream/fetchJson.js'
import { createLive } from './operations/upstream/liveState.js'
import { recordKinds } from './records/kinds/index.js'
import { prepareChecks } from './records/recordBody.js'
import { routes } from './routes/index.js'
import type { Data } from './schema/data.js'
import { follow } from './store/follow.js'
import { openExisting, openStore } from './store/open.js'
import type { Entry } from './store/store.js'
import { HistoryReplaced } from './store/store.js'
import { untilClosed } from './store/untilClosed.js'

/** What outlasts a generation. */
export interface Surroundings {
  readonly now: () => Date
  readonly log: Logger
  readonly failed: Failed
  readonly templateFolder: string
  readonly metrics: Metrics
  readonly ending: Ending
  readonly logins: Logins
  readonly sslKeysSince: Since
  readonly restorer: Restorer
  /** Told when another history has taken the place of the store's: this generation has to end. */
  readonly replaced: (generation: Generation) => void
}

/** All that is made of what one store holds. A restore puts another one in its place, in the same process. */
export interface Generation {
  readonly services: Services
  /** Answers any request, by the fast lane where it can. */
  readonly answerFast: RequestListener
  /** Answers any request without the fast lane: the same bytes, by way of Koa. */
  readonly answer: RequestListener
  /** Writes the line of the access log, if there is one, once the request is answered. */
  readonly note: RequestListener
  readonly compileMany: ReturnType<typeof compileInPool>['many']
  readonly generatedPassword: string | null
  /** Begins what only who serves does by itself: a command line that looks into a store leaves it as it is. */
  begin(): void
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
  const { now, log, failed, templateFolder, metrics, ending } = given
  const catalogue = createCatalogue(recordKinds)
  const plainStore = await (given.existing ? openExisting(settings, failed) : openStore(settings, failed))
  const opened = await openSealed(plainStore, { settings, catalogue, now, log }).catch(async (error) => {
    await plainStore.close()
    throw error
  })
  const { loaded, secrets, vault } = opened
  const store = untilClosed(opened.store)

  const workingSet = new WorkingSet(catalogue.schema)
  workingSet.load(loaded.revision, loaded.records, loaded.lastIds)

  const first = loadTemplates(templateFolder)
  let { templates } = first
  for (const fault of first.broken) log.error(fault, 'a template does not compile')
  const sharedLog = new SharedLog(workingSet, templates)
  const registry = createRegistry(configFiles, unknownFile, headerOf)
  // A quarter for what threads keep of their own, the rest for what is kept here.
  const threadBytes = settings.cacheBytes / 4
  const budget = new Budget(settings.cacheBytes - threadBytes, () => sweeper.wanted())
  const pool = createPool({
    workers: settings.workers,
    log: sharedLog,
    vaultKey: secrets.vaultKey,
    partBytes: Math.floor(threadBytes / settings.workers),
    onTask: ({ waited }) => metrics.task(waited),
    onDeath: (error) => {
      metrics.threadDied()
      log.error({ err: error }, 'a compiling thread died')
    },
  })
  const memos = new Memos(budget.maxBytes)
  budget.join('parts', memos)
  const watch = watchTemplates({
    folder: templateFolder,
    templates,
    onChange: (changed) => {
      templates = changed
      sharedLog.publish(templates)
      memos.clear()
    },
    onRefused: (refused) => {
      metrics.brokenTemplates(watch.broken().length)
      for (const fault of refused) log.error(fault, 'a template does not compile; its last good text stays in use')
    },
  })
  const compiling = compileInPool({ pool, metrics, log })
  const artifacts = new Artifacts({
    workingSet,
    templates: () => templates,
    make: compiling.one,
    budget,
    replaced: (old, next) => answers.replaced(old, next),
  })

  const forms = new Forms(budget)
  const answers = new Answers({ workingSet, artifacts, forms, budget })
  const sweeper = createSweeper({
    workingSet,
    sweeps: () => [artifacts.sweep(), answers.sweep(), forms.sweep(), memos.sweep(workingSet)],
    failed,
  })
  const data = plainData(workingSet, catalogue)
  const hub = createChangeHub({ data, store })
  const streams = new Streams()
  const committer = createCommitter({
    store,
    workingSet,
    catalogue,
    now,
    lastTime: loaded.time,
    applier: createApplier({
      workingSet,
      sharedLog,
      *applied(entry) {
        // Who is barred by an entry is not told of it any more.
        if (yield* touches(entry, credentialKinds)) streams.endBarred()
        hub.applied(entry)
        yield* dnssec.applied(entry)
        sweeper.moved()
      },
    }),
  })
  const makeRsa = createKeyMaker()
  const dnssec = createDnssecKeeper({ data, committer, vault, makeRsa, now, failed })
  let behind: string | null = null
  const follower =
    settings.mongoUri === null
      ? null
      : follow({
          store,
          from: workingSet.revision,
          onEntry: (entry) => committer.follow([entry]),
          onError: (error) => {
            if (error instanceof HistoryReplaced) {
              given.replaced(generation)
              return
            }
            behind = error instanceof Error ? error.message : String(error)
            failed('follow', error)
          },
        })

  // Sessions of another history are none: what ended them may not be in this one, nor their user the same.
  const secret = store.history === '' ? secrets.sessionSecret : `${secrets.sessionSecret} ${store.history}`
  const sessions = createSessions({ secret, now })
  const services: Services = {
    exports: new Exports(),
    settings,
    log,
    failed,
    now,
    store,
    workingSet,
    catalogue,
    committer,
    artifacts,
    compileTogether: async (jobs) =>
      (await compiling.together(jobs)).map((made, at) => artifacts.keep(jobs[at]!, made)),
    versions: new Versions({ store, now, budget }),
    registry,
    templates: () => templates,
    sessions,
    vault,
    makeRsa,
    dnssec,
    sslKeysSince: given.sslKeysSince,
    restorer: given.restorer,
    live: createLive({
      fetchJson: createFetchJson({ timeout: 3000, bytes: 16 * 2 ** 20 }),
      now: () => performance.now(),
    }),
    updateReads: createUpdateReads({ entries: 100_000 }),
    logins: given.logins,
    provenPasswords: createProvenPasswords(),
    metrics,
    mail: createMail({ smtpUrl: settings.smtpUrl, failed }),
    hub,
    compileBasis: () => ({ workingSet, registry, templates, memos, unseal: vault.unseal }),
    readiness: async () => {
      if (ending.hasBegun) return { ready: false, ending: true }
      const fault = await store.ping().then(
        () => behind,
        (error: Error) => error.message,
      )
      const details = {
        store: fault ?? 'ok',
        threads: pool.workers,
        waiting: pool.waiting(),
      }
      return {
        ready: fault === null,
        ...details,
        brokenTemplates: [...first.broken, ...watch.broken()].map(({ name }) => name),
      }
    },
    data,
    reading: () => {
      const { data, cells } = recorder<Data>(workingSet, { grain: 'full' })
      return { data: Object.assign(data, { keyOf: catalogue.keyOf }), cells, readAt: workingSet.revision }
    },
  }
  metrics.gauge('edgewright_revision', 'The revision this instance is at', () => workingSet.revision)
  metrics.gauge('edgewright_artifacts', 'Compiled files that are kept', () => artifacts.counts().artifacts)
  metrics.gauge('edgewright_artifact_bytes', 'Bytes of the bodies that are kept', () => artifacts.counts().keptBytes)
  metrics.gauges('edgewright_cache_bytes', 'What is kept in memory to be sent or compiled with', ['cache'], () =>
    [...budget.shares()].map(([cache, value]) => ({ cache, value })),
  )
  metrics.gauge('edgewright_moved_cells', 'Dependency keys that are remembered', () => workingSet.movedCells)
  metrics.gauge('edgewright_compiles', 'Files compiled since the start', () => artifacts.counts().compiles)
  metrics.gauge('edgewright_artifact_hits', 'Files that were still valid when asked for', () => artifacts.counts().hits)
  metrics.gauge('edgewright_watchers', 'Open change streams', () => hub.watchers)
  metrics.gauges(
    'edgewright_upstream_age_seconds',
    'Time since a monitor or router last gave a good answer; none when it never did',
    ['document', 'upstream'],
    () =>
      services.live
        .ages()
        .flatMap(({ document, name, age }) => (age === null ? [] : [{ document, upstream: name, value: age / 1000 }])),
  )
  metrics.gauges(
    'edgewright_upstream_failed',
    'Whether the last question to a monitor or router failed',
    ['document', 'upstream'],
    () =>
      services.live
        .ages()
        .map(({ document, name, fault }) => ({ document, upstream: name, value: fault === null ? 0 : 1 })),
  )
  registerBacklog(services)
  metrics.gauge('edgewright_pool_waiting', 'Compile tasks that wait for a thread', () => pool.waiting())

  if (workingSet.revision === 0) given.beforeFirstStart?.()
  const generatedPassword = await firstStart(services).catch(async (error) => {
    // Another instance may have been first with another vault key: then the store says so.
    await store.ping()
    throw error
  })
  const jobExpiry = startJobExpiry(services)

  const urls = new KnownUrls(budget)
  const authenticate = createAuthenticator({ workingSet, sessions, keyOf: catalogue.keyOf, now })
  const longPolls = new LongPolls({ workingSet, hub, catchUp: committer.catchUp, isAnother: given.another })
  metrics.gauge('edgewright_long_polls', 'Requests that are held until something changes', () => longPolls.size)
  const from = (request: IncomingMessage) => addressOf(request, settings.trustedProxies)
  const accessLog = settings.accessLog ? createAccessLog({ log, authenticate, addressOf: from }) : null
  const caches = { answers, forms, urls, longPolls }
  const koa = createApp({ services, routes, authenticate, addressOf: from, streams, ...caches }).callback()
  const fastLane = createFastLane({
    authenticate,
    answers,
    urls,
    forms,
    revision: () => workingSet.revision,
    sessions,
    served: metrics.served,
  })
  // Whatever goes wrong in the lane, one request must not end the process: Koa answers it, with an error if need be.
  const inFastLane: typeof fastLane = (request, response) => {
    try {
      return fastLane(request, response)
    } catch (error) {
      failed('answer', error)
      return response.headersSent
    }
  }

  let journalKeep: { stop(): void } | null = null
  let closing: Promise<void> | null = null
  const generation: Generation = {
    services,
    note: (request, response) => accessLog?.(request, response),
    answerFast: (request, response) => {
      if (!hasTwoHosts(request) && inFastLane(request, response)) return
      ending.opened(response)
      // Koa turns what its chain throws into an answer.
      void koa(request, response)
    },
    answer: koa,
    compileMany: compiling.many,
    generatedPassword,
    begin: () => {
      dnssec.checkAll()
      inSlices(prepareChecks(catalogue.resources, () => closing !== null)).catch((error) => failed('checks', error))
      journalKeep = startJournalKeep(services)
    },
    endWaiting: () => {
      streams.close()
      longPolls.close()
    },
    close: () => {
      closing ??= (async () => {
        jobExpiry.stop()
        journalKeep?.stop()
        await dnssec.stop()
        await follower?.stop()
        await watch.close()
        await committer.idle()
        await pool.close()
        await store.close()
      })()
      return closing
    },
  }
  return generation
}

/** Whether an entry changes records of these kinds; a change a step. */
function* touches({ changes }: Entry, kinds: ReadonlySet<string>): Generator<void, boolean> {
  for (const { kind } of changes) {
    if (kinds.has(kind)) return true
    yield
  }
  return false
}
