import { conflict } from '../../config/errors.js'
import type { Failed } from '../../flow/failed.js'
import type { Committer } from '../../journal/commit.js'
import type { Records } from '../../schema/records.js'
import type { Entry } from '../../store/store.js'
import type { Terms } from './dnssec.js'
import { createChores } from './dnssecChores.js'
import type { Generated, KeyMaking, Writer } from './dnssecMaking.js'
import { generate } from './dnssecMaking.js'
import type { Progress } from './dnssecProgress.js'
import { counting, noProgress } from './dnssecProgress.js'

type Cdn = Records['cdns']

/** Makes and keeps the DNSSEC keys of CDNs and their services. */
export interface DnssecKeeper {
  /**
   * New keys for a CDN and all of its services in one commit; those there were are kept as the previous set. Takes
   * about 0.2 s per service on one core, in the background. One at a time per CDN, and only if nobody else
   * changed the keys meanwhile: else a conflict. Throws KeysRefused, too, and what the writer's committer does for one
   * who may not any more.
   */
  generate(cdn: Cdn, terms: Terms, by: Writer): Promise<Generated>
  /** Gives up the keys of a CDN that are being made, if any are: they were deleted before they were there. */
  giveUp(cdn: Cdn): void
  /** How far the making of keys for a CDN is, or how the last one ended, since this process began. */
  progress(cdnId: number): Progress
  /** Notes what an entry of the journal means for the keys: a service added to a signed CDN gets keys soon after. A change a step. */
  applied(entry: Entry): Generator<void, void>
  /** Looks after every signed CDN, for what was left undone when the service last ended, and for keys that end soon. */
  checkAll(): void
  /** Resolves when nothing is being made any more. */
  idle(): Promise<void>
  /** As `idle`, but begins nothing new, and gives up keys of whole CDNs that are being made. */
  stop(): Promise<void>
}

export function createDnssecKeeper(given: KeyMaking & { committer: Committer; failed: Failed }): DnssecKeeper {
  const { data } = given
  const chores = createChores(given)
  const underWay = new Map<number, Promise<unknown>>()
  /** By CDN: the job that is under way, or the last one. */
  const jobs = new Map<number, ReturnType<typeof counting>>()
  let stopped = false

  const check = (cdnId: number): void => {
    if (data.get('cdns', cdnId)?.dnssecEnabled) chores.complete(data.ids('deliveryServices', 'cdnId', cdnId))
  }
  const checkAll = (): void => {
    for (const { id } of data.all('cdns')) check(id)
  }

  async function job(cdn: Cdn, terms: Terms, by: Writer): Promise<Generated> {
    const counted = counting(given.makeRsa, () => stopped)
    jobs.set(cdn.id, counted)
    try {
      const { begun, stillWanted, makeRsa } = counted
      const generated = await generate({ cdn, terms, by, begun, stillWanted }, { ...given, makeRsa })
      counted.ended(generated)
      return generated
    } catch (error) {
      counted.failed(error)
      throw error
    } finally {
      underWay.delete(cdn.id)
      // Services that were added while the keys were made.
      check(cdn.id)
    }
  }

  const idle = async (): Promise<void> => {
    // Whoever began one is told how it ended.
    while (chores.running() || underWay.size > 0) await Promise.allSettled([chores.running(), ...underWay.values()])
  }

  return {
    generate: async (cdn, terms, by) => {
      while (underWay.has(cdn.id)) {
        if (!jobs.get(cdn.id)?.isGivenUp()) throw conflict(`DNSSEC keys for CDN ${cdn.name} are being made already.`)
        await Promise.allSettled([underWay.get(cdn.id)])
      }
      const made = job(cdn, terms, by)
      underWay.set(cdn.id, made)
      return made
    },
    giveUp: ({ id, name }) =>
      jobs.get(id)?.giveUp(conflict(`The DNSSEC keys of CDN ${name} were deleted while new ones were made.`)),
    progress: (cdnId) => jobs.get(cdnId)?.progress() ?? noProgress,
    *applied({ changes }) {
      for (const { kind, before, after } of changes) {
        yield
        // The zone follows from the patterns, those that are gone included.
        if (kind === 'deliveryServiceRegexes') chores.complete([(after ?? before)!.deliveryServiceId as number])
        if (after === null) continue
        if (kind === 'cdns') check(after.id)
        if (kind === 'deliveryServices') chores.complete([after.id])
        // What has a zone, and what is a host pattern, is known by the names of types.
        if (kind === 'types' && before?.name !== after.name) checkAll()
      }
    },
    checkAll: () => {
      checkAll()
      const signed = data.all('cdns').filter(({ dnssecEnabled }) => dnssecEnabled)
      for (const { id } of signed) chores.roll(data.ids('dnssecKeys', 'cdnId', id))
    },
    idle,
    stop: async () => {
      stopped = true
      chores.stop()
      await idle()
    },
  }
}

/** Looks after all keys at the start and then once an hour; the first of several instances rolls them. */
export function startDnssecCare({ checkAll }: Pick<DnssecKeeper, 'checkAll'>): { stop(): void } {
  const timer = setInterval(checkAll, 3_600_000)
  timer.unref()
  checkAll()
  return { stop: () => clearInterval(timer) }
}
