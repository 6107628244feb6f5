import { createHash } from 'node:crypto'
import type { Session } from '../../operations/logins/sessions.js'
import type { Caller } from '../../schema/privileges.js'
import { anonymous } from '../../schema/privileges.js'
import { authorityOf, unnamed } from './authority.js'

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

/** What the service goes by for a caller. */
export const credentialsOf = (caller: Caller, session: Session | null): Credentials => {
  const named = unnamed(caller)
  return { caller, unnamed: named, shared: authorityOf(named), personal: authorityOf(caller), session }
}

/** Whoever asks without credentials, where none are needed. */
export const nobody: Credentials = credentialsOf(anonymous, null)

/** The kinds whose records decide who a caller is: after a change of one, whoever is connected is looked at anew. */
export const credentialKinds: ReadonlySet<string> = new Set(['users', 'roles', 'tenants', 'apiTokens', 'endedSessions'])

/** API tokens are long and random, so a plain hash keeps them safe at rest. */
export const tokenHash = (token: string): string => createHash('sha256').update(token).digest('base64url')
