import type { Middleware } from './state.js'
import { targetOf } from './target.js'

/** Reads the URL. */
export const url: Middleware = (ctx, next) => {
  ctx.state.target = targetOf(ctx.req.url ?? '/')
  return next()
}
