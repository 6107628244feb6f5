import { linkRoutes } from '../../routes/federations/federationLinkRoutes.js'
import { mappingRoutes } from '../../routes/federations/federationMappingRoutes.js'
import { federationRoutes } from '../../routes/federations/federationRoutes.js'
import { integer, optional, refs, text } from '../../schema/fields.js'
import { rootTenant } from '../../schema/privileges.js'
import { defineResource } from '../defineKind.js'

export const fields = {
  /** A DNS name, with its final dot. */
  cname: text({
    max: 254,
    pattern: '^(?=.{2,254}$)([A-Za-z0-9_]([A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?\\.)+$',
  }),
  /** Seconds. */
  ttl: integer({ max: 2_147_483_647 }),
  description: optional(text({ max: 1024 })),
  deliveryServices: refs('deliveryServices', { as: ['xmlIds'], managed: true }),
  users: refs('users', { as: ['usernames'], managed: true }),
  resolvers: refs('federationResolvers', { as: ['ipAddresses'], managed: true }),
}

/** The name of another network that clients behind certain resolvers are sent to for a delivery service. */
export default defineResource({
  kind: 'federations',
  label: 'federation',
  key: null,
  fields,
  // Nobody can tell whose one will be that has no delivery services yet.
  about: ({ deliveryServices }, data) =>
    deliveryServices.length === 0
      ? [rootTenant(data)]
      : deliveryServices.map((id) => data.get('deliveryServices', id)?.tenantId ?? null),
  shown: { deliveryServices: null, xmlIds: null, users: null, usernames: null, resolvers: null, ipAddresses: null },
  present: { '1.1': shape, '1.3': shape },
  written: shape,
  routes: [...federationRoutes, ...linkRoutes, ...mappingRoutes],
})

interface Shown {
  readonly id: number
  readonly cname: string
  readonly ttl: number
  readonly description: string | null
  readonly lastUpdated: string
}

function shape({ id, cname, ttl, description, lastUpdated }: Shown) {
  return { id, cname, ttl, description, lastUpdated }
}
