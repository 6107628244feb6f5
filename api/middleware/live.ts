import type { Logger } from 'pino'
import { whileConnected } from '../flow/connection.js'
import type { Endpoint, LiveEndpoint } from '../operations/endpoint.js'
import { changes } from '../operations/endpoint.js'
import type { LookBack } from '../operations/lookBack.js'
import type { Rights } from './access/rights.js'
import type { HttpResponse } from './answerBody.js'
import { begunResponse } from './answerBody.js'
import { pastOwnWrites } from './ownWrites.js'
import type { Middleware } from './state.js'

/** Waits for something else than the data: another service, the journal's history, keys that are made. Never cached. */
export function live(endpoint: LiveEndpoint, given: { rights: Rights; lookBack: LookBack }): Middleware {
  const { rights, lookBack } = given
  return async ({ req: request, state }) => {
    const { input: asked, found, credentials } = state
    const asking = { found, credentials, request }
    const committer = rights.committerFor(asking, asked.user)
    const stillPermitted = () => void rights.stillAllowed(asking, asked.user)
    const begun = await whileConnected(request, async (gone) =>
      begunResponse(
        await pastOwnWrites(lookBack, asked, (input) =>
          endpoint.live(input, { committer, gone, request, stillPermitted }),
        ),
      ),
    )
    // What was done is told; what is only shown may have been long in coming.
    if (!changes(endpoint)) await shownTo(begun, () => rights.stillAllowed(asking, asked.user))
    state.response = { ...begun, mayStay: () => rights.mayStay(asking) }
  }
}

async function shownTo({ pieces }: HttpResponse, mustBeAllowed: () => void): Promise<void> {
  try {
    mustBeAllowed()
  } catch (error) {
    await pieces?.rest.return?.()
    throw error
  }
}

/** Logs who was shown private keys, or the whole store. */
export function revealed({ reveals, path }: Endpoint, { log }: { log: Logger }): Middleware {
  return async ({ state }, next) => {
    await next()
    if (!reveals || state.response?.status !== 200) return
    const { input: asked, address, requestId, found } = state
    const read = { user: asked.user.username, address, requestId, route: path, params: found.params }
    log.info(read, `${reveals} ${reveals === 'private keys' ? 'were' : 'was'} read`)
  }
}
