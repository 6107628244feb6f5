import { randomUUID } from 'node:crypto'
import { conflict } from '../../config/errors.js'
import type { Vault } from '../../config/vault.js'
import type { Failed } from '../../flow/failed.js'
import { isLong, turn } from '../../flow/turns.js'
import type { Committer } from '../../journal/commit.js'
import { uniqueKey } from '../../journal/kinds.js'
import type { Plan } from '../../journal/plan.js'
import type { Data } from '../../schema/data.js'
import { one } from '../../schema/data.js'
import type { Caller } from '../../schema/privileges.js'
import { system } from '../../schema/privileges.js'
import type { Records } from '../../schema/records.js'
import type { Entry } from '../../store/store.js'
import type { Terms, ZoneKeys } from './dnssec.js'
import { makeCdnKeys, makeZoneKeys, termsLike, zoneOfDomain } from './dnssec.js'
import type { MakeRsa } from './keyMaker.js'
import { serviceZone } from './serviceNames.js'

type Cdn = Records['cdns']
type Service = Records['deliveryServices']

export interface Generated {
  /** The revision that holds the keys. */
  readonly revision: number
  /** How many zones have new keys. */
  readonly zones: number
  /** Services that clients are routed to and that have no zone, since no host pattern of theirs is below the CDN. */
  readonly withoutZone: readonly string[]
}

/** Who asked for keys, and the committer that knows whether they still may when the keys are made. */
export interface Writer {
  readonly user: Caller
  readonly requestId: string
  readonly committer: Pick<Committer, 'write'>
}

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

export function createDnssecKeeper(given: {
  data: Data
  committer: Committer
  vault: Vault
  makeRsa: MakeRsa
  now: () => Date
  failed: Failed
}): DnssecKeeper {
  const { data, committer, vault, makeRsa, now, failed } = given
  const underWay = new Set<number>()
  /** Ids of services that may lack keys. */
  const due = new Set<number>()
  let running: Promise<void> | null = null
  let stopped = false

  const seconds = () => Math.floor(now().getTime() / 1000)
  const opened = ({ sealed }: { sealed: string }) => JSON.parse(vault.unseal(sealed)) as ZoneKeys
  const sealed = (keys: ZoneKeys) => vault.seal(JSON.stringify(keys))

  async function generate(cdn: Cdn, terms: Terms, by: Writer): Promise<Generated> {
    const routed = data.by('deliveryServices', 'cdnId', cdn.id).map((service) => ({
      service,
      zone: serviceZone(data, service),
    }))
    const services = routed.flatMap(({ service, zone }) => (typeof zone === 'string' ? [{ service, zone }] : []))
    const before = new Map(
      storedFor(
        data,
        cdn.id,
        services.map(({ service }) => service),
      ),
    )
    const zones = [
      { key: cdn.name, zone: zoneOfDomain(cdn.domainName), deliveryServiceId: null },
      ...services.map(({ service, zone }) => ({ key: service.xmlId, zone, deliveryServiceId: service.id })),
    ]
    const previous = new Map(
      zones.flatMap(({ key, deliveryServiceId }) => {
        const stored = before.get(deliveryServiceId)
        return stored ? [[key, opened(stored)] as const] : []
      }),
    )
    const made = await makeCdnKeys({ cdn: zones[0]!, services: zones.slice(1), previous }, terms, makeRsa)
    const records = zones.map(({ key, zone, deliveryServiceId }) => ({
      cdnId: cdn.id,
      deliveryServiceId,
      ofCdnItself: deliveryServiceId === null ? true : null,
      zone,
      sealed: sealed(made.get(key)!),
    }))
    const { revision } = await by.committer.write(by, (plan) => {
      if (!plan.data.get('cdns', cdn.id)) throw conflict(`CDN ${cdn.name} was deleted while its keys were made.`)
      for (const record of records) {
        const there = storedOf(plan.data, cdn.id, record.deliveryServiceId)
        if (there?.sealed !== before.get(record.deliveryServiceId)?.sealed)
          throw conflict(`The DNSSEC keys of CDN ${cdn.name} were changed meanwhile. Nothing was changed.`)
        if (record.deliveryServiceId === null || plan.data.get('deliveryServices', record.deliveryServiceId))
          put(plan, there, record)
      }
      plan.log(`Generated DNSSEC keys for CDN ${cdn.name}`)
    })
    const withoutZone = routed.flatMap(({ service, zone }) => (zone === undefined ? [service.xmlId] : []))
    return { revision, zones: zones.length, withoutZone }
  }

  /** The zone for which a service of a signed CDN has to get keys; `null` when it has them or needs none. */
  function lackingZone(data: Data, service: Service | undefined): string | null {
    const cdn = data.get('cdns', service?.cdnId ?? null)
    if (!cdn?.dnssecEnabled || !service || service.xmlId === cdn.name) return null
    if (!ownKeys(data, cdn.id)) return null
    const zone = serviceZone(data, service)
    const stored = one(data, 'dnssecKeys', 'deliveryServiceId', service.id)
    return typeof zone !== 'string' || (stored?.zone === zone && stored.cdnId === cdn.id) ? null : zone
  }

  async function complete(id: number): Promise<void> {
    const service = data.get('deliveryServices', id)
    const zone = lackingZone(data, service)
    if (!service || zone === null) return
    const { cdnId, xmlId } = service
    const terms = termsLike(opened(ownKeys(data, cdnId)!), seconds())
    const keys = await makeZoneKeys({ zone, delegated: false, previous: null }, terms, makeRsa)
    const record = { cdnId, deliveryServiceId: id, ofCdnItself: null, zone, sealed: sealed(keys) }
    await committer.write({ user: system, requestId: randomUUID() }, (plan) => {
      const now = plan.data.get('deliveryServices', id)
      if (now?.cdnId !== cdnId || lackingZone(plan.data, now) !== zone) return
      put(plan, storedOf(plan.data, cdnId, id), record)
      plan.log(`Generated DNSSEC keys for delivery service ${xmlId}`, 'OPER')
    })
  }

  async function work(): Promise<void> {
    try {
      for (const id of due) {
        if (stopped) break
        due.delete(id)
        await complete(id)
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
        return await generate(cdn, terms, by)
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

/** The keys of the zone of a CDN itself. */
export const ownKeys = (data: Data, cdnId: number): Records['dnssecKeys'] | undefined =>
  one(data, 'dnssecKeys', 'cdnId+ofCdnItself', uniqueKey([cdnId, true])!)

/** The keys of a service wherever it was, or those of the CDN itself. */
const storedOf = (data: Data, cdnId: number, deliveryServiceId: number | null) =>
  deliveryServiceId === null ? ownKeys(data, cdnId) : one(data, 'dnssecKeys', 'deliveryServiceId', deliveryServiceId)

function* storedFor(data: Data, cdnId: number, services: readonly Service[]) {
  for (const id of [null, ...services.map(({ id }) => id)]) {
    const stored = storedOf(data, cdnId, id)
    if (stored) yield [id, stored] as const
  }
}

type ZoneRecord = Omit<Records['dnssecKeys'], 'id' | 'lastUpdated'>

function put(plan: Plan, there: { id: number } | undefined, record: ZoneRecord): void {
  if (there) plan.update('dnssecKeys', there.id, record)
  else plan.create('dnssecKeys', record)
}
