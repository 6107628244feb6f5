import { whileConnected } from '../flow/connection.js'
import type { Transaction } from '../journal/transaction.js'
import { isDryRun, rehearsed } from '../operations/dryRun.js'
import type { RequestInput, Result, WriteEndpoint } from '../operations/endpoint.js'
import type { LookBack } from '../operations/lookBack.js'
import type { Rights } from './access/rights.js'
import { stamped } from './access/stamp.js'
import { advised } from './advice.js'
import type { HttpResponse } from './answerBody.js'
import { responseOf } from './answerBody.js'
import { pastOwnWrites } from './ownWrites.js'
import { preconditionOf } from './precondition.js'
import type { Routers } from './routers.js'
import type { Middleware } from './state.js'

interface Given {
  readonly rights: Rights
  readonly lookBack: LookBack
  readonly routers: () => Routers
}

/** Decides a write, in one journal entry or none; with `?dryRun=true` only what it would be. */
export function commit(endpoint: WriteEndpoint, { rights, lookBack, routers }: Given): Middleware {
  return async ({ req: request, state }) => {
    const { found, credentials, target } = state
    const prepared = endpoint.prepare ? await endpoint.prepare(state.input) : state.input
    const committer = rights.committerFor({ found, credentials, request }, prepared.user)
    const decide = async (asked: RequestInput): Promise<HttpResponse> => {
      const mustHold = preconditionOf(endpoint, asked, target.path, routers())
      const decided = function* (transaction: Transaction): Generator<void, Result> {
        mustHold(transaction.data)
        const made = endpoint.write(asked, transaction)
        return advised(Symbol.iterator in made ? yield* made : made, transaction)
      }
      const steps = (transaction: Transaction) =>
        stamped(credentials?.session ?? null, transaction.data, decided(transaction))
      if (isDryRun(asked)) {
        const tried = function* (transaction: Transaction) {
          return (yield* steps(transaction)).value
        }
        return responseOf(await whileConnected(request, (gone) => rehearsed(committer, asked, tried, gone)))
      }
      const { value: made, revision } = await committer.writeFew(asked, steps)
      const { value, ...stamp } = made
      const headers = { ...value.headers, 'x-edgewright-revision': String(revision) }
      return { ...responseOf({ ...value, headers }), ...stamp }
    }
    state.response = await pastOwnWrites(lookBack, prepared, decide)
  }
}
