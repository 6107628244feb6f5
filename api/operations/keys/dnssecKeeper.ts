import { conflict } from '../../config/errors.js'
import type { Failed } from '../../flow/failed.js'
import { isLong, turn } from '../../flow/turns.js'
import type { Committer } from '../../journal/commit.js'
import type { Records } from '../../schema/records.js'
import type { Entry } from '../../store/store.js'
import type { Terms } from './dnssec.js'
import type { Generated, KeyMaking, Writer } from './dnssecMaking.js'
import { complete, generate } from './dnssecMaking.js'

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
  /** Notes what an entry of the journal means for the keys: a service added to a signed CDN gets keys soon after. A change a step. */
  applied(entry: Entry): Generator<void, void>
  /** Looks after every signed CDN, for what was left undone when the service last ended. */
  checkAll(): void
  /** Resolves when nothing is being made any more. */
  idle(): Promise<void>
  /** As `idle`, but begins nothing new. */
  stop(): Promise<void>
}

export function createDnssecKeeper(given: KeyMaking & { committer: Committer; failed: Failed }): DnssecKeeper {
  const { data, failed } = given
  const underWay = new Set<number>()
  /** Ids of services that may lack keys. */
  const due = new Set<number>()
  let running: Promise<void> | null = null
  let stopped = false

  async function work(): Promise<void> {
    try {
      for (const id of due) {
        if (stopped) break
        due.delete(id)
        await complete(id, given)
        if (isLong()) await turn()
      }
    } catch (error) {
      // What is left is looked for again at the next start, and when the CDN is changed.
      due.clear()
      failed('dnssec', error)
    } finally {
      running = null
    }
  }

  const look = (ids: Iterable<number>): void => {
    if (stopped) return
    for (const id of ids) due.add(id)
    // Not within the commit that brought it about.
    if (due.size > 0) running ??= Promise.resolve().then(work)
  }

  const check = (cdnId: number): void => {
    if (data.get('cdns', cdnId)?.dnssecEnabled) look(data.ids('deliveryServices', 'cdnId', cdnId))
  }

  const checkAll = (): void => {
    for (const { id } of data.all('cdns')) check(id)
  }

  return {
    generate: async (cdn, terms, by) => {
      if (underWay.has(cdn.id)) throw conflict(`DNSSEC keys for CDN ${cdn.name} are being made already.`)
      underWay.add(cdn.id)
      try {
        return await generate({ cdn, terms, by }, given)
      } finally {
        underWay.delete(cdn.id)
        // Services that were added while the keys were made.
        check(cdn.id)
      }
    },
    *applied({ changes }) {
      for (const { kind, before, after } of changes) {
        yield
        // The zone follows from the patterns, those that are gone included.
        if (kind === 'deliveryServiceRegexes') look([(after ?? before)!.deliveryServiceId as number])
        if (after === null) continue
        if (kind === 'cdns') check(after.id)
        if (kind === 'deliveryServices') look([after.id])
        // What has a zone, and what is a host pattern, is known by the names of types.
        if (kind === 'types' && before?.name !== after.name) checkAll()
      }
    },
    checkAll,
    idle: async () => {
      while (running) await running
    },
    stop: async () => {
      stopped = true
      while (running) await running
    },
  }
}
