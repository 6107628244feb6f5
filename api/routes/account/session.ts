import { Type } from '@sinclair/typebox'
import { badRequest, unauthorized } from '../../config/errors.js'
import { verifyPassword } from '../../config/passwords.js'
import type { Transaction } from '../../journal/transaction.js'
import { isDryRun } from '../../operations/dryRun.js'
import type { Body, Endpoint, RequestInput, Result } from '../../operations/endpoint.js'
import type { Session } from '../../operations/logins/sessions.js'
import { cookieFrom, sessionCookie, sessionMilliseconds } from '../../operations/logins/sessions.js'
import type { Parts } from '../../operations/parts.js'
import { saysNothing } from '../../records/nothing.js'
import { callerOf } from '../../schema/callers.js'
import { findOne } from '../../schema/data.js'
import { success } from '../crud/routes.js'

type Uses = Pick<Parts, 'data' | 'logins' | 'now' | 'provenPasswords' | 'sessions' | 'settings' | 'workingSet'>

const credentials: Body<{ readonly u: string; readonly p: string }> = {
  schema: Type.Object({
    u: Type.Optional(Type.String({ minLength: 1, description: 'The user name. Required, or username instead.' })),
    p: Type.Optional(Type.String({ minLength: 1, description: 'The password. Required, or password instead.' })),
    username: Type.Optional(Type.String({ minLength: 1, description: 'Instead of u.' })),
    password: Type.Optional(Type.String({ minLength: 1, description: 'Instead of p.' })),
  }),
  read: (given) => {
    const { u, p, username, password } = (given ?? {}) as Readonly<Record<string, unknown>>
    const [name, secret] = [saysNothing(u) ? username : u, saysNothing(p) ? password : p]
    if (typeof name !== 'string' || typeof secret !== 'string' || name === '' || secret === '') {
      throw badRequest('username and password are required, as u and p or by these names')
    }
    return { u: name, p: secret }
  },
}

const login = (uses: Uses) =>
  ({
    method: 'POST',
    path: '/user/login',
    role: 'none',
    reach: 'shared',
    summary: 'Log in with user name and password; the answer sets the session cookie',
    body: credentials,
    live: async ({ body, address, requestId }) => {
      const { u, p } = credentials.read(body)
      const found = await uses.logins.attemptHash(
        { kind: 'password', name: u, secret: p, address, requestId },
        () => provenUser(u, p, uses),
        () => verifiedUser(u, p, uses),
      )
      if (!found) throw unauthorized('Invalid username or password.')
      return loggedIn(uses, found.userId, found.hash)
    },
  }) satisfies Endpoint

/** Cache agents of release 2.2 send a form, and to this address. */
const formLogin = (uses: Uses): Endpoint => ({
  ...login(uses),
  path: '/login',
  unversioned: true,
  summary: 'The same for cache agents of release 2.2, which send a form',
  form: true,
})

interface Verified {
  readonly userId: number
  readonly hash: string
}

/** Who may log in as `name` with this password, when it was verified before. */
function provenUser(name: string, password: string, { data, provenPasswords }: Uses): Verified | null {
  const user = findOne(data, 'users', 'username', name)
  const hash = user?.passwordHash ?? null
  if (!user || hash === null || !callerOf(data, user.id, null)) return null
  return provenPasswords.has(password, hash) ? { userId: user.id, hash } : null
}

async function verifiedUser(name: string, password: string, services: Uses): Promise<Verified | null> {
  const { data, provenPasswords } = services
  const user = findOne(data, 'users', 'username', name)
  const hash = user?.passwordHash ?? null
  const isRight = await verifyPassword(password, hash)
  if (!isRight || !user || hash === null || !callerOf(data, user.id, null)) return null
  provenPasswords.add(password, hash)
  return { userId: user.id, hash }
}

const logout = (uses: Uses): Endpoint => ({
  method: 'POST',
  path: '/user/logout',
  role: 'any',
  reach: 'own',
  summary: 'End the session of this client, for whoever has its cookie',
  body: 'none',
  live: async (input, { committer }) => {
    if (isDryRun(input)) throw badRequest('There is no dry run of a logout.')
    const { settings, now } = uses
    const session = sessionOf(input, uses)
    if (session) {
      await committer.write(input, (transaction) => endSession(session, transaction))
    }
    return {
      alerts: [success('You are logged out.')],
      headers: { 'set-cookie': sessionCookie('', { now: now(), milliseconds: 0, secure: settings.secureCookies }) },
    }
  },
})

/** The session that was shown; none with an API token, which is revoked instead. */
function sessionOf({ headers }: RequestInput, { sessions }: Uses): Session | null {
  return headers.authorization?.startsWith('Bearer ') ? null : sessions.verify(cookieFrom(headers.cookie) ?? '')
}

/** Clocks of instances differ by less. */
const slack = 3600 * 1000
const removedAtOnce = 100

/** Keeps the session's name for as long as a cookie with it can be about, and lets go of those that have run out. */
function endSession({ id }: Session, transaction: Transaction): void {
  const old = transaction.data.all('endedSessions').slice(0, removedAtOnce)
  for (const { id: ended, until } of old) if (until < transaction.time) transaction.remove('endedSessions', ended)
  if (transaction.data.has('endedSessions', 'session', id)) return
  const until = new Date(Date.parse(transaction.time) + sessionMilliseconds + slack).toISOString()
  transaction.create('endedSessions', { session: id, until })
  transaction.log(`User ${transaction.user.username} logged out`, 'OPER')
}

/** A session for a user, as the answer of every way to log in. The alert's text is what the field's clients look for. */
export function loggedIn(
  { sessions, settings, now, workingSet }: Pick<Uses, 'sessions' | 'settings' | 'now' | 'workingSet'>,
  userId: number,
  passwordHash: string | null,
): Result {
  const session = sessions.begin(userId, passwordHash, workingSet.revision)
  const until = { now: now(), milliseconds: sessionMilliseconds, secure: settings.secureCookies }
  return {
    alerts: [success('Successfully logged in.')],
    headers: { 'set-cookie': sessionCookie(sessions.sign(session), until) },
  }
}

export const sessionEndpoints = (uses: Uses): readonly Endpoint[] => [login(uses), formLogin(uses), logout(uses)]
