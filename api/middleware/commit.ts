import { whileConnected } from '../flow/connection.js'
import type { Plan } from '../journal/plan.js'
import { isDryRun, rehearsed } from '../operations/dryRun.js'
import type { Answer, WriteEndpoint } from '../operations/endpoint.js'
import type { Rights } from './access/rights.js'
import { stamped } from './access/stamp.js'
import { advised } from './advice.js'
import { replyOf } from './answerBody.js'
import { preconditionOf } from './precondition.js'
import type { Routers } from './routers.js'
import type { Middleware } from './state.js'

/** Decides a write, in one journal entry or none; with `?dryRun=true` only what it would be. */
export function commit(endpoint: WriteEndpoint, given: { rights: Rights; routers: () => Routers }): Middleware {
  const { rights, routers } = given
  return async ({ req: request, state }) => {
    const { found, credentials, target } = state
    const asked = endpoint.early ? await endpoint.early(state.asked) : state.asked
    const mustHold = preconditionOf(endpoint, asked, target.path, routers())
    const decided = function* (plan: Plan): Generator<void, Answer> {
      mustHold(plan.data)
      const made = endpoint.write(asked, plan)
      return advised(Symbol.iterator in made ? yield* made : made, plan)
    }
    const steps = (plan: Plan) => stamped(credentials?.session ?? null, plan.data, decided(plan))
    const committer = rights.committerFor({ found, credentials, request }, asked.user)
    if (isDryRun(asked)) {
      const tried = function* (plan: Plan) {
        return (yield* steps(plan)).value
      }
      state.reply = replyOf(await whileConnected(request, (gone) => rehearsed(committer, asked, tried, gone)))
      return
    }
    const { value: made, revision } = await committer.writeFew(asked, steps)
    const { value, ...stamp } = made
    const headers = { ...value.headers, 'x-edgewright-revision': String(revision) }
    state.reply = { ...replyOf({ ...value, headers }), ...stamp }
  }
}
