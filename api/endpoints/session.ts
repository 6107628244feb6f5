import { Type } from '@sinclair/typebox'
import { callerOf } from '../authenticate.js'
import { one } from '../data.js'
import type { Answer, Endpoint } from '../endpoint.js'
import { badRequest, unauthorized } from '../errors.js'
import { verifyPassword } from '../passwords.js'
import { success } from '../resource/routes.js'
import type { Services } from '../services.js'
import { sessionCookie, sessionMilliseconds, stampOf } from '../sessions.js'

const login: Endpoint = {
  method: 'POST',
  path: '/user/login',
  role: 'none',
  reach: 'shared',
  summary: 'Log in with user name `u` and password `p`; the answer sets the session cookie',
  lenientBody: 'json',
  bodyDocument: Type.Object({ u: Type.String(), p: Type.String() }),
  live: async ({ body, address, requestId }, services) => {
    const { u, p } = (body ?? {}) as { u?: unknown; p?: unknown }
    if (typeof u !== 'string' || typeof p !== 'string' || u === '' || p === '') {
      throw badRequest('username and password are required')
    }
    const found = await services.logins.attemptHash({ kind: 'password', name: u, address, requestId }, async () => {
      const user = one(services.data, 'users', 'username', u)
      const hash = user?.passwordHash ?? null
      const right = await verifyPassword(p, hash)
      return right && user && callerOf(services.data, user.id, null) ? { userId: user.id, hash } : null
    })
    if (!found) throw unauthorized('Invalid username or password.')
    return loggedIn(services, found.userId, found.hash)
  },
}

const logout: Endpoint = {
  method: 'POST',
  path: '/user/logout',
  role: 'any',
  reach: 'own',
  summary: 'End the session of this client',
  lenientBody: 'json',
  live: async (_asked, { settings, now }) => ({
    alerts: [success('You are logged out.')],
    headers: { 'set-cookie': sessionCookie('', { now: now(), milliseconds: 0, secure: settings.secureCookies }) },
  }),
}

/** A session for a user, as the answer of every way to log in. The alert's text is what the field's clients look for. */
export function loggedIn(
  { sessions, settings, now, workingSet }: Services,
  userId: number,
  passwordHash: string | null,
): Answer {
  const expires = now().getTime() + sessionMilliseconds
  const value = sessions.sign({
    userId,
    expires,
    stamp: stampOf(passwordHash),
    revision: 0,
    begun: workingSet.revision,
  })
  return {
    alerts: [success('Successfully logged in.')],
    headers: {
      'set-cookie': sessionCookie(value, {
        now: now(),
        milliseconds: sessionMilliseconds,
        secure: settings.secureCookies,
      }),
    },
  }
}

export const sessionEndpoints: readonly Endpoint[] = [login, logout]
