import type { DnssecKey, ZoneKeys } from './dnssec.js'
import { current } from './dnssec.js'

/**
 * The keys of a CDN as each version answers them, by the name of the CDN and the xml ids of its services: up to 1.2
 * the signing key of each kind with text for numbers, from 1.3 on the arrays routers read.
 */
export const presentDnssecKeys = {
  '1.1': (keys: ReadonlyMap<string, ZoneKeys>) =>
    byName(keys, ({ zsk, ksk }) => ({ zsk: asText(current(zsk)), ksk: asText(current(ksk)) })),
  '1.3': (keys: ReadonlyMap<string, ZoneKeys>) => byName(keys, ({ zsk, ksk }) => ({ zsk, ksk })),
}

/** `Object.fromEntries` defines what assignment would not: a service may be called `__proto__`. */
const byName = <T>(keys: ReadonlyMap<string, ZoneKeys>, present: (keys: ZoneKeys) => T): Record<string, T> =>
  Object.fromEntries([...keys].map(([name, zone]) => [name, present(zone)]))

function asText({ ttl, inceptionDate, effectiveDate, expirationDate, dsRecord, status, ...key }: DnssecKey) {
  return {
    ...key,
    ttl: String(ttl),
    inceptionDate: String(inceptionDate),
    effectiveDate: String(effectiveDate),
    expirationDate: String(expirationDate),
    ...(dsRecord === undefined
      ? {}
      : {
          dsRecord: {
            algorithm: String(dsRecord.algorithm),
            digestType: String(dsRecord.digestType),
            digest: dsRecord.digest,
          },
        }),
  }
}
