import { defineKind } from '../defineKind.js'
import { moment, optional, ref, text, texts } from '../fields.js'

export const fields = {
  description: text(),
  userId: ref('users', { nameAliases: ['username'], onDelete: 'cascade', readOnly: true }),
  hash: text({
    unique: true,
    hidden: true,
    readOnly: true,
    description: 'SHA-256 of the token, which itself is shown once and kept nowhere.',
  }),
  scopes: optional(
    texts({ max: 50, description: 'Without any, `null` or empty, the token may do what its user may do.' }),
  ),
  expires: optional(moment({ description: 'When it stops working; never when absent.' })),
}

export default defineKind({
  kind: 'apiTokens',
  description: 'A token by which a program calls the interface in the name of its user.',
  label: 'API token',
  key: null,
  fields,
})
