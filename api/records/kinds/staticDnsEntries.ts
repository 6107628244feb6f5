import { isIPv4 } from 'node:net'
import { isPlainIPv6 } from '../../config/address.js'
import type { Data } from '../../schema/data.js'
import type { RecordOf } from '../../schema/fields.js'
import type { fields } from '../../schema/kinds/staticDnsEntries.js'
import { defineBehaviour } from '../defineBehaviour.js'
import { typeOf } from '../rules.js'

type Entry = RecordOf<typeof fields>
interface Change {
  readonly after: Entry
  readonly data: Data
}

const dns =
  /^(?=.{1,254}$)[A-Za-z0-9_]([A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?(\.[A-Za-z0-9_]([A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?)*\.?$/

const addresses: Readonly<Record<string, readonly [fits: (address: string) => boolean, what: string]>> = {
  A_RECORD: [isIPv4, 'an IPv4 address'],
  AAAA_RECORD: [isPlainIPv6, 'an IPv6 address'],
  CNAME_RECORD: [(address) => dns.test(address), 'a DNS name'],
}

export default defineBehaviour('staticDnsEntries', {
  rules: [({ after, data }) => typeOf('staticdnsentry', after, data), addressed, distinct],
  tenant: (entry, data) => data.get('deliveryServices', entry.deliveryServiceId)?.tenantId ?? null,
})

function* addressed({ after, data }: Change) {
  const [fits, what] = addresses[data.get('types', after.typeId)?.name ?? ''] ?? []
  if (fits && !fits(after.address)) yield { path: 'address', text: `address must be ${what}` }
}

function* distinct({ after, data }: Change) {
  const twin = data
    .by('staticDnsEntries', 'deliveryServiceId', after.deliveryServiceId)
    .find(
      ({ id, host, address, cachegroupId }) =>
        id !== after.id && host === after.host && address === after.address && cachegroupId === after.cachegroupId,
    )
  if (twin) {
    const text = `a staticDNSEntry with host ${after.host} and address ${after.address} already exists.`
    yield { path: 'host', text, status: 409 as const }
  }
}
