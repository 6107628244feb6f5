import { defineKind } from '../defineKind.js'
import { refs } from '../fields.js'

export const fields = { deliveryServices: refs('deliveryServices', { nameAliases: ['xmlIds'] }) }

export default defineKind({
  kind: 'deliveryServiceServers',
  description: 'The delivery services that a server is assigned to.',
  label: 'assignment',
  key: null,
  idRefersTo: 'servers',
  fields,
})
