import { randomUUID } from 'node:crypto'
import type { Fork } from '../../compiler/data/fork.js'
import type { Trial, WorkingSet } from '../../compiler/data/workingSet.js'
import { outcomeUnknown, overtaken, restoring, unavailable } from '../config/errors.js'
import { Line } from '../flow/line.js'
import { doneAtOnce, drained, inSlices, whileWanted } from '../flow/slices.js'
import { isLong, turn } from '../flow/turns.js'
import { mustStillBe } from '../schema/callers.js'
import type { Caller } from '../schema/privileges.js'
import type { Change, Entry, Store } from '../store/store.js'
import { AppendFailed, StoreUnavailable } from '../store/store.js'
import type { Applier } from './applier.js'
import { createTransaction } from './createTransaction.js'
import type { RecordKinds } from './kinds.js'
import type { DecidedTransaction, Decided as Readable, Transaction } from './transaction.js'

export interface Committed<T> {
  readonly value: T
  /** The revision that holds the write; the current one when nothing had to change. */
  readonly revision: number
}

export interface Committer {
  /**
   * The one way to change anything. `decide` runs on the data at the head revision, synchronously, and again
   * when another instance was first; what it throws refuses the write and changes nothing. So does it when the user has
   * not the same rights any more there.
   */
  write<T>(who: { user: Caller; requestId: string }, decide: (transaction: Transaction) => T): Promise<Committed<T>>
  /**
   * As `write`, for a decision of many steps: others are answered between them, and write once it is committed. When
   * another instance was first, it is decided again, and given up when that goes on and on.
   */
  writeInSteps<T>(who: { user: Caller; requestId: string }, steps: Steps<T>): Promise<Committed<T>>
  /**
   * As `write`, for a decision that mostly has few steps: with too many of them it is begun again as by `writeInSteps`.
   */
  writeFew<T>(who: { user: Caller; requestId: string }, steps: Steps<T>): Promise<Committed<T>>
  /**
   * What the steps would come to, without doing it; on the data as it was at one moment, whatever is written meanwhile.
   * One at a time, as each has tables of its own; given up when `gone` says so.
   */
  rehearseInSteps<T>(user: Caller, steps: Steps<T>, gone?: AbortSignal): Promise<T>
  /** The same for what mostly has few steps, which are done at once. */
  rehearseFew<T>(user: Caller, steps: Steps<T>, gone?: AbortSignal): Promise<T>
  /** What `decide` would do, without doing it. */
  rehearse<T>(user: Caller, decide: (transaction: Transaction) => T): { value: T; plan: DecidedTransaction }
  /** Applies journal entries that came from elsewhere; those already applied are passed over. */
  follow(entries: readonly Entry[]): Promise<void>
  /** Reads the journal until at least `revision` is applied. */
  catchUp(revision: number): Promise<void>
  /** Resolves when no write is under way. */
  idle(): Promise<void>
  /** Takes no more writes; resolves when those it had taken are decided. */
  stop(): Promise<void>
  /** Takes writes again. */
  resume(): void
}

export type Steps<T> = (transaction: DecidedTransaction) => Generator<void, T>

interface Waiting {
  readonly user: Caller
  readonly requestId: string
  readonly how:
    | { readonly decide: (transaction: Transaction) => unknown }
    | { readonly few: Steps<unknown> }
    | { readonly steps: Steps<unknown> }
  readonly resolve: (committed: Committed<unknown>) => void
  readonly reject: (error: unknown) => void
}

interface Decided {
  readonly waiting: Waiting
  /** Gives the caller what was decided: a value, or a refusal. */
  settle(): void
  /** `null` when nothing changes. */
  readonly entry: Entry | null
}

/** Writers that wait together are decided one after the other and made durable together. */
const batchSize = 200
/** For how long, in ms, they are decided in one go. */
const decidingTime = 12
/** How often a decision in steps is made anew because another instance was first. */
const mostTries = 20
/** How many rehearsals in steps may wait, each with what it is to try. */
const mostRehearsals = 40

