import type { Vault } from '../../config/vault.js'
import type { Data } from '../../schema/data.js'
import type { Records } from '../../schema/records.js'
import type { ZoneKeys } from '../keys/dnssec.js'
import { current, zoneOfDomain } from '../keys/dnssec.js'
import { ownKeys } from '../keys/dnssecStored.js'
import type { Finding } from './finding.js'
import { cdnRef, serviceRef } from './subjects.js'

/** Keys that are missing or have run out: those that sign zones, and those that sign URLs. */
export function* keyFindings(
  { data, vault, now }: { data: Data; vault: Pick<Vault, 'unseal'>; now: number },
  cdn: Records['cdns'],
): Generator<void, Finding[]> {
  const findings: Finding[] = []
  if (cdn.dnssecEnabled) {
    const own = ownKeys(data, cdn.id)
    if (!own)
      findings.push({
        code: 'dnssec-without-keys',
        level: 'error',
        record: cdnRef(cdn),
        text: `${cdn.name} is to be signed (DNSSEC) and has no keys.`,
        fix: 'Make them with POST /api/1.3/cdns/dnsseckeys/generate, or set dnssecEnabled to false.',
      })
    else if (own.zone !== zoneOfDomain(cdn.domainName))
      findings.push({
        code: 'dnssec-keys-of-another-domain',
        level: 'error',
        record: cdnRef(cdn),
        text: `The DNSSEC keys of ${cdn.name} are for ${own.zone}, and its domain is ${cdn.domainName}.`,
        fix: 'Make new ones with POST /api/1.3/cdns/dnsseckeys/generate, and give the DS record to the zone above.',
      })
    for (const { zone, sealed } of data.by('dnssecKeys', 'cdnId', cdn.id)) {
      yield
      const keys = JSON.parse(vault.unseal(sealed)) as ZoneKeys
      const ends = Math.min(current(keys.zsk).expirationDate, current(keys.ksk).expirationDate) * 1000
      if (ends > now) continue
      findings.push({
        code: 'dnssec-keys-expired',
        level: 'error',
        record: cdnRef(cdn),
        text: `The DNSSEC keys of ${zone} ended on ${new Date(ends).toISOString().slice(0, 10)}.`,
        fix: 'Make new ones with POST /api/1.3/cdns/dnsseckeys/generate; running services roll keys before they end.',
      })
    }
  }
  for (const service of data.by('deliveryServices', 'cdnId', cdn.id)) {
    yield
    const { id, xmlId, signingAlgorithm } = service
    if (!service.active || !signingAlgorithm) continue
    const isUrlSig = signingAlgorithm === 'url_sig'
    if (data.get(isUrlSig ? 'urlSigKeys' : 'uriSigningKeys', id)) continue
    const path = isUrlSig ? `xmlId/${xmlId}/urlkeys/generate` : `${xmlId}/urisignkeys`
    findings.push({
      code: 'signing-without-keys',
      level: 'error',
      record: serviceRef(service),
      text: `${xmlId} is to be signed with ${signingAlgorithm} and has no keys; caches leave it out.`,
      fix: `Make them with POST /api/1.3/deliveryservices/${path}.`,
    })
  }
  return findings
}
