import { forbidden, unauthorized } from '../config/errors.js'
import type { Data } from './data.js'
import type { Caller } from './privileges.js'
import { canonicalScopes } from './scopes.js'

interface Token {
  readonly id: number
  readonly scopes: readonly string[] | null
}

/** When a token runs out, epoch milliseconds. */
export const expiryOf = ({ expires }: { readonly expires: string | null }): number =>
  expires ? Date.parse(expires) : Number.POSITIVE_INFINITY

/** A user as a caller, with the token that was shown; `null` when there is none or the role may not log in. */
export function callerOf(data: Data, userId: number, token: Token | null): Caller | null {
  const user = data.get('users', userId)
  const role = user && data.get('roles', user.role)
  const tenant = user && data.get('tenants', user.tenantId)
  if (!user || !role || role.privLevel <= 0 || !tenant?.active) return null
  return {
    id: user.id,
    username: user.username,
    privLevel: role.privLevel,
    roleName: role.name,
    tenantId: user.tenantId,
    ofRoot: tenant.parentId === null,
    tokenId: token?.id ?? null,
    scopes: token && canonicalScopes(token.scopes),
  }
}

/**
 * Refuses a decision for a caller who has lost the right to it since it was asked for: it waited for others, or was begun
 * anew on what another instance wrote, and they may have taken the role, the tenant or the token away, or it has run out.
 *
 * @param time the clock's, not the entry's: that goes on from the journal's latest, which may be of a clock ahead
 */
export function mustStillBe(caller: Caller, data: Data, time: Date): void {
  if (caller.id === 0) return
  const token = caller.tokenId === null ? null : data.get('apiTokens', caller.tokenId)
  const isGood = token === null || (token !== undefined && expiryOf(token) > time.getTime())
  const now = isGood ? callerOf(data, caller.id, token) : null
  if (!now) throw unauthorized()
  // They may be called otherwise by now.
  const rights = ({ privLevel, roleName, tenantId, ofRoot, scopes }: Caller) =>
    JSON.stringify([privLevel, roleName, tenantId, ofRoot, scopes])
  if (rights(now) !== rights(caller)) throw forbidden('Forbidden. The rights of the user were changed meanwhile.')
}
