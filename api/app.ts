import type { IncomingMessage } from 'node:http'
import Koa from 'koa'
import { allowed, ownSite } from './middleware/access/allowed.js'
import type { Authenticator } from './middleware/access/authenticate.js'
import { renewal } from './middleware/access/renewal.js'
import { Rights } from './middleware/access/rights.js'
import { session } from './middleware/access/session.js'
import { body, room } from './middleware/body.js'
import { BodyRoom } from './middleware/bodyRoom.js'
import type { Encodings } from './middleware/cache/encodings.js'
import { createKeeper } from './middleware/cache/keep.js'
import type { KnownUrls } from './middleware/cache/knownUrls.js'
import type { ResponseCache } from './middleware/cache/responseCache.js'
import { cached } from './middleware/cached.js'
import { commit } from './middleware/commit.js'
import { errors } from './middleware/errors.js'
import { ignored } from './middleware/ignored.js'
import { live, revealed } from './middleware/live.js'
import type { LongPolls } from './middleware/longPoll.js'
import { pages } from './middleware/pages/pages.js'
import { oneHost, requestId } from './middleware/requestId.js'
import { Routers } from './middleware/routers.js'
import { send } from './middleware/send.js'
import type { Middleware, State } from './middleware/state.js'
import type { Streams } from './middleware/stream.js'
import { unmatched } from './middleware/unmatched.js'
import { url } from './middleware/url.js'
import type { Endpoint } from './operations/endpoint.js'
import { LookBack } from './operations/lookBack.js'
import type { Parts } from './operations/parts.js'
import { ImportRoom } from './operations/transfer/importRoom.js'

interface Given
  extends Pick<
    Parts,
    | 'artifacts'
    | 'catalogue'
    | 'committer'
    | 'compileBasis'
    | 'data'
    | 'log'
    | 'logins'
    | 'metrics'
    | 'now'
    | 'reading'
    | 'sessions'
    | 'settings'
    | 'store'
    | 'workingSet'
  > {
  readonly routes: readonly Endpoint[]
  readonly authenticate: Authenticator
  readonly addressOf: (request: IncomingMessage) => string
  readonly answers: ResponseCache
  readonly encodings: Encodings
  readonly urls: KnownUrls
  readonly longPolls: LongPolls
  readonly streams: Streams
}

/** The Koa application: what every request passes, in this order, and what stands behind each route. */
export function createApp(given: Given): Koa<State> {
  const { routes, authenticate, addressOf, streams, answers, encodings, urls, longPolls } = given
  const { artifacts, catalogue, committer, compileBasis, data, log, logins } = given
  const { metrics, now, reading, sessions, settings, workingSet } = given
  const rights = new Rights({ authenticate, data, committer, logins, now, reading })
  const lookBack = new LookBack(given)
  const make = createKeeper({ answers, workingSet, catalogue, compileBasis })
  const rooms = { imports: new ImportRoom(), bodies: new BodyRoom() }

  const answer = (endpoint: Endpoint): Middleware => {
    if ('write' in endpoint) return commit(endpoint, { rights, lookBack, routers: () => routers })
    if ('live' in endpoint) return live(endpoint, { rights, lookBack })
    return cached(endpoint, { answers, encodings, urls, longPolls, rights, make, artifacts, workingSet })
  }
  const routers = new Routers(routes, (endpoint) => [
    ownSite(settings),
    allowed({ rights }),
    room(rooms),
    body(endpoint, { rights }),
    ignored(endpoint),
    revealed(endpoint, { log }),
    answer(endpoint),
  ])

  const app = new Koa<State>()
  app
    .use(requestId({ addressOf }))
    .use(send({ streams, log, served: metrics.served }))
    .use(pages)
    .use(errors({ log }))
    .use(oneHost)
    .use(url)
    .use(session({ authenticate, committer, sessions, workingSet }))
    .use(renewal({ sessions, workingSet, settings, now }))
    .use(unmatched({ rights, routers }))
    .use(routers.dispatch())
  // A client that hangs up while an answer is written is its own business.
  app.on('error', (error: Error) => log.debug({ err: error }, 'connection'))
  return app
}
