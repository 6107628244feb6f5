import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { send } from '../api/flow/pieces.js'
import { createAuthenticator } from '../api/middleware/access/authenticate.js'
import { alertsFor } from '../api/middleware/alerts.js'
import { Forms } from '../api/middleware/cache/encodings.js'
import { KnownUrls } from '../api/middleware/cache/knownUrls.js'
import { Answers } from '../api/middleware/cache/responseCache.js'
import { createHandler } from '../api/middleware/handle.js'
import { LongPolls } from '../api/middleware/longPoll.js'
import { createRouter } from '../api/middleware/router.js'
import { routes } from '../api/routes/index.js'
import type { Service } from '../api/server.js'
import type { Artifacts } from '../compiler/core/artifacts.js'
import { Budget } from '../compiler/core/budget.js'

export interface ColdService {
  readonly url: string
  close(): Promise<void>
}

/**
 * A second front of the same data, on a port of its own, that begins anew with every request: it remembers no session,
 * no URL and no answer, so what it says is what was never asked before.
 */
export async function coldService({ services }: Service): Promise<ColdService> {
  const { workingSet, sessions, catalogue, now, hub, committer, log } = services
  const router = createRouter(routes)
  const server = createServer(async (request, response) => {
    const budget = new Budget(2 ** 24)
    const forms = new Forms(budget)
    const handle = createHandler({
      services,
      router,
      authenticate: createAuthenticator({ workingSet, sessions, keyOf: catalogue.keyOf, now }),
      answers: new Answers({ workingSet, artifacts: services.artifacts as Artifacts, forms, budget }),
      urls: new KnownUrls(budget),
      forms,
      longPolls: new LongPolls({ workingSet, hub, catchUp: committer.catchUp }),
      addressOf: () => '127.0.0.1',
    })
    const { status, headers, body, pieces } = await handle(request, 'cold').catch((error) =>
      alertsFor(error, log, 'cold'),
    )
    response.writeHead(status, headers)
    if (pieces) await send(pieces, response, { headOnly: request.method === 'HEAD', mayStay: () => true })
    else response.end(status === 304 ? undefined : body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.closeAllConnections()
      return new Promise((resolve) => void server.close(() => resolve()))
    },
  }
}
