import type { RequestInput } from '../../operations/endpoint.js'
import type { Sessions } from '../../operations/logins/sessions.js'
import { cookieFrom } from '../../operations/logins/sessions.js'
import type { Reader } from '../../operations/updateReads.js'

/** A session stays the same reader when its cookie is renewed. */
export function readerOf({ user, headers }: Pick<RequestInput, 'user' | 'headers'>, sessions: Sessions): Reader {
  const { authorization, cookie } = headers
  if (authorization?.startsWith('Bearer ')) return { name: authorization, begun: 0 }
  const session = sessions.verify(cookieFrom(cookie) ?? '')
  return { name: `${user.id}/${session?.id ?? ''}`, begun: session?.begun ?? 0 }
}
