import { defineKind } from '../defineKind.js'
import { integer, optional, refs, text } from '../fields.js'

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

export default defineKind({
  kind: 'federations',
  label: 'federation',
  key: null,
  fields,
})
