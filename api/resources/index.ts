import type { Resource } from '../resource/define.js'
import apiTokens from './apiTokens.js'
import asns from './asns.js'
import cachegroupFallbacks from './cachegroupFallbacks.js'
import cachegroupParameters from './cachegroupParameters.js'
import cachegroups from './cachegroups.js'
import capabilities from './capabilities.js'
import cdns from './cdns.js'
import coordinates from './coordinates.js'
import divisions from './divisions.js'
import hwinfo from './hwinfo.js'
import parameters from './parameters.js'
import physLocations from './physLocations.js'
import profiles from './profiles.js'
import regions from './regions.js'
import roles from './roles.js'
import servers from './servers.js'
import serverUpdates from './serverUpdates.js'
import statuses from './statuses.js'
import tenants from './tenants.js'
import types from './types.js'
import users from './users.js'

/** Every record kind, one line each. Order does not matter. */
export const resources: readonly Resource[] = [
  apiTokens,
  asns,
  cachegroupFallbacks,
  cachegroupParameters,
  cachegroups,
  capabilities,
  cdns,
  coordinates,
  divisions,
  hwinfo,
  parameters,
  physLocations,
  profiles,
  regions,
  roles,
  serverUpdates,
  servers,
  statuses,
  tenants,
  types,
  users,
]
