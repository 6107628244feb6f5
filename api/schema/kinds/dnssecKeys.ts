import { defineKind } from '../defineKind.js'
import { flag, optional, ref, text } from '../fields.js'

export const fields = {
  cdnId: ref('cdns', { nameAliases: ['cdnName', 'cdn'], onDelete: 'cascade' }),
  deliveryServiceId: optional(
    ref('deliveryServices', { nameAliases: ['deliveryService'], unique: true, onDelete: 'cascade' }),
  ),
  ofCdnItself: optional(
    flag({
      description: 'True for the zone of the CDN itself, of which there is one; null for those of its services.',
    }),
  ),
  zone: text({ max: 255, description: 'The zone the keys were made for, absolute: another one means other keys.' }),
  sealed: text({ max: 1_048_576, hidden: true, description: '`ZoneKeys` as JSON text, sealed with the vault key.' }),
}

export default defineKind({
  kind: 'dnssecKeys',
  description: 'The keys by which a zone is signed.',
  label: 'dnssec keys',
  key: null,
  fields,
  unique: [['cdnId', 'ofCdnItself']],
})
