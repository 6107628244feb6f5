import type { Model } from '../../compiler/data/model.js'
import type * as activeSnapshots from '../records/kinds/activeSnapshots.js'
import type * as apiCapabilities from '../records/kinds/apiCapabilities.js'
import type * as apiTokens from '../records/kinds/apiTokens.js'
import type * as asns from '../records/kinds/asns.js'
import type * as cachegroupFallbacks from '../records/kinds/cachegroupFallbacks.js'
import type * as cachegroupParameters from '../records/kinds/cachegroupParameters.js'
import type * as cachegroups from '../records/kinds/cachegroups.js'
import type * as capabilities from '../records/kinds/capabilities.js'
import type * as cdns from '../records/kinds/cdns.js'
import type * as coordinates from '../records/kinds/coordinates.js'
import type * as deliveryServiceRegexes from '../records/kinds/deliveryServiceRegexes.js'
import type * as deliveryServiceServers from '../records/kinds/deliveryServiceServers.js'
import type * as deliveryServices from '../records/kinds/deliveryServices.js'
import type * as deliveryServiceUsers from '../records/kinds/deliveryServiceUsers.js'
import type * as divisions from '../records/kinds/divisions.js'
import type * as dnssecKeys from '../records/kinds/dnssecKeys.js'
import type * as endedSessions from '../records/kinds/endedSessions.js'
import type * as extensions from '../records/kinds/extensions.js'
import type * as federationResolvers from '../records/kinds/federationResolvers.js'
import type * as federations from '../records/kinds/federations.js'
import type * as hwinfo from '../records/kinds/hwinfo.js'
import type * as jobs from '../records/kinds/jobs.js'
import type * as origins from '../records/kinds/origins.js'
import type * as parameters from '../records/kinds/parameters.js'
import type * as physLocations from '../records/kinds/physLocations.js'
import type * as profiles from '../records/kinds/profiles.js'
import type * as regions from '../records/kinds/regions.js'
import type * as roles from '../records/kinds/roles.js'
import type * as serverChecks from '../records/kinds/serverChecks.js'
import type * as servers from '../records/kinds/servers.js'
import type * as serverUpdates from '../records/kinds/serverUpdates.js'
import type * as snapshots from '../records/kinds/snapshots.js'
import type * as sslKeys from '../records/kinds/sslKeys.js'
import type * as staticDnsEntries from '../records/kinds/staticDnsEntries.js'
import type * as statsSummaries from '../records/kinds/statsSummaries.js'
import type * as statuses from '../records/kinds/statuses.js'
import type * as steeringTargets from '../records/kinds/steeringTargets.js'
import type * as tenants from '../records/kinds/tenants.js'
import type * as types from '../records/kinds/types.js'
import type * as uriSigningKeys from '../records/kinds/uriSigningKeys.js'
import type * as urlSigKeys from '../records/kinds/urlSigKeys.js'
import type * as users from '../records/kinds/users.js'
import type { RecordOf } from './fields.js'

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
