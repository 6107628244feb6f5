import type { IncomingHttpHeaders } from 'node:http'
import type { WorkingSet } from '../../../compiler/data/workingSet.js'
import type { Committer } from '../../journal/commit.js'
import type { Sessions } from '../../operations/logins/sessions.js'
import { cookieFrom } from '../../operations/logins/sessions.js'
import type { Middleware } from '../state.js'
import type { Authenticator } from './authenticate.js'
import type { Credentials } from './credentials.js'

interface Given {
  readonly authenticate: Authenticator
  readonly committer: Pick<Committer, 'catchUp'>
  readonly sessions: Pick<Sessions, 'verify'>
  readonly workingSet: WorkingSet
}

/** Finds out who asks. A session is never answered older data than it wrote, whichever instance it comes to. */
export function session(given: Given): Middleware {
  const { authenticate, committer, workingSet } = given
  return async (ctx, next) => {
    let credentials = authenticate(ctx.headers)
    const needed = neededRevision(credentials, ctx.headers, given)
    if (needed > workingSet.revision) {
      await committer.catchUp(needed)
      // Among what came in may be what makes or ends the session.
      credentials = authenticate(ctx.headers)
    }
    ctx.state.credentials = credentials
    await next()
  }
}

/**
 * The revision without which a request cannot be answered. Of a session that is not valid here that is where it began, or
 * what it wrote: its user, or their new password, may only have been written at the instance that signed it.
 */
function neededRevision(credentials: Credentials | null, headers: IncomingHttpHeaders, { sessions }: Given): number {
  if (credentials) return credentials.session?.revision ?? 0
  const value = headers.authorization?.startsWith('Bearer ') ? null : cookieFrom(headers.cookie)
  const signed = value === null ? null : sessions.verify(value)
  return signed ? Math.max(signed.revision, signed.begun) : 0
}
