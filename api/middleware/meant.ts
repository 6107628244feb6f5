import type { RouterContext } from '@koa/router'
import { literalsFirst } from './paths.js'
import type { Middleware, State } from './state.js'

/**
 * Passes on what means the route at `path` by its path alone, too: `/cdns/health` is no CDN that could be changed, it has
 * the methods of its own route, and no others.
 */
export const asMeant =
  (path: string): Middleware =>
  (ctx, next) => {
    const matched = (ctx as RouterContext<State>).matched ?? []
    const routes = matched.map(({ path: of, methods }) => ({ path: String(of), methods })).sort(literalsFirst)
    const meant = routes.filter((one) => literalsFirst(routes[0]!, one) === 0)
    if (meant.some((one) => one.path === path)) return next()
    return void ctx.set('allow', meant.flatMap(({ methods }) => methods).join(', '))
  }
