import { unauthorized } from '../../config/errors.js'
import type { Committer } from '../../journal/commit.js'
import type { Steps } from '../../journal/transaction.js'
import type { Session } from '../../operations/logins/sessions.js'
import { mustStillBe } from '../../schema/callers.js'
import type { Data } from '../../schema/data.js'
import type { Caller } from '../../schema/privileges.js'
import { stampIn } from './stamp.js'

/**
 * What lets a caller do what they asked for. Between asking and deciding they may have waited: for others who write, for
 * a turn, for a body, for keys to be made. Whoever may not any more when it is decided is refused, and nothing is done.
 */
export interface Standing {
  /** Throws 401 or 403 once the caller would not be let in any more, on data that is now or about to be. */
  mustHold(data: Data): void
}

/** @param mustBeAllowed throws when the caller lacks a right to the route, by role, tenant or scopes */
export function standingOf(
  caller: Caller,
  session: Session | null,
  { now, mustBeAllowed }: { now: () => Date; mustBeAllowed: (data: Data) => void },
): Standing {
  return {
    mustHold: (data) => {
      const time = now()
      mustStillBe(caller, data, time)
      if (session) mustGoOn(session, data, time)
      mustBeAllowed(data)
    },
  }
}

/**
 * The committer for one request: all that it decides or tries is decided for a caller who has the right to it then. What
 * is only tried is looked at once more when it is done, for it is shown after many turns of others.
 */
export function committerFor({ mustHold }: Standing, committer: Committer, data: Data): Committer {
  const held = <T>(steps: Steps<T>): Steps<T> =>
    function* (transaction) {
      mustHold(transaction.data)
      return yield* steps(transaction)
    }
  const shown = <T>(tried: T): T => {
    mustHold(data)
    return tried
  }
  return {
    ...committer,
    write: (who, decide) =>
      committer.write(who, (transaction) => {
        mustHold(transaction.data)
        return decide(transaction)
      }),
    writeInSteps: (who, steps) => committer.writeInSteps(who, held(steps)),
    writeFew: (who, steps) => committer.writeFew(who, held(steps)),
    rehearseInSteps: async (user, steps, gone) => shown(await committer.rehearseInSteps(user, held(steps), gone)),
    rehearseFew: async (user, steps, gone) => shown(await committer.rehearseFew(user, held(steps), gone)),
    rehearse: (user, decide) =>
      committer.rehearse(user, (transaction) => {
        mustHold(transaction.data)
        return decide(transaction)
      }),
  }
}

function mustGoOn(session: Session, data: Data, time: Date): void {
  const isOver = session.expires <= time.getTime() || data.has('endedSessions', 'session', session.id)
  if (isOver || stampIn(session, data) !== session.stamp) throw unauthorized()
}
