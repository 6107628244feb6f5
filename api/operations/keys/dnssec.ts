import type { Algorithm, DsRecord } from './dnskey.js'
import { bindPrivateKey, dnskeyLine, dsRecord } from './dnskey.js'
import type { MakeRsa } from './keyMaker.js'

/** A signing key of a zone. Dates are seconds since 1970. */
export interface DnssecKey {
  /** `new` signs; `existing` was replaced by it and is kept until what it signed has run out of caches. */
  readonly status: 'new' | 'existing'
  /** The zone, absolute. */
  readonly name: string
  /** Seconds. */
  readonly ttl: number
  /** When it was made. */
  readonly inceptionDate: number
  /** From when on it signs. */
  readonly effectiveDate: number
  readonly expirationDate: number
  /** The DNSKEY record as a line of a zone file, in base64. */
  readonly public: string
  /** BIND's private key text, in base64. */
  readonly private: string
  /** Only on the key-signing key of a CDN, whose parent zone is not ours. */
  readonly dsRecord?: DsRecord
}

/** The keys of one zone: the new one first, then those it replaced that still count. */
export interface ZoneKeys {
  readonly zsk: readonly DnssecKey[]
  readonly ksk: readonly DnssecKey[]
}

export interface Terms {
  /** Seconds. */
  readonly ttl: number
  readonly kskExpirationDays: number
  readonly zskExpirationDays: number
  /** Seconds since 1970. */
  readonly now: number
  /** From when on the new keys sign; seconds since 1970. */
  readonly effectiveDate: number
  readonly algorithm: Algorithm
}

/**
 * New keys for a zone: 1024 bits to sign the zone, 2048 bits to sign the keys. Of the previous set the keys in force
 * when the new ones take effect are kept as `existing` and expire then; keys of another zone name are dropped.
 * Throws KeysRefused when a previous key was made after `now`.
 */
export async function makeZoneKeys(
  { zone, delegated, previous }: { zone: string; delegated: boolean; previous: ZoneKeys | null },
  terms: Terms,
  makeRsa: MakeRsa,
): Promise<ZoneKeys> {
  const kept = { zsk: replaced(previous?.zsk ?? [], zone, terms), ksk: replaced(previous?.ksk ?? [], zone, terms) }
  const [zsk, ksk] = await Promise.all([
    makeKey({ zone, flags: 256, bits: 1024, days: terms.zskExpirationDays, delegated: false }, terms, makeRsa),
    makeKey({ zone, flags: 257, bits: 2048, days: terms.kskExpirationDays, delegated }, terms, makeRsa),
  ])
  return { zsk: [zsk, ...kept.zsk], ksk: [ksk, ...kept.ksk] }
}

/**
 * New keys for a CDN and its services, by the name each is known by: the CDN's name or the service's xml id.
 * Throws KeysRefused when a service bears the name of the CDN, since the answers are keyed by it.
 */
export async function makeCdnKeys(
  { cdn, services, previous }: { cdn: Zone; services: readonly Zone[]; previous: ReadonlyMap<string, ZoneKeys> },
  terms: Terms,
  makeRsa: MakeRsa,
): Promise<Map<string, ZoneKeys>> {
  if (services.some(({ key }) => key === cdn.key))
    throw new KeysRefused(`A delivery service is named ${cdn.key} like its CDN; their keys could not be told apart.`)
  const zones = [cdn, ...services]
  const made: ZoneKeys[] = []
  let next = 0
  // A few zones at a time: whoever wants a single key meanwhile does not wait for hundreds, nor does an end.
  const lane = async (): Promise<void> => {
    for (let at = next++; at < zones.length; at = next++) {
      const { key, zone } = zones[at]!
      const wanted = { zone, delegated: key === cdn.key, previous: previous.get(key) ?? null }
      try {
        made[at] = await makeZoneKeys(wanted, terms, makeRsa)
      } catch (error) {
        next = zones.length
        throw error
      }
    }
  }
  await Promise.all(Array.from({ length: lanes }, lane))
  return new Map(zones.map(({ key }, at) => [key, made[at]!]))
}

const lanes = 4

/** Which keys of a zone were rolled; `null` when none had to be. */
export interface Rolled {
  readonly keys: ZoneKeys
  readonly which: readonly ('zsk' | 'ksk')[]
}

/**
 * New keys in place of those of a zone that will end soon: from a tenth of their time before that on, a day at least and
 * a month at most. The successor is known from then on and signs from the middle of what is left; the one it replaces
 * stays until it ends, so that what either has signed can be checked, and the parent zone be told of a new key.
 */
