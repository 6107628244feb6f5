import type { CachedEndpoint, ReadEndpoint } from '../operations/endpoint.js'
import { ignoredText } from '../operations/ignored.js'
import { nobody } from './access/credentials.js'
import type { Rights } from './access/rights.js'
import type { Delivering } from './cache/deliver.js'
import { delivered } from './cache/deliver.js'
import type { Keeper, Keeping } from './cache/keep.js'
import type { KnownUrls } from './cache/knownUrls.js'
import { answerKey } from './cache/knownUrls.js'
import type { ResponseCache } from './cache/responseCache.js'
import type { LongPolls } from './longPoll.js'
import type { Middleware } from './state.js'
import { keyOf } from './target.js'

interface Caches extends Delivering {
  readonly rights: Rights
  readonly answers: ResponseCache
  readonly urls: KnownUrls
  readonly longPolls: LongPolls
  readonly make: Keeper
}

/** A body that is gone each time is larger than all that may be kept. */
const mostAttempts = 5

/** Answers a GET from what is kept, or makes and keeps it, for all who have the same rights. */
export function cached(endpoint: ReadEndpoint | CachedEndpoint, caches: Caches): Middleware {
  const { rights, answers, urls, longPolls, make } = caches
  return async ({ req: request, state }) => {
    const { found, input: asked, target } = state
    const credentials = state.credentials ?? nobody
    const known = {
      key: keyOf(found, asked.query),
      isPersonal: endpoint.varies === 'caller',
      ignored: asked.ignored ? ignoredText(asked.ignored) : null,
    }
    // What is kept for all of the same rights is permitted, too, without knowing who of them asks.
    const user = known.isPersonal ? credentials.caller : credentials.unnamed
    const keeping: Keeping = {
      endpoint,
      asked: { ...asked, user, headers: {}, address: '', requestId: '', ignored: [] },
      key: answerKey(known, credentials),
      permit: () => rights.stillAllowed({ found, credentials: state.credentials, request }, user),
    }
    const waits = target.longPoll.wait !== undefined
    let answer = await longPolls.hold(target.longPoll, request, async () => {
      // Whoever waits may lose the right to what it waits for.
      if (waits) keeping.permit()
      return answers.get(keeping.key) ?? make(keeping)
    })
    for (let attempt = 0; attempt < mostAttempts; attempt++, answer = await make(keeping)) {
      if ('dependencies' in answer && !waits) urls.note(request.url ?? '/', known)
      const reply = 'dependencies' in answer ? await delivered(answer, request, caches, waits) : answer
      if (!reply) continue
      state.response = reply
      return
    }
    throw new Error(`what ${endpoint.path} answers does not fit into CACHE_MB`)
  }
}
