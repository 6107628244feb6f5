import { userRoutes } from '../../routes/deliveryServices/deliveryServiceUserRoutes.js'
import { refs } from '../../schema/fields.js'
import { defineResource } from '../defineKind.js'

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