export async function rolledKeys(
  { zone, delegated, keys }: { zone: string; delegated: boolean; keys: ZoneKeys },
  now: number,
  makeRsa: MakeRsa,
): Promise<Rolled | null> {
  const terms = termsLike(keys, now)
  const isDue = (kind: 'zsk' | 'ksk') => now >= rollsAt(current(keys[kind]))
  const which = (['zsk', 'ksk'] as const).filter(isDue)
  if (which.length === 0) return null
  const next = async (kind: 'zsk' | 'ksk'): Promise<readonly DnssecKey[]> => {
    const old = current(keys[kind])
    if (!isDue(kind)) return keys[kind]
    const effectiveDate = old.expirationDate > now ? Math.floor((now + old.expirationDate) / 2) : now
    const days = kind === 'zsk' ? terms.zskExpirationDays : terms.kskExpirationDays
    const [flags, bits] = kind === 'zsk' ? ([256, 1024] as const) : ([257, 2048] as const)
    const wish = { zone, flags, bits, days, delegated: delegated && kind === 'ksk' }
    const made = await makeKey(wish, { ...terms, ttl: old.ttl, effectiveDate }, makeRsa)
    const kept = keys[kind].filter((key) => key.expirationDate > now)
    return [made, ...kept.map((key) => ({ ...key, status: 'existing' as const }))]
  }
  return { keys: { zsk: await next('zsk'), ksk: await next('ksk') }, which }
}

/** When a key is to get its successor; seconds since 1970. */
function rollsAt({ effectiveDate, expirationDate }: DnssecKey): number {
  const lifetime = expirationDate - effectiveDate
  const ahead = Math.min(Math.max(lifetime / 10, day), 30 * day, lifetime / 2)
  return expirationDate - ahead
}

/** A zone to be signed: `key` is the name of the CDN or the xml id of the service, `zone` its absolute name. */
export interface Zone {
  readonly key: string
  readonly zone: string
}

/** The terms on which a CDN's keys were made, for the zone of a service that is added to it later. */
export function termsLike(cdn: ZoneKeys, now: number): Terms {
  const [zsk, ksk] = [current(cdn.zsk), current(cdn.ksk)]
  const days = (key: DnssecKey) => Math.max(1, Math.round((key.expirationDate - key.effectiveDate) / day))
  return {
    ttl: ksk.ttl,
    kskExpirationDays: days(ksk),
    zskExpirationDays: days(zsk),
    now,
    effectiveDate: now,
    algorithm: ksk.dsRecord?.algorithm ?? 5,
  }
}

/** The key that signs, or will from its effective date on. */
export function current(keys: readonly DnssecKey[]): DnssecKey {
  const key = keys.find(({ status }) => status === 'new')
  if (key === undefined) throw new Error('a key set holds a new key')
  return key
}

/** Services answered over HTTP or DNS have a zone of their own; steering and pass-through ones have none. */
export const hasZone = (serviceType: string): boolean => /^(HTTP|DNS)/.test(serviceType)

/** The zone of a service, from the host name it answers: everything after the routing name. */
export const zoneOfHost = (host: string): string => `${host.slice(host.indexOf('.') + 1).toLowerCase()}.`

export const zoneOfDomain = (domainName: string): string => `${domainName.toLowerCase().replace(/\.$/, '')}.`

/** Keys cannot be made as asked. The message is for the client. */
export class KeysRefused extends Error {
  override name = 'KeysRefused'
}

const day = 86_400

function replaced(previous: readonly DnssecKey[], zone: string, { now, effectiveDate }: Terms): DnssecKey[] {
  const early = previous.find((key) => key.inceptionDate > now)
  if (early !== undefined)
    throw new KeysRefused(
      `The keys of ${zone} were made at ${isoSecond(early.inceptionDate)}, which the clock says is yet to come.`,
    )
  // Keys that are to count since some time ago were not there then: until now it was the previous ones that signed.
  const takeover = Math.max(effectiveDate, now)
  const inForce = previous
    .filter((key) => key.name === zone && key.effectiveDate <= takeover)
    .toSorted((a, b) => b.effectiveDate - a.effectiveDate || b.inceptionDate - a.inceptionDate)
  return inForce
    .slice(0, 1)
    .map((key) => ({ ...key, status: 'existing', expirationDate: Math.min(key.expirationDate, takeover) }))
}

async function makeKey(
  { zone, flags, bits, days, delegated }: KeyWish,
  { ttl, now, effectiveDate, algorithm }: Terms,
  makeRsa: MakeRsa,
): Promise<DnssecKey> {
  const key = await makeRsa(bits)
  const dnskey = { zone, ttl, flags, algorithm, key }
  return {
    status: 'new',
    name: zone,
    ttl,
    inceptionDate: Math.min(now, effectiveDate),
    effectiveDate,
    expirationDate: effectiveDate + days * day,
    public: Buffer.from(dnskeyLine(dnskey)).toString('base64'),
    private: Buffer.from(bindPrivateKey(algorithm, key)).toString('base64'),
    ...(delegated ? { dsRecord: dsRecord(dnskey) } : {}),
  }
}

interface KeyWish {
  readonly zone: string
  readonly flags: 256 | 257
  readonly bits: number
  readonly days: number
  readonly delegated: boolean
}

const isoSecond = (seconds: number) => new Date(seconds * 1000).toISOString().replace('.000Z', 'Z')
