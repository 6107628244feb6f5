import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

/** What a session cookie says. */
export interface Session {
  /** Names the login; all renewals of its cookie have it, so that ending one ends all. */
  readonly id: string
  readonly userId: number
  /** When the user logged in, and when the cookie runs out unless it is renewed; epoch milliseconds. */
  readonly since: number
  readonly expires: number
  /** Changes with the user's password, so that a change ends every session. */
  readonly stamp: string
  /** The last revision this user wrote: an instance that is behind catches up before it answers. */
  readonly revision: number
  /** The revision that was current at the login: whatever the session fetched is no older. */
  readonly begun: number
}

/** The field's clients look for this name. */
export const cookieName = 'mojolicious'
/** How long a cookie is good for; one that is used in its second half is renewed. */
export const sessionMilliseconds = 6 * 3600 * 1000
/** How long renewals go on after the login. Machines log in again by themselves when their cookie runs out. */
export const longestMilliseconds = 24 * 3600 * 1000

export interface Sessions {
  /** A session that begins now, with the data at `revision`. */
  begin(userId: number, passwordHash: string | null, revision: number): Session
  /** The same session with a cookie for longer, but never beyond its end. */
  renewed(session: Session, changes: Partial<Pick<Session, 'stamp' | 'revision'>>): Session
  /** Whether the cookie is in the second half of its life and can still be renewed. */
  isDue(session: Session): boolean
  /** The cookie's value: base64url JSON, two hyphens, HMAC-SHA-256 in hex. */
  sign(session: Session): string
  /** `null` for anything this service did not sign, and for what has expired. */
  verify(value: string): Session | null
}

export function createSessions({ secret, now }: { secret: string; now: () => Date }): Sessions {
  const signature = (payload: string): string => createHmac('sha256', secret).update(payload).digest('hex')
  const expiryOf = (since: number): number =>
    Math.min(now().getTime() + sessionMilliseconds, since + longestMilliseconds)
  return {
    begin: (userId, passwordHash, revision) => {
      const since = now().getTime()
      const id = randomBytes(12).toString('base64url')
      return {
        id,
        userId,
        since,
        expires: expiryOf(since),
        stamp: passwordFingerprint(passwordHash),
        revision: 0,
        begun: revision,
      }
    },
    renewed: (session, changes) => ({ ...session, expires: expiryOf(session.since), ...changes }),
    isDue: ({ since, expires }) =>
      expires - now().getTime() < sessionMilliseconds / 2 && expires < since + longestMilliseconds,
    sign: ({ id, userId, since, expires, stamp, revision, begun }) => {
      const said = { i: id, u: userId, t: since, e: expires, s: stamp, r: revision, b: begun }
      const payload = Buffer.from(JSON.stringify(said)).toString('base64url')
      return `${payload}--${signature(payload)}`
    },
    verify: (value) => {
      const parts = /^([A-Za-z0-9_-]{1,512})--([0-9a-f]{64})$/.exec(value)
      if (!parts) return null
      const [, payload = '', given = ''] = parts
      if (!timingSafeEqual(Buffer.from(given), Buffer.from(signature(payload)))) return null
      const { i, u, t, e, s, r, b } = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Said
      // A cookie of before sessions had names: routers keep theirs until it runs out, whatever they are answered. All
      // that a user had then end together.
      const { id, since } =
        i === undefined ? { id: `before ${u} ${s}`, since: e - sessionMilliseconds } : { id: i, since: t ?? 0 }
      if (!(Math.min(e, since + longestMilliseconds) > now().getTime())) return null
      return { id, userId: u, since, expires: e, stamp: s, revision: r, begun: b }
    },
  }
}

interface Said {
  /** Unknown to cookies of earlier releases, as is `t`. */
  readonly i?: string
  readonly u: number
  readonly t?: number
  readonly e: number
  readonly s: string
  readonly r: number
  readonly b: number
}

/** What ties a session to a password. */
export const passwordFingerprint = (passwordHash: string | null): string =>
  createHash('sha256')
    .update(passwordHash ?? '')
    .digest('base64url')
    .slice(0, 12)

export function sessionCookie(
  value: string,
  { now, milliseconds, secure }: { now: Date; milliseconds: number; secure: boolean },
): string {
  const expires = new Date(now.getTime() + milliseconds).toUTCString()
  const flags = `Path=/; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`
  return `${cookieName}=${value}; Expires=${expires}; Max-Age=${Math.floor(milliseconds / 1000)}; ${flags}`
}

/** The session cookie among a request's cookies. */
export function cookieFrom(header: string | undefined): string | null {
  if (!header) return null
  const start = header.startsWith(`${cookieName}=`) ? 0 : header.indexOf(`; ${cookieName}=`) + 2
  if (start === 1) return null
  const from = start + cookieName.length + 1
  const end = header.indexOf(';', from)
  return header.slice(from, end < 0 ? undefined : end)
}
