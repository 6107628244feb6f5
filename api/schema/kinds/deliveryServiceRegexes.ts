import { defineKind } from '../defineKind.js'
import { integer, ref, text } from '../fields.js'

export const fields = {
  deliveryServiceId: ref('deliveryServices', { as: ['deliveryService'], onDelete: 'cascade' }),
  typeId: ref('types', { as: ['typeName'], also: ['type'] }),
  pattern: text({ max: 1024, pattern: '^\\S+$' }),
  /** Evaluation order within the delivery service. */
  setNumber: integer({ max: 1_000_000 }),
}

export default defineKind({
  kind: 'deliveryServiceRegexes',
  label: 'delivery service regex',
  key: null,
  fields,
})
