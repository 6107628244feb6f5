import { integer, moment, optional, ref, text } from '../../schema/fields.js'
import { defineResource } from '../defineKind.js'

export const fields = {
  deliveryServiceId: ref('deliveryServices', { as: ['deliveryService'], onDelete: 'cascade' }),
  version: integer(),
  hostname: text({ max: 253 }),
  /** When the certificate ends. */
  expires: optional(moment()),
  /** Certificate, key, request and their particulars as JSON text, sealed with the vault key. */
  sealed: text({ max: 1_048_576, hidden: true }),
}

/** The versions of the certificate of a delivery service. */
export default defineResource({
  kind: 'sslKeys',
  label: 'ssl keys',
  key: null,
  fields,
  unique: [['deliveryServiceId', 'version']],
  routes: [],
})
