import { defineKind } from '../defineKind.js'
import { dnsName, integer, optional, ref, text } from '../fields.js'

export const fields = {
  host: dnsName(),
  address: text({ max: 1024, description: 'An address, a name, or text, by the type.' }),
  typeId: ref('types', { nameAliases: ['type', 'typeName'] }),
  ttl: integer({ max: 2_147_483_647, description: 'Seconds.' }),
  deliveryServiceId: ref('deliveryServices', {
    aliases: ['deliveryserviceId'],
    nameAliases: ['deliveryService', 'deliveryservice'],
    onDelete: 'cascade',
  }),
  cachegroupId: optional(ref('cachegroups', { nameAliases: ['cachegroup', 'cachegroupName'] })),
}

export default defineKind({
  kind: 'staticDnsEntries',
  description: 'A record that routers answer in the zone of a delivery service.',
  label: 'staticDNSEntry',
  key: null,
  fields,
})
