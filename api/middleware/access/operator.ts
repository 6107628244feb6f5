import { system } from '../../schema/privileges.js'
import type { Authenticator } from './authenticate.js'
import type { Credentials } from './credentials.js'
import { credentialsOf } from './credentials.js'

/** The command line on a store that it holds itself: above all roles, whatever the records say. */
const operators: Credentials = { ...credentialsOf(system, null), unnamed: system }

/**
 * Also knows the process that asks itself, by a token that it made when it began and told nobody.
 *
 * @param token `null`: nobody asks so, as in every process that listens
 */
export function withOperator(authenticate: Authenticator, token: string | null): Authenticator {
  if (token === null) return authenticate
  const shown = `Bearer ${token}`
  return (headers) => (headers.authorization === shown ? operators : authenticate(headers))
}
