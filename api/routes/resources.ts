import apiCapabilities from './account/apiCapabilities.js'
import apiTokens from './account/apiTokens.js'
import capabilities from './account/capabilities.js'
import roles from './account/roles.js'
import tenants from './account/tenants.js'
import users from './account/users.js'
import asns from './asns.js'
import cachegroupFallbacks from './cachegroupFallbacks.js'
import cachegroups from './cachegroups.js'
import cdns from './cdns.js'
import coordinates from './coordinates.js'
import type { Resource } from './crud/resource.js'
import deliveryServiceRegexes from './deliveryServices/deliveryServiceRegexes.js'
import deliveryServices from './deliveryServices/deliveryServices.js'
import deliveryServiceUsers from './deliveryServices/deliveryServiceUsers.js'
import divisions from './divisions.js'
import federationResolvers from './federations/federationResolvers.js'
import federations from './federations/federations.js'
import jobs from './jobs.js'
import origins from './origins.js'
import parameters from './parameters/parameters.js'
import profiles from './parameters/profiles.js'
import physLocations from './physLocations.js'
import regions from './regions.js'
import extensions from './servers/extensions.js'
import servers from './servers/servers.js'
import snapshots from './snapshots/frozenDocuments.js'
import staticDnsEntries from './staticDnsEntries.js'
import statuses from './statuses.js'
import steeringTargets from './steeringTargets.js'
import types from './types.js'

/** The record kinds that have routes, one line each. Order does not matter. */
export const resources: readonly Resource[] = [
  apiCapabilities,
  apiTokens,
  asns,
  cachegroupFallbacks,
  cachegroups,
  capabilities,
  cdns,
  coordinates,
  deliveryServiceRegexes,
  deliveryServiceUsers,
  deliveryServices,
  divisions,
  extensions,
  federationResolvers,
  federations,
  jobs,
  origins,
  parameters,
  physLocations,
  profiles,
  regions,
  roles,
  servers,
  snapshots,
  staticDnsEntries,
  statuses,
  steeringTargets,
  tenants,
  types,
  users,
]
