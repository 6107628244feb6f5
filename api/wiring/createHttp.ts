import type { IncomingMessage, RequestListener } from 'node:http'
import { createApp } from '../app.js'
import { addressOf } from '../config/address.js'
import { createAuthenticator } from '../middleware/access/authenticate.js'
import { withOperator } from '../middleware/access/operator.js'
import { createAccessLog } from '../middleware/accessLog.js'
import type { Encodings } from '../middleware/cache/encodings.js'
import type { KnownUrls } from '../middleware/cache/knownUrls.js'
import type { ResponseCache } from '../middleware/cache/responseCache.js'
import { createFastPath } from '../middleware/fastPath.js'
import { hasTwoHosts } from '../middleware/hosts.js'
import { LongPolls } from '../middleware/longPoll.js'
import type { Streams } from '../middleware/stream.js'
import type { Ending } from '../operations/ending.js'
import type { Parts } from '../operations/parts.js'
import { createRoutes } from '../routes/index.js'

interface Given {
  readonly parts: Parts
  readonly answers: ResponseCache
  readonly encodings: Encodings
  readonly urls: KnownUrls
  readonly streams: Streams
  readonly ending: Ending
  /** Whether it takes the place of a service before, of another history perhaps. */
  readonly isAnother: boolean
  readonly operator: string | null
}

/** What answers requests: the fast path for what is kept, Koa for everything else. */
export function createHttp({ parts, answers, encodings, urls, streams, ending, isAnother, operator }: Given) {
  const { workingSet, sessions, catalogue, now, changeFeed, committer, settings, log, failed, metrics } = parts
  const authenticate = withOperator(
    createAuthenticator({ workingSet, sessions, keyOf: catalogue.keyOf, now }),
    operator,
  )
  const longPolls = new LongPolls({ workingSet, changeFeed, catchUp: committer.catchUp, isAnother })
  const from = (request: IncomingMessage) => addressOf(request, settings.trustedProxies)
  const accessLog = settings.accessLog ? createAccessLog({ log, authenticate, addressOf: from }) : null
  const routes = createRoutes(parts)
  const caches = { answers, encodings, urls, longPolls }
  const koa = createApp({ ...parts, ...caches, routes, authenticate, addressOf: from, streams }).callback()
  const revision = () => workingSet.revision
  const fast = createFastPath({ authenticate, answers, urls, encodings, revision, sessions, served: metrics.served })

  // Whatever goes wrong on the fast path, one request must not end the process: Koa answers it, with an error if need be.
  const isAnsweredFast: typeof fast = (request, response) => {
    try {
      return fast(request, response)
    } catch (error) {
      failed('answer', error)
      return response.headersSent
    }
  }
  const note: RequestListener = (request, response) => accessLog?.(request, response)
  const answerFast: RequestListener = (request, response) => {
    if (!hasTwoHosts(request) && isAnsweredFast(request, response)) return
    ending.opened(response)
    // Koa turns what its chain throws into an answer.
    void koa(request, response)
  }
  return { note, answerFast, answer: koa as RequestListener, longPolls }
}
