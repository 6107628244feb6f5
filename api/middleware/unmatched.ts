import { ApiError, notFound } from '../config/errors.js'
import type { Rights } from './access/rights.js'
import type { Routers } from './routers.js'
import type { Middleware } from './state.js'

/** Words what no route answered: a path that is not there, or a method that it does not have. */
export function unmatched({ rights, routers }: { rights: Rights; routers: Routers }): Middleware {
  return async (ctx, next) => {
    await next()
    if (ctx.state.response) return
    const { path } = ctx.state.target
    const allow: string = path === '/' ? 'GET, HEAD' : (ctx.response.get('allow') ?? '')
    const isRead = ctx.method === 'GET' || ctx.method === 'HEAD'
    if (ctx.method === 'OPTIONS' && allow !== '') {
      ctx.state.response = { status: 200, headers: { allow }, body: '' }
      return
    }
    // A program that reads `/` finds nothing there: the page is for browsers.
    const isThere = allow !== '' && !(path === '/' && isRead)
    // Which paths there are is told to those who are let in, beside those that are for everybody.
    if (!isThere || !isPublic(path, routers)) rights.mustBeKnown(ctx)
    if (!isThere) throw notFound()
    throw new ApiError(405, 'method-not-allowed', [`${ctx.method} is not allowed here, but ${allow}.`], { allow })
  }
}

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

/** Whether a path has something that anybody may ask for. */
const isPublic = (path: string, routers: Routers): boolean =>
  path === '/' || methods.some((method) => routers.find(method, path)?.endpoint.role === 'none')
