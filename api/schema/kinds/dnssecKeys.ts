import { defineKind } from '../defineKind.js'
import { flag, optional, ref, text } from '../fields.js'

export const fields = {
  cdnId: ref('cdns', { as: ['cdnName', 'cdn'], onDelete: 'cascade' }),
  deliveryServiceId: optional(ref('deliveryServices', { as: ['deliveryService'], unique: true, onDelete: 'cascade' })),
  /** True for the zone of the CDN itself, of which there is one; null for those of its services. */
  ofCdnItself: optional(flag()),
  /** The zone the keys were made for, absolute: another one means other keys. */
  zone: text({ max: 255 }),
  /** `ZoneKeys` as JSON text, sealed with the vault key. */
  sealed: text({ max: 1_048_576, hidden: true }),
}

export default defineKind({
  kind: 'dnssecKeys',
  label: 'dnssec keys',
  key: null,
  fields,
  unique: [['cdnId', 'ofCdnItself']],
})
