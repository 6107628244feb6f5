import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import type { Committer } from '../commit.js'
import { type Data, one } from '../data.js'
import { conflict } from '../errors.js'
import type { Plan } from '../plan.js'
import type { Records } from '../records.js'
import { type Caller, system } from '../roles.js'
import type { Vault } from '../services.js'
import type { Entry } from '../store/store.js'
import { makeCdnKeys, makeZoneKeys, type Terms, termsLike, type ZoneKeys, zoneOfDomain } from './dnssec.js'
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

/** Makes and keeps the DNSSEC keys of CDNs and their services. */
export interface DnssecKeeper {
  /**
   * New keys for a CDN and all of its services in one commit; those there were are kept as the previous set. Takes
   * about 0.2 s per service on one core, in the background. One at a time per CDN, and only if nobody else
   * changed the keys meanwhile: else a conflict. Throws KeysRefused, too.
   */
  generate(cdn: Cdn, terms: Terms, user: Caller): Promise<Generated>
  /** Notes what an entry of the journal means for the keys: a service added to a signed CDN gets keys soon after. */
  applied(entry: Entry): void
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
  log: Logger
}): DnssecKeeper {
  const { data, committer, vault, makeRsa, now, log } = given
  const underWay = new Set<number>()
  const due = new Set<number>()
  let running: Promise<void> | null = null
  let stopped = false

  const seconds = () => Math.floor(now().getTime() / 1000)
  const opened = ({ sealed }: { sealed: string }) => JSON.parse(vault.unseal(sealed)) as ZoneKeys
  const sealed = (keys: ZoneKeys) => vault.seal(JSON.stringify(keys))

  async function generate(cdn: Cdn, terms: Terms, user: Caller): Promise<Generated> {
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
      zone,
      sealed: sealed(made.get(key)!),
    }))
    const { revision } = await committer.write({ user, requestId: randomUUID() }, (plan) => {
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
  function lackingZone(data: Data, cdnId: number, id: number): string | null {
    const [cdn, service] = [data.get('cdns', cdnId), data.get('deliveryServices', id)]
    if (!cdn?.dnssecEnabled || service?.cdnId !== cdnId || service.xmlId === cdn.name) return null
    const zone = serviceZone(data, service)
    const stored = one(data, 'dnssecKeys', 'deliveryServiceId', id)
    if (typeof zone !== 'string' || (stored?.zone === zone && stored.cdnId === cdnId)) return null
    return one(data, 'dnssecKeys', 'ofCdnItself', cdnId) ? zone : null
  }

  async function complete(cdnId: number): Promise<void> {
    for (const id of data.ids('deliveryServices', 'cdnId', cdnId)) {
      const zone = lackingZone(data, cdnId, id)
      if (zone === null) continue
      if (stopped) return
      const terms = termsLike(opened(one(data, 'dnssecKeys', 'ofCdnItself', cdnId)!), seconds())
      const keys = await makeZoneKeys({ zone, delegated: false, previous: null }, terms, makeRsa)
      const record = { cdnId, deliveryServiceId: id, zone, sealed: sealed(keys) }
      await committer.write({ user: system, requestId: randomUUID() }, (plan) => {
        if (lackingZone(plan.data, cdnId, id) !== zone) return
        put(plan, storedOf(plan.data, cdnId, id), record)
        plan.log(`Generated DNSSEC keys for delivery service ${plan.data.get('deliveryServices', id)?.xmlId}`, 'OPER')
      })
    }
  }

  async function work(): Promise<void> {
    for (const cdnId of due) {
      if (stopped) break
      due.delete(cdnId)
      await complete(cdnId).catch((error: unknown) => log.error({ err: error, cdnId }, 'DNSSEC keys could not be made'))
    }
    running = null
  }

  const check = (cdnId: number): void => {
    if (stopped || !data.get('cdns', cdnId)?.dnssecEnabled) return
    due.add(cdnId)
    // Not within the commit that brought it about.
    running ??= Promise.resolve().then(work)
  }

  return {
    generate: async (cdn, terms, user) => {
      if (underWay.has(cdn.id)) throw conflict(`DNSSEC keys for CDN ${cdn.name} are being made already.`)
      underWay.add(cdn.id)
      try {
        return await generate(cdn, terms, user)
      } finally {
        underWay.delete(cdn.id)
        // Services that were added while the keys were made.
        check(cdn.id)
      }
    },
    applied: ({ changes }) => {
      for (const { kind, after } of changes) {
        if (after === null) continue
        if (kind === 'cdns') check(after.id)
        if (kind === 'deliveryServices') check(after.cdnId as number)
        if (kind === 'deliveryServiceRegexes') {
          const service = data.get('deliveryServices', after.deliveryServiceId as number)
          if (service) check(service.cdnId)
        }
      }
    },
    checkAll: () => {
      for (const { id } of data.all('cdns')) check(id)
    },
    idle: async () => {
      while (running) await running
    },
    stop: async () => {
      stopped = true
      while (running) await running
    },
  }
}

/** The keys of a service wherever it was, or those of the CDN itself. */
const storedOf = (data: Data, cdnId: number, deliveryServiceId: number | null) =>
  deliveryServiceId === null
    ? one(data, 'dnssecKeys', 'ofCdnItself', cdnId)
    : one(data, 'dnssecKeys', 'deliveryServiceId', deliveryServiceId)

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
