import { ApiError, notFound } from '../config/errors.js'
import type { Rights } from './access/rights.js'
import type { Middleware } from './state.js'

/** Words what no route answered: a path that is not there, or a method that it does not have. */
export function unmatched({ rights }: { rights: Rights }): Middleware {
  return async (ctx, next) => {
    await next()
    if (ctx.state.response) return
    const allow: string = ctx.response.get('allow') ?? ''
    if (ctx.method === 'OPTIONS' && allow !== '') {
      ctx.state.response = { status: 200, headers: { allow }, body: '' }
      return
    }
    // Which paths there are is told to those who are let in.
    rights.mustBeKnown(ctx)
    if (allow === '') throw notFound()
    throw new ApiError(405, 'method-not-allowed', [`${ctx.method} is not allowed here, but ${allow}.`], { allow })
  }
}
