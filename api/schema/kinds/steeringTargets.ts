import { defineKind } from '../defineKind.js'
import { integer, ref } from '../fields.js'

export const fields = {
  deliveryServiceId: ref('deliveryServices', { as: ['deliveryService'], onDelete: 'cascade' }),
  targetId: ref('deliveryServices', { as: ['target'], kept: true }),
  typeId: ref('types', { as: ['type', 'typeName'] }),
  /** The weight or the place in the order, by the type. */
  value: integer({ min: -2_147_483_648, max: 2_147_483_647 }),
}

export default defineKind({
  kind: 'steeringTargets',
  label: 'steeringtarget',
  key: null,
  fields,
  unique: [['deliveryServiceId', 'targetId']],
})
