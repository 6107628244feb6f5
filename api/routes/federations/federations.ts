import { defineResource } from '../crud/resource.js'
import { linkRoutes } from './federationLinkRoutes.js'
import { mappingRoutes } from './federationMappingRoutes.js'
import { federationRoutes } from './federationRoutes.js'

interface Shown {
  readonly id: number
  readonly cname: string
  readonly ttl: number
  readonly description: string | null
  readonly lastUpdated: string
}

export default defineResource('federations', {
  shown: { deliveryServices: null, xmlIds: null, users: null, usernames: null, resolvers: null, ipAddresses: null },
  present: { '1.1': shape, '1.3': shape },
  writeResponse: shape,
  routes: [...federationRoutes, ...linkRoutes, ...mappingRoutes],
})

function shape({ id, cname, ttl, description, lastUpdated }: Shown) {
  return { id, cname, ttl, description, lastUpdated }
}
