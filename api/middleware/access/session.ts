import type { WorkingSet } from '../../../compiler/data/workingSet.js'
import type { Committer } from '../../journal/commit.js'
import type { Middleware } from '../state.js'
import type { Authenticator } from './authenticate.js'

/** Finds out who asks. A session is never answered older data than it wrote, whichever instance it comes to. */
export function session(given: {
  authenticate: Authenticator
  committer: Pick<Committer, 'catchUp'>
  workingSet: WorkingSet
}): Middleware {
  const { authenticate, committer, workingSet } = given
  return async (ctx, next) => {
    const credentials = authenticate(ctx.headers)
    const wrote = credentials?.session?.revision ?? 0
    if (wrote > workingSet.revision) await committer.catchUp(wrote)
    ctx.state.credentials = credentials
    await next()
  }
}
