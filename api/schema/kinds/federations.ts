import { defineKind } from '../defineKind.js'
import { integer, optional, refs, text } from '../fields.js'

export const fields = {
  cname: text({
    max: 254,
    pattern: '^([A-Za-z0-9_]([A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?\\.)+$',
    form: 'a DNS name with its final dot, such as www.example.net.',
    description: 'A DNS name, with its final dot.',
  }),
  ttl: integer({ max: 2_147_483_647, description: 'Seconds.' }),
  description: optional(text({ max: 1024 })),
  deliveryServices: refs('deliveryServices', { nameAliases: ['xmlIds'], readOnly: true }),
  users: refs('users', { nameAliases: ['usernames'], readOnly: true }),
  resolvers: refs('federationResolvers', { nameAliases: ['ipAddresses'], readOnly: true }),
}

export default defineKind({
  kind: 'federations',
  description: 'Where the clients of some resolvers are sent instead: to the name of another network.',
  label: 'federation',
  key: null,
  fields,
})
