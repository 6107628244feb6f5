import type { Resource } from '../resource/define.js'
import capabilities from './capabilities.js'
import cdns from './cdns.js'
import coordinates from './coordinates.js'
import divisions from './divisions.js'
import physLocations from './physLocations.js'
import regions from './regions.js'
import roles from './roles.js'
import statuses from './statuses.js'
import tenants from './tenants.js'
import types from './types.js'
import users from './users.js'

/** Every record kind, one line each. Order does not matter. */
export const resources: readonly Resource[] = [
  capabilities,
  cdns,
  coordinates,
  divisions,
  physLocations,
  regions,
  roles,
  statuses,
  tenants,
  types,
  users,
]
