import { defineKind } from '../defineKind.js'
import type { RecordOf } from '../fields.js'
import { flag, ipv4, ipv6, oneOf, optional, port, ref, text, urlHost, word } from '../fields.js'

export const fields = {
  name: word({ unique: true }),
  fqdn: text({ max: 253, pattern: `^${urlHost}$`, form: 'a host name, or an IPv6 address in brackets' }),
  protocol: oneOf(['http', 'https'], { normalize: (given) => given.toLowerCase() }),
  deliveryServiceId: ref('deliveryServices', { nameAliases: ['deliveryService'], onDelete: 'cascade' }),
  port: optional(port()),
  ipAddress: optional(ipv4()),
  ip6Address: optional(ipv6()),
  cachegroupId: optional(ref('cachegroups', { nameAliases: ['cachegroup'] })),
  coordinateId: optional(ref('coordinates', { nameAliases: ['coordinate'], aliases: ['coordinateID'] })),
  profileId: optional(ref('profiles', { nameAliases: ['profile'], onDelete: 'clear' })),
  tenantId: ref('tenants', {
    nameAliases: ['tenant'],
    default: null,
    description: 'That of the delivery service when the body names none.',
  }),
  isPrimary: flag({
    default: false,
    readOnly: true,
    description: 'The one the delivery service itself names; the others serve multi-site origin.',
  }),
}

export type Origin = RecordOf<typeof fields>

export default defineKind({
  kind: 'origins',
  description: 'A server that a delivery service gets its content from.',
  label: 'origin',
  key: 'name',
  fields,
  indexes: { primaryOf: ({ isPrimary, deliveryServiceId }: Origin) => (isPrimary ? deliveryServiceId : null) },
})
