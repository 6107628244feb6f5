import type { IncomingMessage } from 'node:http'
import type { Artifacts } from '../../compiler/core/artifacts.js'
import type { WorkingSet } from '../../compiler/data/workingSet.js'
import type { KeptEndpoint, ReadEndpoint } from '../operations/endpoint.js'
import { nobody } from './access/authenticate.js'
import type { Rights } from './access/rights.js'
import type { Reply } from './answerBody.js'
import type { Forms } from './cache/encodings.js'
import type { Keeper, Keeping } from './cache/keep.js'
import { answerKey, type KnownUrls } from './cache/knownUrls.js'
import { prepare, represent } from './cache/represent.js'
import type { Answers, KeptAnswer } from './cache/responseCache.js'
import type { LongPolls } from './longPoll.js'
import type { Middleware } from './state.js'
import { keyOf } from './target.js'

interface Caches {
  readonly rights: Rights
  readonly answers: Answers
  readonly forms: Forms
  readonly urls: KnownUrls
  readonly longPolls: LongPolls
  readonly make: Keeper
  readonly artifacts: Artifacts
  readonly workingSet: WorkingSet
}

/** A body that is gone each time is larger than all that may be kept. */
const mostAttempts = 5

/** Answers a GET from what is kept, or makes and keeps it, for all who have the same rights. */
export function cached(endpoint: ReadEndpoint | KeptEndpoint, caches: Caches): Middleware {
  const { rights, answers, urls, longPolls, make } = caches
  return async ({ req: request, state }) => {
    const { found, asked, target } = state
    const credentials = state.credentials ?? nobody
    const known = { key: keyOf(found, target.query), isPersonal: endpoint.varies === 'caller' }
    // What is kept for all of the same rights is permitted, too, without knowing who of them asks.
    const user = known.isPersonal ? credentials.caller : credentials.unnamed
    const keeping: Keeping = {
      endpoint,
      asked: { ...asked, user, headers: {}, address: '', requestId: '' },
      key: answerKey(known, credentials),
      permit: () => rights.stillAllowed({ found, credentials: state.credentials, request }, user),
    }
    const waits = target.wish.wait !== undefined
    let answer = await longPolls.hold(target.wish, request, async () => {
      // Whoever waits may lose the right to what it waits for.
      if (waits) keeping.permit()
      return answers.get(keeping.key) ?? make(keeping)
    })
    for (let attempt = 0; attempt < mostAttempts; attempt++, answer = await make(keeping)) {
      if ('cells' in answer && !waits) urls.note(request.url ?? '/', known)
      const reply = 'cells' in answer ? await represented(answer, request, caches, waits) : answer
      if (!reply) continue
      state.reply = reply
      return
    }
    throw new Error(`what ${endpoint.path} answers does not fit into CACHE_MB`)
  }
}

/** A kept answer as the client wants it; `null` when the cache had to let its body go between finding and sending. */
async function represented(
  kept: KeptAnswer,
  { headers }: IncomingMessage,
  { forms, workingSet, artifacts }: Caches,
  waits: boolean,
): Promise<Reply | null> {
  const wanted = {
    ifNoneMatch: headers['if-none-match'],
    acceptEncoding: headers['accept-encoding'] as string | undefined,
  }
  const ready = () => represent(kept, wanted, forms, workingSet.revision)
  const made = ready() ?? ((await prepare(kept, wanted, forms, artifacts)) ? ready() : null)
  return made && waits ? withRevision(made, kept) : made
}

/** What the answer is known to be valid at: a client that waits on from there misses nothing. */
function withRevision(answer: Reply, { validAt, artifact }: KeptAnswer): Reply {
  const revision = Math.min(validAt, artifact?.validAt ?? validAt)
  return { ...answer, headers: { ...answer.headers, 'x-edgewright-revision': revision } }
}
