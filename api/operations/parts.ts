import type { Logger } from 'pino'
import type { Artifact, Artifacts } from '../../compiler/core/artifacts.js'
import type { CompileBasis, CompileJob } from '../../compiler/core/compile.js'
import type { Registry } from '../../compiler/core/registry.js'
import type { TemplateSet } from '../../compiler/core/templates.js'
import type { WorkingSet } from '../../compiler/data/workingSet.js'
import type { Settings } from '../config/settings.js'
import type { Vault } from '../config/vault.js'
import type { Failed } from '../flow/failed.js'
import type { ChangeFeed } from '../journal/changeFeed.js'
import type { Committer } from '../journal/commit.js'
import type { RecordKinds } from '../journal/kinds.js'
import type { Data } from '../schema/data.js'
import type { Store } from '../store/store.js'
import type { Restorer } from './backup/restoring.js'
import type { DnssecKeeper } from './keys/dnssecKeeper.js'
import type { MakeRsa } from './keys/keyMaker.js'
import type { Logins } from './logins/logins.js'
import type { ProvenPasswords } from './logins/provenPasswords.js'
import type { Sessions } from './logins/sessions.js'
import type { Mail } from './mail.js'
import type { Metrics } from './metrics.js'
import type { Sampler } from './series/sampler.js'
import type { TimeSeries } from './series/timeSeries.js'
import type { Versions } from './snapshots/frozenVersions.js'
import type { Exports } from './transfer/exports.js'
import type { UpdateReads } from './updateReads.js'
import type { Live } from './upstream/liveState.js'

/**
 * What the running service is made of, by name. Nobody is handed all of it: who uses some of it names what, as
 * `Pick<Parts, 'store' | 'now'>`, and gets that from where the service is put together.
 */
export interface Parts {
  readonly settings: Settings
  readonly log: Logger
  /** Told of what fails and no request waits for. */
  readonly failed: Failed
  readonly now: () => Date
  readonly store: Store
  readonly workingSet: WorkingSet
  readonly catalogue: RecordKinds
  readonly committer: Committer
  /** Puts a backup into the place of what the store holds. */
  readonly restorer: Restorer
  /** The exports over HTTP that are under way. */
  readonly exports: Exports
  readonly artifacts: Artifacts
  /** Several files at one revision; kept like those compiled one by one. */
  readonly compileTogether: (jobs: readonly CompileJob[]) => Promise<readonly Artifact[]>
  /** The frozen snapshot documents. */
  readonly versions: Versions
  readonly registry: Registry
  readonly templates: () => TemplateSet
  readonly sessions: Sessions
  readonly vault: Vault
  /** Makes RSA keys off the main thread, few at a time, whoever asks. */
  readonly makeRsa: MakeRsa
  readonly dnssec: DnssecKeeper
  /** Summaries of what monitors and routers say. */
  readonly live: Live
  /** What CDNs and delivery services did over time. */
  readonly series: TimeSeries
  /** Asks the monitors for what is kept of that here. */
  readonly sampler: Sampler
  /** Which pending updates the caches have been told of. */
  readonly updateReads: UpdateReads
  /** Slows down, counts and logs those who guess. */
  readonly logins: Logins
  readonly provenPasswords: ProvenPasswords
  /** What the main thread needs to compile by itself, for explanations and rehearsals. */
  readonly compileBasis: () => CompileBasis
  readonly metrics: Metrics
  readonly mail: Mail
  /** Tells watchers of every applied entry. */
  readonly changeFeed: ChangeFeed
  /** Whether everything works, and what does not. */
  readiness(): Promise<{ ready: boolean } & Record<string, unknown>>
  /** The data as it is now. */
  readonly data: Data
  /** The data with notes of what is asked, for an answer that is to be kept. */
  reading(): { data: Data; dependencies(): Uint32Array; readAt: number }
}
