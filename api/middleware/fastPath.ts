import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Sessions } from '../operations/logins/sessions.js'
import type { Authenticator } from './access/authenticate.js'
import type { Encodings } from './cache/encodings.js'
import type { KnownUrls } from './cache/knownUrls.js'
import { answerKey } from './cache/knownUrls.js'
import { represent } from './cache/represent.js'
import type { ResponseCache } from './cache/responseCache.js'
import { ignoredHeader } from './ignored.js'

/**
 * Answers a GET that is already known, before Koa: a look-up of the session by its text, of what is asked by the URL's,
 * of the answer by both, one comparison of revisions, one `writeHead`. Everything else falls through, and Koa gives
 * the same bytes.
 *
 * An answer is only found under what Koa read the URL to ask and under the caller's whole authority, and only what that
 * authority was allowed to see is ever put there, for as long as nothing moves that was read to allow it.
 */
export function createFastPath(given: {
  authenticate: Authenticator
  answers: ResponseCache
  urls: KnownUrls
  encodings: Encodings
  revision: () => number
  sessions: Pick<Sessions, 'isDue'>
  served: (status: number) => void
}): (request: IncomingMessage, response: ServerResponse) => boolean {
  const { authenticate, answers, urls, encodings, revision, sessions, served } = given
  return (request, response) => {
    const { method, url = '', headers } = request
    if (method !== 'GET' && method !== 'HEAD') return false
    const credentials = authenticate(headers)
    if (!credentials) return false
    const { session } = credentials
    // A session in the second half of its life gets a new cookie, which only Koa sets.
    if (session && (session.revision > revision() || sessions.isDue(session))) return false
    const known = urls.get(url)
    if (!known) return false
    const kept = answers.get(answerKey(known, credentials))
    if (!kept) return false
    const wanted = {
      ifNoneMatch: headers['if-none-match'],
      acceptEncoding: headers['accept-encoding'] as string | undefined,
    }
    const answer = represent(kept, wanted, encodings, revision())
    if (!answer) return false
    const { ignored } = known
    const listed = ignored === null ? answer.listed : [...answer.listed, ignoredHeader, ignored]
    response.writeHead(answer.status, listed as string[])
    response.end(method === 'HEAD' ? undefined : answer.body)
    served(answer.status)
    return true
  }
}
