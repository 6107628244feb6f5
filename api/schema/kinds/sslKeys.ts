import { defineKind } from '../defineKind.js'
import { integer, moment, optional, ref, text } from '../fields.js'

export const fields = {
  deliveryServiceId: ref('deliveryServices', { nameAliases: ['deliveryService'], onDelete: 'cascade' }),
  version: integer(),
  hostname: text({ max: 253 }),
  expires: optional(moment({ description: 'When the certificate ends.' })),
  sealed: text({
    max: 1_048_576,
    hidden: true,
    description: 'Certificate, key, request and their particulars as JSON text, sealed with the vault key.',
  }),
}

export default defineKind({
  kind: 'sslKeys',
  description: 'A certificate of a delivery service, and its key.',
  label: 'ssl keys',
  key: null,
  fields,
  unique: [['deliveryServiceId', 'version']],
})
