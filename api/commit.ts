import { randomUUID } from 'node:crypto'
import type { WorkingSet } from '../compiler/workingSet.js'
import { unavailable } from './errors.js'
import { createPlan, type DecidedPlan, type Plan } from './plan.js'
import type { Catalogue } from './resource/catalogue.js'
import type { Caller } from './roles.js'
import { type Entry, type Store, StoreUnavailable } from './store/store.js'

export interface Committed<T> {
  readonly value: T
  /** The revision that holds the write; the current one when nothing had to change. */
  readonly revision: number
}

export interface Committer {
  /**
   * The one way to change anything. `decide` runs on the data at the head revision, synchronously, and again
   * when another instance was first; what it throws refuses the write and changes nothing.
   */
  write<T>(who: { user: Caller; requestId: string }, decide: (plan: Plan) => T): Promise<Committed<T>>
  /** What `decide` would do, without doing it. */
  rehearse<T>(user: Caller, decide: (plan: Plan) => T): { value: T; plan: DecidedPlan }
  /** Applies journal entries that came from elsewhere; those already applied are passed over. */
  follow(entries: readonly Entry[]): void
  /** Reads the journal until at least `revision` is applied. */
  catchUp(revision: number): Promise<void>
  /** Resolves when no write is under way. */
  idle(): Promise<void>
}

interface Waiting {
  readonly user: Caller
  readonly requestId: string
  readonly decide: (plan: Plan) => unknown
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

export function createCommitter(given: {
  store: Store
  workingSet: WorkingSet
  catalogue: Catalogue
  now: () => Date
  /** Told of every entry, own or followed, in order, after the working set has it. */
  applied: (entry: Entry) => void
}): Committer {
  const { store, workingSet, catalogue, now, applied } = given
  const queue: Waiting[] = []
  let running: Promise<void> | null = null
  let lastTime = ''
  /** Set when an append failed half-known: the journal is read before anything is decided again. */
  let uncertain = false

  const follow: Committer['follow'] = (entries) => {
    for (const entry of entries) {
      if (entry.revision <= workingSet.revision) continue
      workingSet.apply(entry)
      if (entry.time > lastTime) lastTime = entry.time
      applied(entry)
    }
  }

  const catchUp = async (revision: number): Promise<void> => {
    if (workingSet.revision >= revision) return
    // What comes meanwhile is not waited for: a revision of the far future would be waited for as long as others write.
    const wanted = Math.min(revision, await store.head())
    while (workingSet.revision < wanted) {
      const entries = await store.entriesAfter(workingSet.revision, 100)
      if (entries.length === 0) return
      follow(entries)
    }
  }

  const decideAll = (batch: readonly Waiting[]): Decided[] => {
    const trial = workingSet.trial()
    const decided: Decided[] = []
    let revision = workingSet.revision
    for (const waiting of batch) {
      const mark = trial.mark()
      const time = after(lastTime, now())
      try {
        const plan = createPlan({ workingSet, trial, catalogue, user: waiting.user, time, revision: revision + 1 })
        const value = waiting.decide(plan)
        const entry = plan.changes.length === 0 ? null : asEntry(plan, revision + 1, waiting.requestId)
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
    }
    trial.rollback()
    return decided
  }

  const commitBatch = async (batch: readonly Waiting[]): Promise<void> => {
    let left = batch
    while (left.length > 0) {
      if (uncertain) {
        await catchUp(await store.head())
        uncertain = false
      }
      // Followed entries may move the working set while the append waits; what is ours counts from here.
      const base = workingSet.revision
      const decided = decideAll(left)
      const entries = decided.flatMap(({ entry }) => (entry ? [entry] : []))
      const committed = entries.length === 0 ? 0 : await store.append(entries)
      follow(entries.slice(0, committed))
      // What comes after an entry that was not committed, refusals included, was decided on what never was.
      const first = decided.findIndex(({ entry }) => entry !== null && entry.revision > base + committed)
      const settled = first < 0 ? decided : decided.slice(0, first)
      for (const { settle } of settled) settle()
      left = decided.slice(settled.length).map(({ waiting }) => waiting)
      if (left.length > 0) await catchUp(await store.head())
    }
  }

  const run = async (): Promise<void> => {
    while (queue.length > 0) {
      const batch = queue.splice(0, batchSize)
      try {
        await commitBatch(batch)
      } catch (error) {
        uncertain = true
        // Those already answered ignore this; promises settle once.
        for (const { reject } of batch) reject(error instanceof StoreUnavailable ? unavailable() : error)
      }
    }
    running = null
  }

  return {
    write: <T>({ user, requestId }: { user: Caller; requestId: string }, decide: (plan: Plan) => T) =>
      new Promise<Committed<T>>((resolve, reject) => {
        queue.push({ user, requestId, decide, resolve: resolve as Waiting['resolve'], reject })
        // Writers of the same turn of the event loop share the batch.
        running ??= Promise.resolve().then(run)
      }),
    rehearse: (user, decide) => {
      const trial = workingSet.trial()
      try {
        const time = after(lastTime, now())
        const plan = createPlan({ workingSet, trial, catalogue, user, time, revision: workingSet.revision + 1 })
        return { value: decide(plan), plan }
      } finally {
        trial.rollback()
      }
    },
    follow,
    catchUp,
    idle: async () => {
      while (running) await running
    },
  }
}

/** The entry of one decision. Its id is made here and nowhere else: what is decided anew is another entry. */
function asEntry(plan: DecidedPlan, revision: number, requestId: string): Entry {
  const said =
    plan.lines.length > 0 ? plan.lines : [{ level: 'APICHANGE' as const, message: summary(plan), ticketNum: null }]
  const { time, user, changes, tenants } = plan
  const lines = said.map((line) => ({ ...line, tenants }))
  return { revision, time, user: user.username, id: randomUUID(), requestId, changes, log: lines }
}

function summary({ changes }: DecidedPlan): string {
  const [first] = changes
  const verb = !first?.before ? 'Created' : !first.after ? 'Deleted' : 'Updated'
  const more = changes.length > 1 ? ` and ${changes.length - 1} more records` : ''
  return `${verb} ${first?.kind} ${first?.id}${more}`
}

/** Times in the journal never go back, whatever the clock does. */
function after(last: string, now: Date): string {
  const time = now.toISOString()
  return time > last ? time : last
}
