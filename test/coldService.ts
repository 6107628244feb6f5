import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createApp } from '../api/app.js'
import type { Authenticator } from '../api/middleware/access/authenticate.js'
import { createAuthenticator } from '../api/middleware/access/authenticate.js'
import { Encodings } from '../api/middleware/cache/encodings.js'
import { KnownUrls } from '../api/middleware/cache/knownUrls.js'
import { ResponseCache } from '../api/middleware/cache/responseCache.js'
import { LongPolls } from '../api/middleware/longPoll.js'
import { Streams } from '../api/middleware/stream.js'
import { createRoutes } from '../api/routes/index.js'
import type { Service } from '../api/server.js'
import type { Artifacts } from '../compiler/core/artifacts.js'
import { Budget } from '../compiler/core/budget.js'

export interface ColdService {
  readonly url: string
  close(): Promise<void>
}

/** Keeps everything and finds nothing. */
class Forgetful extends ResponseCache {
  override get(): null {
    return null
  }
}

/**
 * A second front of the same data, on a port of its own, that begins anew with every request: it remembers no session
 * and no answer, so what it says is what was never asked before.
 */
export async function coldService({ services }: Service): Promise<ColdService> {
  const { workingSet, sessions, catalogue, now, changeFeed, committer } = services
  const budget = new Budget(2 ** 24)
  const encodings = new Encodings(budget)
  const authenticate: Authenticator = (headers) =>
    createAuthenticator({ workingSet, sessions, keyOf: catalogue.keyOf, now, most: 1 })(headers)
  const app = createApp({
    ...services,
    routes: createRoutes(services),
    authenticate,
    answers: new Forgetful({ workingSet, artifacts: services.artifacts as Artifacts, encodings, budget }),
    urls: new KnownUrls(budget),
    encodings,
    longPolls: new LongPolls({ workingSet, changeFeed, catchUp: committer.catchUp, isAnother: false }),
    streams: new Streams(),
    addressOf: () => '127.0.0.1',
  })
  const server = createServer(app.callback())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.closeAllConnections()
      return new Promise((resolve) => void server.close(() => resolve()))
    },
  }
}
