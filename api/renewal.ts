import type { Reply } from './answerBody.js'
import type { Committer, Steps } from './commit.js'
import type { Data } from './data.js'
import { unauthorized } from './errors.js'
import type { Services } from './services.js'
import { type Session, sessionCookie, stampOf } from './sessions.js'

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

/**
 * Decides a write of a session: not once it was ended, or its password is no more the user's. A new password that the write
 * itself gives its own user ends their other sessions, and this one goes on with it (`stamp`).
 */
export function* ofSession<T>(
  session: Session | null,
  data: Data,
  decide: Generator<void, T>,
): Generator<void, { value: T; stamp?: string }> {
  if (!session) return { value: yield* decide }
  mustGoOn(session, data)
  const value = yield* decide
  return { value, stamp: stampIn(session, data) }
}

/** The committer for a handler that waits between what it is asked and what it writes: the session must go on, too. */
export function committerOf(session: Session | null, committer: Committer): Committer {
  if (!session) return committer
  const checked = <T>(steps: Steps<T>): Steps<T> =>
    function* (plan) {
      mustGoOn(session, plan.data)
      return yield* steps(plan)
    }
  return {
    ...committer,
    write: (who, decide) =>
      committer.write(who, (plan) => {
        mustGoOn(session, plan.data)
        return decide(plan)
      }),
    writeInSteps: (who, steps) => committer.writeInSteps(who, checked(steps)),
    writeFew: (who, steps) => committer.writeFew(who, checked(steps)),
  }
}

const stampIn = ({ userId }: Session, data: Data): string => stampOf(data.get('users', userId)?.passwordHash ?? null)

function mustGoOn(session: Session, data: Data): void {
  if (stampIn(session, data) !== session.stamp || data.has('endedSessions', 'session', session.id)) throw unauthorized()
}
