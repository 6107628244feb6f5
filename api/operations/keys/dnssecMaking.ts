import { randomUUID } from 'node:crypto'
import { conflict } from '../../config/errors.js'
import type { Vault } from '../../config/vault.js'
import type { Committer } from '../../journal/commit.js'
import type { Data } from '../../schema/data.js'
import { findOne } from '../../schema/data.js'
import type { Caller } from '../../schema/privileges.js'
import { system } from '../../schema/privileges.js'
import type { Records } from '../../schema/records.js'
import type { Terms, ZoneKeys } from './dnssec.js'
import { makeCdnKeys, makeZoneKeys, rolledKeys, termsLike, zoneOfDomain } from './dnssec.js'
import { ownKeys, put, storedFor, storedOf } from './dnssecStored.js'
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

/** What keys are made of and with. */
export interface KeyMaking {
  readonly data: Data
  readonly vault: Vault
  readonly makeRsa: MakeRsa
  readonly now: () => Date
}

const opened = (vault: Vault, { sealed }: { sealed: string }) => JSON.parse(vault.unseal(sealed)) as ZoneKeys
const sealed = (vault: Vault, keys: ZoneKeys): string => vault.seal(JSON.stringify(keys))

/** Keys that were asked for, and who hears of it. */
interface Wanted {
  readonly cdn: Cdn
  readonly terms: Terms
  readonly by: Writer
  /** Hears for how many zones keys are made. */
  readonly begun: (zones: number) => void
  /** Throws if nobody wants them any more. */
  readonly stillWanted: () => void
}

/** New keys for a CDN and all of its services, in one commit. */
export async function generate(
  { cdn, terms, by, begun, stillWanted }: Wanted,
  { data, vault, makeRsa }: KeyMaking,
): Promise<Generated> {
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
      return stored ? [[key, opened(vault, stored)] as const] : []
    }),
  )
  begun(zones.length)
  const made = await makeCdnKeys({ cdn: zones[0]!, services: zones.slice(1), previous }, terms, makeRsa)
  const records = zones.map(({ key, zone, deliveryServiceId }) => ({
    cdnId: cdn.id,
    deliveryServiceId,
    ofCdnItself: deliveryServiceId === null ? true : null,
    zone,
    sealed: sealed(vault, made.get(key)!),
  }))
  const { revision } = await by.committer.write(by, (transaction) => {
    stillWanted()
    const now = transaction.data.get('cdns', cdn.id)
    if (!now) throw conflict(`CDN ${cdn.name} was deleted while its keys were made.`)
    if (zoneOfDomain(now.domainName) !== zones[0]!.zone)
      throw conflict(`The domain of CDN ${cdn.name} was changed while its keys were made. Nothing was changed.`)
    for (const record of records) {
      const there = storedOf(transaction.data, cdn.id, record.deliveryServiceId)
      if (there?.sealed !== before.get(record.deliveryServiceId)?.sealed)
        throw conflict(`The DNSSEC keys of CDN ${cdn.name} were changed meanwhile. Nothing was changed.`)
      if (record.deliveryServiceId === null || transaction.data.get('deliveryServices', record.deliveryServiceId))
        put(transaction, there, record)
    }
    transaction.log(`Generated DNSSEC keys for CDN ${cdn.name}`)
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
  const stored = findOne(data, 'dnssecKeys', 'deliveryServiceId', service.id)
  return typeof zone !== 'string' || (stored?.zone === zone && stored.cdnId === cdn.id) ? null : zone
}

/** Makes the keys that a service of a signed CDN lacks, if it does. */
export async function complete(
  id: number,
  { data, vault, makeRsa, now, committer }: KeyMaking & { committer: Pick<Committer, 'write'> },
): Promise<void> {
  const service = data.get('deliveryServices', id)
  const zone = lackingZone(data, service)
  if (!service || zone === null) return
  const { cdnId, xmlId } = service
  const terms = termsLike(opened(vault, ownKeys(data, cdnId)!), Math.floor(now().getTime() / 1000))
  const keys = await makeZoneKeys({ zone, delegated: false, previous: null }, terms, makeRsa)
  const record = { cdnId, deliveryServiceId: id, ofCdnItself: null, zone, sealed: sealed(vault, keys) }
  await committer.write({ user: system, requestId: randomUUID() }, (transaction) => {
    const now = transaction.data.get('deliveryServices', id)
    if (now?.cdnId !== cdnId || lackingZone(transaction.data, now) !== zone) return
    put(transaction, storedOf(transaction.data, cdnId, id), record)
    transaction.log(`Generated DNSSEC keys for delivery service ${xmlId}`, 'OPER')
  })
}

/**
 * Rolls the keys of one zone of a signed CDN that will end soon, in one commit. Several instances may be at it at the
 * same time: the keys of the first one count, and the others leave what is not any more as they found it.
 */
export async function roll(
  id: number,
  { data, vault, makeRsa, now, committer }: KeyMaking & { committer: Pick<Committer, 'write'> },
): Promise<void> {
  const stored = data.get('dnssecKeys', id)
  const cdn = data.get('cdns', stored?.cdnId ?? null)
  if (!stored || !cdn?.dnssecEnabled) return
  const { zone, ofCdnItself, sealed: before } = stored
  const wanted = { zone, delegated: ofCdnItself === true, keys: opened(vault, stored) }
  const rolled = await rolledKeys(wanted, Math.floor(now().getTime() / 1000), makeRsa)
  if (!rolled) return
  const { keys, which } = rolled
  const after = sealed(vault, keys)
  await committer.write({ user: system, requestId: randomUUID() }, (transaction) => {
    if (transaction.data.get('dnssecKeys', id)?.sealed !== before) return
    transaction.update('dnssecKeys', id, { sealed: after })
    const parts = which.map((kind) => `${kind.toUpperCase()} from ${day(keys[kind][0]!.effectiveDate)} on`)
    const parent = ofCdnItself && which.includes('ksk') ? '; give its parent zone the new DS record until then' : ''
    transaction.log(`Rolled DNSSEC keys of ${zone} before they end: ${parts.join(', ')}${parent}`, 'OPER')
  })
}

const day = (seconds: number): string => new Date(seconds * 1000).toISOString().slice(0, 10)
