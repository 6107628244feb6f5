import { defineKind } from '../defineKind.js'
import { dnsName, integer, optional, ref, text } from '../fields.js'

export const fields = {
  host: dnsName(),
  /** An address, a name, or text, by the type. */
  address: text({ max: 1024 }),
  typeId: ref('types', { as: ['type', 'typeName'] }),
  /** Seconds. */
  ttl: integer({ max: 2_147_483_647 }),
  deliveryServiceId: ref('deliveryServices', {
    also: ['deliveryserviceId'],
    as: ['deliveryService', 'deliveryservice'],
    onDelete: 'cascade',
  }),
  cachegroupId: optional(ref('cachegroups', { as: ['cachegroup', 'cachegroupName'] })),
}

export default defineKind({
  kind: 'staticDnsEntries',
  label: 'staticDNSEntry',
  key: null,
  fields,
})
