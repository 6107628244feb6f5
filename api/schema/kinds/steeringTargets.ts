import { defineKind } from '../defineKind.js'
import { integer, ref } from '../fields.js'

export const fields = {
  deliveryServiceId: ref('deliveryServices', { nameAliases: ['deliveryService'], onDelete: 'cascade' }),
  targetId: ref('deliveryServices', { nameAliases: ['target'], kept: true }),
  typeId: ref('types', { nameAliases: ['type', 'typeName'] }),
  value: integer({
    min: -2_147_483_648,
    max: 2_147_483_647,
    description: 'The weight or the place in the order, by the type.',
  }),
}

export default defineKind({
  kind: 'steeringTargets',
  description: 'A delivery service that a steering delivery service sends its clients to.',
  label: 'steeringtarget',
  key: null,
  fields,
  unique: [['deliveryServiceId', 'targetId']],
})
