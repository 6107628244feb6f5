import type { Logger } from 'pino'
import type { Settings } from '../config/settings.js'
import type { Failed } from '../flow/failed.js'
import type { Restorer } from '../operations/backup/restoring.js'
import type { Ending } from '../operations/ending.js'
import type { Logins } from '../operations/logins/logins.js'
import { createProvenPasswords } from '../operations/logins/provenPasswords.js'
import { createSessions } from '../operations/logins/sessions.js'
import { createMail } from '../operations/mail.js'
import type { Metrics } from '../operations/metrics.js'
import type { Parts } from '../operations/parts.js'
import { Ring } from '../operations/series/ring.js'
import { createSampler } from '../operations/series/sampler.js'
import { createTimeSeries } from '../operations/series/timeSeries.js'
import { Versions } from '../operations/snapshots/frozenVersions.js'
import { Exports } from '../operations/transfer/exports.js'
import { createUpdateReads } from '../operations/updateReads.js'
import { createFetchBytes, createFetchJson } from '../operations/upstream/fetchJson.js'
import { createLive } from '../operations/upstream/liveState.js'
import type { Compiler } from './createCompiler.js'
import type { Journal } from './createJournal.js'
import type { OpenData } from './openData.js'

interface Given extends OpenData {
  readonly now: () => Date
  readonly log: Logger
  readonly failed: Failed
  readonly metrics: Metrics
  readonly ending: Ending
  readonly logins: Logins
  readonly restorer: Restorer
  readonly compiler: Compiler
  readonly journal: Journal
}

/** What routes choose from, by name: the data, the compiler, the journal, and what only routes use. */
export function createParts(settings: Settings, given: Given): Parts {
  const { store, secrets, now, log, failed, metrics, restorer, logins } = given
  const { workingSet, catalogue, data, reading, vault } = given
  const { budget, artifacts, compileTogether, compileBasis, registry, templates } = given.compiler
  const { committer, changeFeed, makeRsa, dnssec } = given.journal
  // Sessions of another history are none: what ended them may not be in this one, nor their user the same.
  const secret = store.history === '' ? secrets.sessionSecret : `${secrets.sessionSecret} ${store.history}`
  // Each by its name: what is not named, nobody can get hold of.
  return {
    settings,
    log,
    failed,
    metrics,
    now,
    store,
    workingSet,
    catalogue,
    data,
    reading,
    vault,
    committer,
    changeFeed,
    makeRsa,
    dnssec,
    restorer,
    logins,
    artifacts,
    compileTogether,
    compileBasis,
    registry,
    templates,
    sessions: createSessions({ secret, now }),
    versions: new Versions({ store, now, budget }),
    exports: new Exports(),
    ...upstreamParts(settings, given),
    updateReads: createUpdateReads({ entries: 100_000 }),
    provenPasswords: createProvenPasswords(),
    mail: createMail({ smtpUrl: settings.smtpUrl, failed }),
    readiness: () => readiness(given),
  }
}

/** What is asked of monitors, routers and stores of time series. */
function upstreamParts({ influx: access }: Settings, { data, now: date }: Given) {
  const now = () => date().getTime()
  const steadyNow = () => performance.now()
  const live = createLive({ fetch: createFetchBytes({ timeout: 3000, bytes: 16 * 2 ** 20 }), now: steadyNow })
  const ring = new Ring({ keep: 24 * 3_600_000, bytes: 64 * 2 ** 20 })
  const fetch = createFetchBytes({ timeout: 10_000, bytes: 32 * 2 ** 20 })
  const sampler = createSampler({ data, ring, fetch, now })
  // Three times what the longest stretch takes, and no more than is parsed between two requests.
  const fetchJson = createFetchJson({ timeout: 5000, bytes: 2 * 2 ** 20 })
  const series = createTimeSeries({ data, access, fetchJson, live, ring, sampler, now, steadyNow })
  return { live, sampler, series }
}

async function readiness({ ending, store, compiler: { pool, brokenTemplates }, journal }: Given) {
  if (ending.hasBegun) return { ready: false, ending: true, ...(ending.why !== null && { store: ending.why }) }
  const fault = await store.ping().then(journal.behind, (error: Error) => error.message)
  return {
    ready: fault === null,
    store: fault ?? 'ok',
    threads: pool.workers,
    waiting: pool.waiting(),
    brokenTemplates: brokenTemplates(),
  }
}
