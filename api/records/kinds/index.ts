import type { RecordKind } from '../../journal/recordKind.js'
import type { Kind } from '../../schema/data.js'
import type { KindShape } from '../../schema/defineKind.js'
import { shapes } from '../../schema/kinds/index.js'
import type { KindBehaviour } from '../defineBehaviour.js'
import apiCapabilities from './apiCapabilities.js'
import apiTokens from './apiTokens.js'
import cachegroupFallbacks from './cachegroupFallbacks.js'
import cachegroups from './cachegroups.js'
import cdns from './cdns.js'
import deliveryServiceRegexes from './deliveryServiceRegexes.js'
import deliveryServiceServers from './deliveryServiceServers.js'
import deliveryServices from './deliveryServices.js'
import endedSessions from './endedSessions.js'
import extensions from './extensions.js'
import federationResolvers from './federationResolvers.js'
import federations from './federations.js'
import jobs from './jobs.js'
import origins from './origins.js'
import parameters from './parameters.js'
import profiles from './profiles.js'
import roles from './roles.js'
import servers from './servers.js'
import staticDnsEntries from './staticDnsEntries.js'
import statsSummaries from './statsSummaries.js'
import steeringTargets from './steeringTargets.js'
import tenants from './tenants.js'
import types from './types.js'
import users from './users.js'

/** What holds for records when they are written, for the kinds that have rules of their own. */
const behaviours: readonly KindBehaviour[] = [
  apiCapabilities,
  apiTokens,
  cachegroupFallbacks,
  cachegroups,
  cdns,
  deliveryServiceRegexes,
  deliveryServiceServers,
  deliveryServices,
  endedSessions,
  extensions,
  federationResolvers,
  federations,
  jobs,
  origins,
  parameters,
  profiles,
  roles,
  servers,
  staticDnsEntries,
  statsSummaries,
  steeringTargets,
  tenants,
  types,
  users,
]

/** Every record kind: what its records are, and what holds when they are written. */
export const recordKinds: readonly RecordKind[] = Object.values(shapes).map((shape) => ({
  // Each with the types of its own fields forgotten.
  ...(shape as unknown as KindShape),
  ...behaviours.find(({ kind }) => kind === shape.kind),
}))

const byKind = new Map(recordKinds.map((kind) => [kind.kind, kind]))

/** @throws Error for a kind that nobody declared */
export function kindOf<K extends Kind>(kind: K): RecordKind & { readonly kind: K } {
  const found = byKind.get(kind) as (RecordKind & { readonly kind: K }) | undefined
  if (!found) throw new Error(`no record kind is called '${kind}': it wants a line in api/schema/kinds/index.ts`)
  return found
}
