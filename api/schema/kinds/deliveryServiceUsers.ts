import { defineKind } from '../defineKind.js'
import { refs } from '../fields.js'

export const fields = { deliveryServices: refs('deliveryServices', { nameAliases: ['xmlIds'] }) }

export default defineKind({
  kind: 'deliveryServiceUsers',
  description: 'The delivery services that were given to a user.',
  label: 'delivery service user',
  key: null,
  idRefersTo: 'users',
  fields,
})
