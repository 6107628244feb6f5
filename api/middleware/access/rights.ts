import type { IncomingMessage } from 'node:http'
import { forbidden, unauthorized } from '../../config/errors.js'
import type { Committer } from '../../journal/commit.js'
import type { Logins } from '../../operations/logins/logins.js'
import type { Data } from '../../schema/data.js'
import type { Caller } from '../../schema/privileges.js'
import type { Found } from '../found.js'
import type { Context, State } from '../state.js'
import type { Authenticator } from './authenticate.js'
import { lackingScope } from './lackingScope.js'
import { lacking } from './permission.js'
import { committerFor, standingOf } from './standing.js'

/** Who asks what, on which connection. */
export interface Asking extends Pick<State, 'found' | 'credentials'> {
  readonly request: IncomingMessage
}

interface Given {
  readonly authenticate: Authenticator
  readonly data: Data
  readonly committer: Committer
  readonly logins: Logins
  readonly now: () => Date
  /** The data with notes of what is asked. */
  readonly reading: () => { data: Data; dependencies(): Uint32Array }
}

const nothing = new Uint32Array(0)

/** What decides, for every route and at every moment of a request, whether its caller may have what they ask for. */
export class Rights {
  constructor(private readonly given: Given) {}

  /** Throws 401 without valid credentials. API tokens are long; who sends wrong ones is told so, up to a point. */
  mustBeKnown({ state: { credentials, address, requestId }, headers }: Pick<Context, 'state' | 'headers'>): void {
    if (credentials) return
    const isToken = headers.authorization?.startsWith('Bearer ')
    if (isToken) this.given.logins.attempt({ kind: 'API token', name: '', address, requestId }, () => null)
    throw unauthorized()
  }

  /** Throws 403 when the caller lacks the role, the tenant or the scope for a route. */
  mustBeAllowed(found: Found, caller: Caller, data: Data = this.given.data): void {
    const lacked = lacks(found, caller, data)
    if (lacked !== null) throw forbidden(lacked)
  }

  /** What is read to permit a request that was permitted when it came; throws when it is not so any more. */
  stillAllowed({ found, credentials, request }: Asking, user: Caller): Uint32Array {
    if (found.endpoint.role === 'none') return nothing
    const now = this.given.authenticate(request.headers)
    if (!now || now.personal !== credentials?.personal) throw unauthorized()
    const { data, dependencies } = this.given.reading()
    this.mustBeAllowed(found, user, data)
    return dependencies()
  }

  /** Whether who watches a stream would still be let in. */
  mayStay({ found, credentials, request }: Asking): boolean {
    const now = this.given.authenticate(request.headers)
    return now?.personal === credentials?.personal && (!now || lacks(found, now.caller, this.given.data) === null)
  }

  /** The committer for all that a request decides. Whoever needs no session cannot lose it. */
  committerFor({ found, credentials }: Asking, user: Caller): Committer {
    const { committer, data, now } = this.given
    if (found.endpoint.role === 'none') return committer
    const mustBeAllowed = (data: Data) => this.mustBeAllowed(found, user, data)
    const standing = standingOf(user, credentials?.session ?? null, { now, mustBeAllowed })
    return committerFor(standing, committer, data)
  }
}

/** What the caller lacks for a route, by role, tenant and scopes; `null` when nothing. */
const lacks = (found: Found, caller: Caller, data: Data): string | null =>
  lacking(found.endpoint, caller, data) ?? lackingScope(found, caller, data)