export function createCommitter(given: {
  store: Store
  workingSet: WorkingSet
  catalogue: RecordKinds
  now: () => Date
  /** The latest time in the journal, as it was loaded. */
  lastTime: string
  applier: Applier
}): Committer {
  const { store, workingSet, catalogue, now, applier } = given
  const queue: Waiting[] = []
  let running: Promise<void> | null = null
  let { lastTime } = given
  /** Set when an append failed half-known: the journal is read before anything is decided again. */
  let uncertain = false
  let isStopped = false

  const follow: Committer['follow'] = async (entries) => {
    for (const { time } of entries) if (time > lastTime) lastTime = time
    await applier.follow(entries)
  }

  const catchUp = async (revision: number): Promise<void> => {
    if (workingSet.revision >= revision) return
    // What comes meanwhile is not waited for: a revision of the far future would be waited for as long as others write.
    const wanted = Math.min(revision, await store.head())
    while (workingSet.revision < wanted) {
      const entries = await store.entriesAfter(workingSet.revision, 100)
      if (entries.length === 0) return
      await follow(entries)
    }
  }

  const catchUpToHead = async (): Promise<void> => {
    const head = await store.head()
    await catchUp(head)
    const { revision } = workingSet
    // Whoever decided on top of less would try for ever.
    if (revision < head) throw new StoreUnavailable(`The journal ends at ${head} and gives nothing after ${revision}`)
  }

  /**
   * As far as they are decided at once: what turns out to have many steps is left, with those behind it. So are those
   * that would take too long together, for the next batch: trials are over when others have a turn.
   */
  const decideAll = (batch: readonly Waiting[]): { decided: Decided[]; hasManySteps: boolean } => {
    const until = performance.now() + decidingTime
    let hasManySteps = false
    const trial = workingSet.trial()
    const decided: Decided[] = []
    let revision = workingSet.revision
    for (const waiting of batch) {
      const mark = trial.mark()
      const time = after(lastTime, now())
      try {
        const transaction = createTransaction({
          workingSet,
          trial,
          catalogue,
          user: waiting.user,
          time,
          revision: revision + 1,
        })
        mustStillBe(waiting.user, transaction.data, now())
        const done = atOnce(waiting.how, transaction)
        if (!done) {
          hasManySteps = true
          break
        }
        const { value } = done
        const entry =
          transaction.changes.length === 0
            ? null
            : drained(entrySteps(transaction, transaction.changes, waiting.requestId))
        if (entry) {
          revision = entry.revision
          lastTime = time
        }
        const settled = { value, revision }
        decided.push({ waiting, entry, settle: () => waiting.resolve(settled) })
      } catch (error) {
        trial.rollback(mark)
        decided.push({ waiting, entry: null, settle: () => waiting.reject(error) })
      }
      if (performance.now() > until) break
    }
    trial.rollback()
    return { decided, hasManySteps }
  }

  const append = async (entries: readonly Entry[]): Promise<{ committed: number; failure?: AppendFailed }> => {
    if (entries.length === 0) return { committed: 0 }
    try {
      return { committed: await store.append(entries) }
    } catch (error) {
      if (!(error instanceof AppendFailed)) throw error
      return { committed: error.committed, failure: error }
    }
  }

  /** Says of what was sent and not confirmed that nobody knows; of everything else, whoever catches it says the rest. */
  const fail = (failure: AppendFailed, sent: readonly Pick<Decided, 'waiting' | 'entry'>[]): never => {
    for (const { waiting, entry } of sent)
      if (entry && failure.outcome === 'unknown') waiting.reject(outcomeUnknown(entry))
    throw failure
  }

  const commitBatch = async (batch: readonly Waiting[]): Promise<void> => {
    let left = batch
    while (left.length > 0) {
      if (uncertain) {
        await catchUpToHead()
        uncertain = false
      }
      // Followed entries may move the working set while the append waits; what is ours counts from here.
      const base = workingSet.revision
      const { decided, hasManySteps } = decideAll(left)
      const entries = decided.flatMap(({ entry }) => (entry ? [entry] : []))
      const { committed, failure } = await append(entries)
      await follow(entries.slice(0, committed))
      // What comes after an entry that was not committed, refusals included, was decided on what never was.
      const first = decided.findIndex(({ entry }) => entry !== null && entry.revision > base + committed)
      const settled = first < 0 ? decided : decided.slice(0, first)
      await settleAll(settled)
      const rest = decided.slice(settled.length)
      if (failure) fail(failure, rest)
      left = left.slice(settled.length)
      if (left.length > 0 && rest.length === 0) {
        queue.unshift(...(hasManySteps ? inManySteps(left) : left))
        return
      }
      if (left.length > 0) await catchUpToHead()
    }
  }

  const forked = (): Promise<Fork> => inSlices(workingSet.fork(Object.keys(workingSet.schema)))

  /** False when another instance was first. */
  const tryInSteps = async (waiting: Waiting, steps: Steps<unknown>): Promise<boolean> => {
    const { user, requestId, resolve, reject } = waiting
    const fork = await forked()
    const isOvertaken = () => workingSet.revision !== fork.revision
    try {
      if (isOvertaken()) return false
      const time = after(lastTime, now())
      const transaction = createTransaction({
        workingSet: fork,
        trial: fork,
        catalogue,
        user,
        time,
        revision: fork.revision + 1,
      })
      const permitted = function* () {
        mustStillBe(user, transaction.data, now())
        return yield* steps(transaction)
      }
      const decided = await inSlices(permitted()).then(
        (value) => ({ value }),
        (error: unknown) => ({ error }),
      )
      const changes = 'error' in decided ? [] : await inSlices(transaction.changesInSteps())
      if (isOvertaken()) return false
      if ('error' in decided) reject(decided.error)
      else if (changes.length === 0) resolve({ value: decided.value, revision: fork.revision })
      else {
        const entry = await inSlices(entrySteps(transaction, changes, requestId))
        if (isOvertaken()) return false
        lastTime = time
        const { committed, failure } = await append([entry])
        if (failure) fail(failure, [{ waiting, entry }])
        if (committed === 0) return false
        await applier.adopt(entry, fork)
        resolve({ value: decided.value, revision: entry.revision })
      }
      return true
    } finally {
      fork.release()
    }
  }

  const commitInSteps = async (waiting: Waiting, steps: Steps<unknown>): Promise<void> => {
    for (let tries = 0; tries < mostTries; tries++) {
      if (uncertain || tries > 0) await catchUpToHead()
      uncertain = false
      if (await tryInSteps(waiting, steps)) return
    }
    waiting.reject(overtaken())
  }

  /** Writers of small decisions share a batch; one of many steps is alone. */
  const nextBatch = (): Waiting[] => {
    const large = queue.findIndex(({ how }) => 'steps' in how)
    return queue.splice(0, large < 0 ? batchSize : Math.min(batchSize, Math.max(large, 1)))
  }

  const run = async (): Promise<void> => {
    while (queue.length > 0) {
      const batch = nextBatch()
      try {
        const [first] = batch
        if (first && 'steps' in first.how) await commitInSteps(first, first.how.steps)
        else await commitBatch(batch)
      } catch (error) {
        // Those already answered ignore this; promises settle once. A store that was away when this batch began is
        // away for all who wait behind it, too.
        const refused = uncertain ? [...batch, ...queue.splice(0)] : batch
        uncertain = true
        for (const { reject } of refused) reject(error instanceof StoreUnavailable ? unavailable(error) : error)
      }
    }
    running = null
  }

  const queued = <T>(what: Omit<Waiting, 'resolve' | 'reject'>): Promise<Committed<T>> =>
    new Promise((resolve, reject) => {
      if (isStopped) {
        reject(restoring())
        return
      }
      queue.push({ ...what, resolve: resolve as Waiting['resolve'], reject })
      // Writers of the same turn of the event loop share the batch.
      running ??= Promise.resolve().then(run)
    })

  const idle = async (): Promise<void> => {
    while (running) await running
  }

  /** A transaction that nothing comes of. */
  const planOn = ({
    user,
    ...basis
  }: {
    workingSet: Readable
    trial: Pick<Trial, 'change' | 'takeId' | 'reserve'>
    user: Caller
  }) =>
    createTransaction({ ...basis, catalogue, user, time: after(lastTime, now()), revision: workingSet.revision + 1 })

  const rehearsals = new Line(mostRehearsals)
  const rehearseInSteps: Committer['rehearseInSteps'] = (user, steps, gone) =>
    rehearsals.run(() => rehearseNow(user, steps, gone), gone)

  const rehearseNow: Committer['rehearseInSteps'] = async (user, steps, gone) => {
    const fork = await forked()
    try {
      return await inSlices(whileWanted(steps(planOn({ workingSet: fork, trial: fork, user })), gone))
    } finally {
      fork.release()
    }
  }

  return {
    write: (who, decide) => queued({ ...who, how: { decide } }),
    writeInSteps: (who, steps) => queued({ ...who, how: { steps } }),
    writeFew: (who, few) => queued({ ...who, how: { few } }),
    rehearseFew: async (user, steps, gone) => {
      const trial = workingSet.trial()
      try {
        const done = doneAtOnce(steps(planOn({ workingSet, trial, user })))
        if (done) return done.value
      } finally {
        trial.rollback()
      }
      return rehearseInSteps(user, steps, gone)
    },
    rehearseInSteps,
    rehearse: (user, decide) => {
      const trial = workingSet.trial()
      try {
        const transaction = planOn({ workingSet, trial, user })
        return { value: decide(transaction), plan: transaction }
      } finally {
        trial.rollback()
      }
    },
    follow,
    catchUp,
    idle,
    stop: () => {
      isStopped = true
      return idle()
    },
    resume: () => {
      isStopped = false
    },
  }
}

