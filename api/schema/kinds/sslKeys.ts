import { defineKind } from '../defineKind.js'
import { integer, moment, optional, ref, text } from '../fields.js'

export const fields = {
  deliveryServiceId: ref('deliveryServices', { as: ['deliveryService'], onDelete: 'cascade' }),
  version: integer(),
  hostname: text({ max: 253 }),
  /** When the certificate ends. */
  expires: optional(moment()),
  /** Certificate, key, request and their particulars as JSON text, sealed with the vault key. */
  sealed: text({ max: 1_048_576, hidden: true }),
}

export default defineKind({
  kind: 'sslKeys',
  label: 'ssl keys',
  key: null,
  fields,
  unique: [['deliveryServiceId', 'version']],
})
