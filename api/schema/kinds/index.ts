import activeSnapshots from './activeSnapshots.js'
import apiCapabilities from './apiCapabilities.js'
import apiTokens from './apiTokens.js'
import asns from './asns.js'
import cachegroupFallbacks from './cachegroupFallbacks.js'
import cachegroupParameters from './cachegroupParameters.js'
import cachegroups from './cachegroups.js'
import capabilities from './capabilities.js'
import cdns from './cdns.js'
import coordinates from './coordinates.js'
import deliveryServiceRegexes from './deliveryServiceRegexes.js'
import deliveryServiceServers from './deliveryServiceServers.js'
import deliveryServices from './deliveryServices.js'
import deliveryServiceUsers from './deliveryServiceUsers.js'
import divisions from './divisions.js'
import dnssecKeys from './dnssecKeys.js'
import endedSessions from './endedSessions.js'
import extensions from './extensions.js'
import federationResolvers from './federationResolvers.js'
import federations from './federations.js'
import hwinfo from './hwinfo.js'
import jobs from './jobs.js'
import origins from './origins.js'
import parameters from './parameters.js'
import physLocations from './physLocations.js'
import profiles from './profiles.js'
import regions from './regions.js'
import roles from './roles.js'
import serverChecks from './serverChecks.js'
import servers from './servers.js'
import serverUpdates from './serverUpdates.js'
import snapshots from './snapshots.js'
import sslKeys from './sslKeys.js'
import staticDnsEntries from './staticDnsEntries.js'
import statsSummaries from './statsSummaries.js'
import statuses from './statuses.js'
import steeringTargets from './steeringTargets.js'
import tenants from './tenants.js'
import types from './types.js'
import uriSigningKeys from './uriSigningKeys.js'
import urlSigKeys from './urlSigKeys.js'
import users from './users.js'

/** Every record kind, one line each. Order does not matter. */
export const shapes = {
  activeSnapshots,
  apiCapabilities,
  apiTokens,
  asns,
  cachegroupFallbacks,
  cachegroupParameters,
  cachegroups,
  capabilities,
  cdns,
  coordinates,
  deliveryServiceRegexes,
  deliveryServiceServers,
  deliveryServiceUsers,
  deliveryServices,
  divisions,
  dnssecKeys,
  endedSessions,
  extensions,
  federationResolvers,
  federations,
  hwinfo,
  jobs,
  origins,
  parameters,
  physLocations,
  profiles,
  regions,
  roles,
  serverChecks,
  serverUpdates,
  servers,
  snapshots,
  sslKeys,
  staticDnsEntries,
  statsSummaries,
  statuses,
  steeringTargets,
  tenants,
  types,
  uriSigningKeys,
  urlSigKeys,
  users,
}