/** The entry of one decision. Its id is made here and nowhere else: what is decided anew is another entry. */
function* entrySteps(
  transaction: DecidedTransaction,
  changes: readonly Change[],
  requestId: string,
): Generator<void, Entry> {
  const said =
    transaction.lines.length > 0
      ? transaction.lines
      : [{ level: 'APICHANGE' as const, message: summary(changes), ticketNum: null }]
  const { time, user, revision } = transaction
  const tenants = yield* transaction.tenantsInSteps()
  const lines = said.map((line) => ({ ...line, tenants }))
  return { revision, time, user: user.username, id: randomUUID(), requestId, changes, log: lines }
}

function summary(changes: readonly Change[]): string {
  const [first] = changes
  const verb = !first?.before ? 'Created' : !first.after ? 'Deleted' : 'Updated'
  const more = changes.length > 1 ? ` and ${changes.length - 1} more records` : ''
  return `${verb} ${first?.kind} ${first?.id}${more}`
}

/** What each of them is told is made into an answer, which takes its time for many. */
async function settleAll(decided: readonly Decided[]): Promise<void> {
  for (const { settle } of decided) {
    settle()
    await null
    if (isLong()) await turn()
  }
}

/** `null` when it is to be taken back, and decided alone. */
function atOnce(how: Waiting['how'], transaction: DecidedTransaction): { readonly value: unknown } | null {
  if ('decide' in how) return { value: how.decide(transaction) }
  return 'few' in how ? doneAtOnce(how.few(transaction)) : null
}

/** The first of those that wait has many steps. */
function inManySteps([first, ...others]: readonly Waiting[]): Waiting[] {
  if (!first || !('few' in first.how)) return [...others]
  return [{ ...first, how: { steps: first.how.few } }, ...others]
}

/** Times in the journal never go back, whatever the clock does. */
function after(last: string, now: Date): string {
  const time = now.toISOString()
  return time > last ? time : last
}
