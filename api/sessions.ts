import { createHash, createHmac, timingSafeEqual } from 'node:crypto'

/** What a session cookie says. */
export interface Session {
  readonly userId: number
  /** Epoch milliseconds. */
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
export const sessionMilliseconds = 6 * 3600 * 1000

export interface Sessions {
  /** The cookie's value: base64url JSON, two hyphens, HMAC-SHA-256 in hex. */
  sign(session: Session): string
  /** `null` for anything this service did not sign, and for what has expired. */
  verify(value: string): Session | null
}

export function createSessions({ secret, now }: { secret: string; now: () => Date }): Sessions {
  const signature = (payload: string): string => createHmac('sha256', secret).update(payload).digest('hex')
  return {
    sign: ({ userId, expires, stamp, revision, begun }) => {
      const payload = Buffer.from(JSON.stringify({ u: userId, e: expires, s: stamp, r: revision, b: begun })).toString(
        'base64url',
      )
      return `${payload}--${signature(payload)}`
    },
    verify: (value) => {
      const parts = /^([A-Za-z0-9_-]{1,512})--([0-9a-f]{64})$/.exec(value)
      if (!parts) return null
      const [, payload = '', given = ''] = parts
      if (!timingSafeEqual(Buffer.from(given), Buffer.from(signature(payload)))) return null
      const { u, e, s, r, b } = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Record<
        'u' | 'e' | 'r' | 'b',
        number
      > & { s: string }
      return e > now().getTime() ? { userId: u, expires: e, stamp: s, revision: r, begun: b } : null
    },
  }
}

/** What ties a session to a password. */
export const stampOf = (passwordHash: string | null): string =>
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
