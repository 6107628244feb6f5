import { randomBytes } from 'node:crypto'
import { Type } from '@sinclair/typebox'
import { forbidden, noSuch } from '../../config/errors.js'
import { zonedTime } from '../../config/times.js'
import type { Transaction } from '../../journal/transaction.js'
import { tokenHash } from '../../middleware/access/credentials.js'
import { recordBody, refused } from '../../operations/bodies.js'
import type { RequestInput, Result } from '../../operations/endpoint.js'
import { kindOf } from '../../records/kinds/index.js'
import { asId } from '../../schema/data.js'
import type { Row } from '../../schema/defineKind.js'
import { isRootAdmin } from '../../schema/privileges.js'
import { canonicalScopes, scopeNames } from '../../schema/scopes.js'
import { defineResource } from '../crud/resource.js'
import { success } from '../crud/routes.js'

/** API tokens of the caller, for `Authorization: Bearer`; administrators of the root tenant see and revoke everybody's. */
const tokenShown = Type.Object({
  id: Type.Integer(),
  description: Type.String(),
  userId: Type.Integer(),
  username: Type.Union([Type.String(), Type.Null()]),
  scopes: Type.Union([Type.Array(Type.String()), Type.Null()]),
  expires: Type.Union([Type.String(), Type.Null()]),
  lastUpdated: Type.String(),
})

const shape = ({ id, description, userId, scopes, expires, lastUpdated }: Row, username: string | undefined) => ({
  id,
  description,
  userId,
  username: username ?? null,
  scopes: canonicalScopes(scopes as readonly string[] | null),
  expires: expires === null ? null : zonedTime(expires as string),
  lastUpdated: zonedTime(lastUpdated),
})

const described = recordBody(kindOf('apiTokens'), 'create')

export default defineResource('apiTokens', {
  routes: [
    () => ({
      method: 'GET',
      path: '/tokens',
      role: 'any',
      reach: 'own',
      summary: 'The API tokens of the caller; of everybody for administrators of the root tenant',
      varies: 'caller',
      response: Type.Array(tokenShown),
      read: ({ user }, data) => ({
        response: data
          .all('apiTokens')
          .filter(({ userId }) => userId === user.id || isRootAdmin(user))
          .map((token) => shape(token as Row, data.get('users', token.userId)?.username)),
      }),
    }),
    () => ({
      method: 'POST',
      path: '/tokens',
      role: 'any',
      reach: 'own',
      summary: `Make an API token; the answer is the only place it is ever shown. Scopes: ${scopeNames}; without any it may do what its user may do`,
      body: described,
      response: tokenShown,
      write: (input, transaction) => create(input, transaction),
    }),
    () => ({
      method: 'DELETE',
      path: '/tokens/:id',
      role: 'any',
      reach: 'own',
      summary: 'Revoke an API token',
      body: 'none',
      write: ({ params, user }, transaction) => {
        const token = transaction.data.get('apiTokens', asId(params.id))
        if (!token || (token.userId !== user.id && !isRootAdmin(user))) throw noSuch('API token', params.id ?? '')
        transaction.remove('apiTokens', token.id)
        transaction.log(`Revoked API token ${token.id} (${token.description})`)
        return { alerts: [success('API token was revoked.')] }
      },
    }),
  ],
})

function create({ body, user }: RequestInput, transaction: Transaction): Result {
  const values = described.fields(described.read(body), transaction.data)
  mustNotOutlive(transaction.data.get('apiTokens', user.tokenId), values.expires)
  const token = `ew_${randomBytes(32).toString('base64url')}`
  const made = transaction.tryCreate('apiTokens', {
    ...values,
    scopes: canonicalScopes(values.scopes ?? null),
    userId: user.id,
    hash: tokenHash(token),
  })
  if (!made.row) throw refused(kindOf('apiTokens'), body, made.faults)
  transaction.log(`Created API token ${made.row.id} (${made.row.description})`)
  return {
    response: { ...shape(made.row, user.username), token },
    alerts: [success('API token was created. It is not shown again.')],
  }
}

/** Only a token without scopes comes here, so what it makes has no more rights; it must not have them for longer either. */
function mustNotOutlive(maker: { expires: string | null } | undefined, expires?: string | null): void {
  if (!maker?.expires) return
  if (expires && Date.parse(expires) <= Date.parse(maker.expires)) return
  throw forbidden(`Forbidden. A token that an API token makes must expire with it, by ${zonedTime(maker.expires)}.`)
}
