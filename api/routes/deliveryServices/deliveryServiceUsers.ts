import { defineResource } from '../crud/resource.js'
import { userRoutes } from './deliveryServiceUserRoutes.js'

export default defineResource('deliveryServiceUsers', {
  routes: userRoutes,
})
