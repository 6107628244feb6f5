import type { Session } from '../../operations/logins/sessions.js'
import { sessionCookie } from '../../operations/logins/sessions.js'
import type { Services } from '../../operations/services.js'
import type { Reply } from '../answerBody.js'

/**
 * Sliding sessions, and the revision the user wrote last, so that another instance answers no older. A renewed cookie is
 * for the same session: what ended it meanwhile, a logout or another password, has ended this one, too.
 */
export function withRenewal(
  reply: Reply,
  session: Session | null,
  { sessions, workingSet, settings, now }: Services,
): Reply {
  if (!session || 'set-cookie' in reply.headers) return reply
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
