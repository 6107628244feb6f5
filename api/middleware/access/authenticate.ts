import { LRUCache } from 'lru-cache'
import { recorder } from '../../../compiler/core/readSet.js'
import type { WorkingSet } from '../../../compiler/data/workingSet.js'
import type { Sessions } from '../../operations/logins/sessions.js'
import { cookieFrom, passwordFingerprint } from '../../operations/logins/sessions.js'
import { callerOf, expiryOf } from '../../schema/callers.js'
import type { Data } from '../../schema/data.js'
import { findOne } from '../../schema/data.js'
import type { Credentials } from './credentials.js'
import { credentialsOf, tokenHash } from './credentials.js'

interface Known extends Credentials {
  readonly dependencies: Uint32Array
  readonly expires: number
  validAt: number
}

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
  /** How many credentials are remembered; room for all of them is taken from the start. */
  most?: number
}): Authenticator {
  const { workingSet, sessions, keyOf, now, most = 10_000 } = given
  const remembered = new LRUCache<string, Known>({ max: most })

  const look = (credential: string): Known | null => {
    const { data, dependencies } = recorder<Data>(workingSet, { grain: 'full' })
    const reading = Object.assign(data, { keyOf })
    const found = credential.startsWith('token ')
      ? byToken(reading, credential.slice(6))
      : bySession(reading, credential)
    if (!found) return null
    const { caller, session, expires } = found
    return { ...credentialsOf(caller, session), expires, dependencies: dependencies(), validAt: workingSet.revision }
  }

  const bySession = (data: Data, value: string) => {
    const session = sessions.verify(value)
    const user = session && data.get('users', session.userId)
    if (!user || passwordFingerprint(user.passwordHash) !== session.stamp) return null
    if (data.has('endedSessions', 'session', session.id)) return null
    const caller = callerOf(data, user.id, null)
    return caller && { caller, session, expires: session.expires }
  }

  const byToken = (data: Data, text: string) => {
    const token = findOne(data, 'apiTokens', 'hash', tokenHash(text))
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
      if (workingSet.unmoved(known.dependencies, known.validAt)) known.validAt = workingSet.revision
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
