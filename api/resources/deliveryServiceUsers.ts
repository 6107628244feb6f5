import { defineResource } from '../resource/define.js'
import { refs } from '../resource/fields.js'
import { userRoutes } from './deliveryServiceUserRoutes.js'

export const fields = { deliveryServices: refs('deliveryServices', { as: ['xmlIds'] }) }

/** Which delivery services a user was given to look after, under the user's id. */
export default defineResource({
  kind: 'deliveryServiceUsers',
  label: 'delivery service user',
  key: null,
  idRefersTo: 'users',
  fields,
  routes: userRoutes,
})
