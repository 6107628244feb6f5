import type { Session } from '../../operations/logins/sessions.js'
import { passwordFingerprint } from '../../operations/logins/sessions.js'
import type { Data } from '../../schema/data.js'

/**
 * What a decision comes to, and the stamp of the password its session has then: a new one that it gives its own user ends
 * their other sessions, and this one goes on with it.
 */
export function* stamped<T>(
  session: Session | null,
  data: Data,
  decide: Generator<void, T>,
): Generator<void, { value: T; stamp?: string }> {
  const value = yield* decide
  return session ? { value, stamp: stampIn(session, data) } : { value }
}

/** What ties a session to the password its user has now. */
export const stampIn = ({ userId }: Session, data: Data): string =>
  passwordFingerprint(data.get('users', userId)?.passwordHash ?? null)
