import { defineKind } from '../defineKind.js'
import { moment, optional, ref, text, texts } from '../fields.js'

export const fields = {
  description: text(),
  userId: ref('users', { as: ['username'], onDelete: 'cascade', managed: true }),
  /** SHA-256 of the token, which itself is shown once and kept nowhere. */
  hash: text({ unique: true, hidden: true, managed: true }),
  /** Without any, `null` or empty, the token may do what its user may do. */
  scopes: optional(texts({ max: 50 })),
  /** When it stops working; never when absent. */
  expires: optional(moment()),
}

export default defineKind({
  kind: 'apiTokens',
  label: 'API token',
  key: null,
  fields,
})
