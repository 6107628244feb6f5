import type { WorkingSet } from '../../../compiler/data/workingSet.js'
import type { Settings } from '../../config/settings.js'
import type { Session, Sessions } from '../../operations/logins/sessions.js'
import { sessionCookie } from '../../operations/logins/sessions.js'
import type { HttpResponse } from '../answerBody.js'
import type { Middleware } from '../state.js'

interface Renewing {
  readonly sessions: Sessions
  readonly workingSet: WorkingSet
  readonly settings: Pick<Settings, 'secureCookies'>
  readonly now: () => Date
}

/** Gives a session a new cookie when it is due, or wrote something. */
export function renewal(renewing: Renewing): Middleware {
  return async (ctx, next) => {
    await next()
    const { response: reply, credentials } = ctx.state
    if (reply && credentials?.session) ctx.state.response = withRenewal(reply, credentials.session, renewing)
  }
}

/**
 * Sliding sessions, and the revision the user wrote last, so that another instance answers no older. A renewed cookie is
 * for the same session: what ended it meanwhile, a logout or another password, has ended this one, too.
 */
function withRenewal(
  reply: HttpResponse,
  session: Session,
  { sessions, workingSet, settings, now }: Renewing,
): HttpResponse {
  if ('set-cookie' in reply.headers) return reply
  const wrote = reply.headers['x-edgewright-revision'] !== undefined && !('etag' in reply.headers)
  if (!wrote && !sessions.isDue(session)) return reply
  const renewed = sessions.renewed(session, {
    ...(wrote ? { revision: Math.max(session.revision, workingSet.revision) } : {}),
    ...(reply.stamp === undefined ? {} : { stamp: reply.stamp }),
  })
  const cookie = sessionCookie(sessions.sign(renewed), {
    now: now(),
    milliseconds: renewed.expires - now().getTime(),
    secure: settings.secureCookies,
  })
  return { ...reply, headers: { ...reply.headers, 'set-cookie': cookie } }
}
