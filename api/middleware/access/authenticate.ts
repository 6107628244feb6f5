import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { recorder } from '../../../compiler/core/readSet.js'
import type { WorkingSet } from '../../../compiler/data/workingSet.js'
import { forbidden, unauthorized } from '../../config/errors.js'
import { type Data, one } from '../../schema/data.js'
import { anonymous, type Caller } from '../../schema/privileges.js'
import { authorityOf, unnamed } from './authority.js'
import { canonicalScopes } from './scopes.js'
import { cookieFrom, type Session, type Sessions, stampOf } from './sessions.js'

/** Who a request comes from, and what its credentials say beside that. */
export interface Credentials {
  readonly caller: Caller
  /** The caller as answers know them that are kept for all who have the same rights, and the name of those rights. */
  readonly unnamed: Caller
  readonly shared: string
  /** The name of the whole caller, for answers that differ from user to user. */
  readonly personal: string
  readonly session: Session | null
}

interface Known extends Credentials {
  readonly cells: Uint32Array
  readonly expires: number
  validAt: number
}

const credentialsOf = (caller: Caller, session: Session | null): Credentials => {
  const named = unnamed(caller)
  return { caller, unnamed: named, shared: authorityOf(named), personal: authorityOf(caller), session }
}

/** Whoever asks without credentials, where none are needed. */
export const nobody: Credentials = credentialsOf(anonymous, null)

/** `null` without valid credentials. Remembered by the credentials' text until a record it rests on moves. */
export type Authenticator = (headers: {
  cookie?: string | undefined
  authorization?: string | undefined
}) => Credentials | null

export function createAuthenticator(given: {
  workingSet: WorkingSet
  sessions: Sessions
  keyOf: Data['keyOf']
  now: () => Date
}): Authenticator {
  const { workingSet, sessions, keyOf, now } = given
  const remembered = new LRUCache<string, Known>({ max: 10_000 })

  const look = (credential: string): Known | null => {
    const { data, cells } = recorder<Data>(workingSet, { grain: 'full' })
    const reading = Object.assign(data, { keyOf })
    const found = credential.startsWith('token ')
      ? byToken(reading, credential.slice(6))
      : bySession(reading, credential)
    if (!found) return null
    const { caller, session, expires } = found
    return { ...credentialsOf(caller, session), expires, cells: cells(), validAt: workingSet.revision }
  }

  const bySession = (data: Data, value: string) => {
    const session = sessions.verify(value)
    const user = session && data.get('users', session.userId)
    if (!user || stampOf(user.passwordHash) !== session.stamp) return null
    if (data.has('endedSessions', 'session', session.id)) return null
    const caller = callerOf(data, user.id, null)
    return caller && { caller, session, expires: session.expires }
  }

  const byToken = (data: Data, text: string) => {
    const token = one(data, 'apiTokens', 'hash', tokenHash(text))
    const caller = token && expiryOf(token) > now().getTime() ? callerOf(data, token.userId, token) : null
    return caller && { caller, session: null, expires: expiryOf(token!) }
  }

  return ({ cookie, authorization }) => {
    const bearer = authorization?.startsWith('Bearer ') ? `token ${authorization.slice(7).trim()}` : null
    const credential = bearer ?? cookieFrom(cookie)
    if (credential === null || (bearer === null && credential.startsWith('token ')) || credential.length > 2048)
      return null
    let known: Known | null | undefined = remembered.get(credential)
    if (known && known.validAt !== workingSet.revision) {
      if (workingSet.unmoved(known.cells, known.validAt)) known.validAt = workingSet.revision
      else known = undefined
    }
    if (!known) {
      known = look(credential)
      if (!known) return null
      remembered.set(credential, known)
    }
    return known.expires > now().getTime() ? known : null
  }
}

/** The kinds whose records decide who a caller is: after a change of one, whoever is connected is looked at anew. */
export const credentialKinds: ReadonlySet<string> = new Set(['users', 'roles', 'tenants', 'apiTokens', 'endedSessions'])

interface Token {
  readonly id: number
  readonly scopes: readonly string[] | null
}

/** When a token runs out, epoch milliseconds. */
const expiryOf = ({ expires }: { readonly expires: string | null }): number =>
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

/** API tokens are long and random, so a plain hash keeps them safe at rest. */
export const tokenHash = (token: string): string => createHash('sha256').update(token).digest('base64url')
