import type { Model } from '../compiler/model.js'
import type { RecordOf } from './resource/fields.js'
import type * as activeSnapshots from './resources/activeSnapshots.js'
import type * as apiCapabilities from './resources/apiCapabilities.js'
import type * as apiTokens from './resources/apiTokens.js'
import type * as asns from './resources/asns.js'
import type * as cachegroupFallbacks from './resources/cachegroupFallbacks.js'
import type * as cachegroupParameters from './resources/cachegroupParameters.js'
import type * as cachegroups from './resources/cachegroups.js'
import type * as capabilities from './resources/capabilities.js'
import type * as cdns from './resources/cdns.js'
import type * as coordinates from './resources/coordinates.js'
import type * as deliveryServiceRegexes from './resources/deliveryServiceRegexes.js'
import type * as deliveryServiceServers from './resources/deliveryServiceServers.js'
import type * as deliveryServices from './resources/deliveryServices.js'
import type * as deliveryServiceUsers from './resources/deliveryServiceUsers.js'
import type * as divisions from './resources/divisions.js'
import type * as dnssecKeys from './resources/dnssecKeys.js'
import type * as endedSessions from './resources/endedSessions.js'
import type * as extensions from './resources/extensions.js'
import type * as federationResolvers from './resources/federationResolvers.js'
import type * as federations from './resources/federations.js'
import type * as hwinfo from './resources/hwinfo.js'
import type * as jobs from './resources/jobs.js'
import type * as origins from './resources/origins.js'
import type * as parameters from './resources/parameters.js'
import type * as physLocations from './resources/physLocations.js'
import type * as profiles from './resources/profiles.js'
import type * as regions from './resources/regions.js'
import type * as roles from './resources/roles.js'
import type * as serverChecks from './resources/serverChecks.js'
import type * as servers from './resources/servers.js'
import type * as serverUpdates from './resources/serverUpdates.js'
import type * as snapshots from './resources/snapshots.js'
import type * as sslKeys from './resources/sslKeys.js'
import type * as staticDnsEntries from './resources/staticDnsEntries.js'
import type * as statsSummaries from './resources/statsSummaries.js'
import type * as statuses from './resources/statuses.js'
import type * as steeringTargets from './resources/steeringTargets.js'
import type * as tenants from './resources/tenants.js'
import type * as types from './resources/types.js'
import type * as uriSigningKeys from './resources/uriSigningKeys.js'
import type * as urlSigKeys from './resources/urlSigKeys.js'
import type * as users from './resources/users.js'

/** Every kind with the type of its records, derived from the declarations. */
export interface Records {
  activeSnapshots: RecordOf<typeof activeSnapshots.fields>
  apiCapabilities: RecordOf<typeof apiCapabilities.fields>
  apiTokens: RecordOf<typeof apiTokens.fields>
  asns: RecordOf<typeof asns.fields>
  cachegroupFallbacks: RecordOf<typeof cachegroupFallbacks.fields>
  cachegroupParameters: RecordOf<typeof cachegroupParameters.fields>
  cachegroups: RecordOf<typeof cachegroups.fields>
  capabilities: RecordOf<typeof capabilities.fields>
  cdns: RecordOf<typeof cdns.fields>
  coordinates: RecordOf<typeof coordinates.fields>
  deliveryServiceRegexes: RecordOf<typeof deliveryServiceRegexes.fields>
  deliveryServiceServers: RecordOf<typeof deliveryServiceServers.fields>
  deliveryServiceUsers: RecordOf<typeof deliveryServiceUsers.fields>
  deliveryServices: RecordOf<typeof deliveryServices.fields>
  divisions: RecordOf<typeof divisions.fields>
  dnssecKeys: RecordOf<typeof dnssecKeys.fields>
  endedSessions: RecordOf<typeof endedSessions.fields>
  extensions: RecordOf<typeof extensions.fields>
  federationResolvers: RecordOf<typeof federationResolvers.fields>
  federations: RecordOf<typeof federations.fields>
  hwinfo: RecordOf<typeof hwinfo.fields>
  jobs: RecordOf<typeof jobs.fields>
  origins: RecordOf<typeof origins.fields>
  parameters: RecordOf<typeof parameters.fields>
  physLocations: RecordOf<typeof physLocations.fields>
  profiles: RecordOf<typeof profiles.fields>
  regions: RecordOf<typeof regions.fields>
  roles: RecordOf<typeof roles.fields>
  serverChecks: RecordOf<typeof serverChecks.fields>
  serverUpdates: RecordOf<typeof serverUpdates.fields>
  servers: RecordOf<typeof servers.fields>
  snapshots: RecordOf<typeof snapshots.fields>
  sslKeys: RecordOf<typeof sslKeys.fields>
  staticDnsEntries: RecordOf<typeof staticDnsEntries.fields>
  statsSummaries: RecordOf<typeof statsSummaries.fields>
  statuses: RecordOf<typeof statuses.fields>
  steeringTargets: RecordOf<typeof steeringTargets.fields>
  tenants: RecordOf<typeof tenants.fields>
  types: RecordOf<typeof types.fields>
  uriSigningKeys: RecordOf<typeof uriSigningKeys.fields>
  urlSigKeys: RecordOf<typeof urlSigKeys.fields>
  users: RecordOf<typeof users.fields>
}

/** What compiles read must be there, in the right type: `never` unless a record does not fit the model. */
type Unfit = { [K in keyof Model & keyof Records]: Records[K] extends Model[K] ? never : K }[keyof Model &
  keyof Records]
const fits: Unfit extends never ? true : Unfit = true
void fits
