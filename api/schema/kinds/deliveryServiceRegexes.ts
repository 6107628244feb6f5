import { defineKind } from '../defineKind.js'
import { integer, ref, text } from '../fields.js'

export const fields = {
  deliveryServiceId: ref('deliveryServices', { nameAliases: ['deliveryService'], onDelete: 'cascade' }),
  typeId: ref('types', { nameAliases: ['typeName'], aliases: ['type'] }),
  pattern: text({ max: 1024, pattern: '^\\S+$', form: 'a regular expression without spaces' }),
  setNumber: integer({ max: 1_000_000, description: 'Evaluation order within the delivery service.' }),
}

export default defineKind({
  kind: 'deliveryServiceRegexes',
  description: 'A pattern by which routers and caches know the requests of a delivery service.',
  label: 'delivery service regex',
  key: null,
  fields,
})
