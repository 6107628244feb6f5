import Router, { type RouterContext } from '@koa/router'
import type { Version } from '../config/apiVersions.js'
import { isIn, versions } from '../config/apiVersions.js'
import type { Endpoint, Method } from '../operations/endpoint.js'
import type { Found } from './found.js'
import { asMeant } from './meant.js'
import { literalsFirst, placeOf } from './paths.js'
import type { Middleware, State } from './state.js'

/**
 * Every route under every version it exists in: a small router for each first segment and length of a path, because one
 * with all routes would look at each of them. Literal segments come before parameters.
 */
export class Routers {
  readonly #small = new Map<string, Router<State>>()
  readonly #known = new WeakMap<object, Omit<Found, 'params'>>()

  /** @param chain what stands behind a route */
  constructor(endpoints: readonly Endpoint[], chain: (endpoint: Endpoint) => Middleware[] = () => []) {
    for (const endpoint of endpoints.toSorted(literalsFirst)) {
      const places: [string, Version][] = endpoint.unversioned
        ? [[endpoint.path, '1.3']]
        : versions
            .filter((version) => isIn(version, endpoint.since))
            .map((version) => [`/api/${version}${endpoint.path}`, version])
      const behind = chain(endpoint)
      for (const [path, version] of places) this.#add(path, { endpoint, version }, behind)
    }
  }

  /** The route that a path, as it was sent and without its query, leads to. */
  find(method: Method | 'HEAD', path: string): Found | null {
    const { router, at } = this.#at(method, path)
    const layer = router?.match(at, method).pathAndMethod[0]
    return layer ? { ...this.#known.get(layer)!, params: layer.params(at, layer.captures(at)) } : null
  }

  /** Gives the request to the router of its first segment: to the route, or to what says which methods there are. */
  dispatch(): Middleware {
    const both = new Map([...this.#small.values()].map((one) => [one, [one.allowedMethods(), one.routes()] as const]))
    return (ctx, next) => {
      const { router, at } = this.#at(ctx.method, ctx.state.target.path)
      if (!router) return next()
      const [allowed, routes] = both.get(router)!
      const context = Object.assign(ctx as RouterContext<State>, { newRouterPath: at })
      return allowed(context, async () => void (await routes(context, next)))
    }
  }

  #add(path: string, known: Omit<Found, 'params'>, behind: readonly Middleware[]): void {
    const name = placeOf(path)
    const router = this.#small.get(name) ?? new Router<State>({ sensitive: true })
    this.#small.set(name, router)
    const found: Middleware = (ctx, next) => {
      ctx.state.found = { ...known, params: (ctx as RouterContext<State>).params }
      return next()
    }
    const layer = router.register(path, [known.endpoint.method], [asMeant(path), found, ...behind])
    if (!('captures' in layer)) throw new Error(`${path} is more than one route`)
    // A few GETs of the interface delete; looking at their headers must not.
    if (known.endpoint.changes) layer.methods = layer.methods.filter((method) => method !== 'HEAD')
    this.#known.set(layer, known)
  }

  /**
   * `.json` may follow any path but a config file's name; the path is looked for without it first. What a write is of it
   * takes by its whole name: it may be called `x.json`, and `x` be there, too.
   */
  #at(method: string, path: string): { router: Router<State> | undefined; at: string } {
    const router = this.#small.get(placeOf(path))
    if (!router || !path.endsWith('.json') || /\/configfiles\/[^/]+\//.test(path)) return { router, at: path }
    const at = path.slice(0, -'.json'.length)
    const { path: found, pathAndMethod } = router.match(at, method)
    const isNamed = pathAndMethod[0] && changesByName(this.#known.get(pathAndMethod[0])!.endpoint)
    return { router, at: found.length > 0 && !isNamed ? at : path }
  }
}

/** Whether a route changes what the end of its path names: ids are numbers, and cannot be mistaken. */
const changesByName = ({ method, path }: Endpoint): boolean => method !== 'GET' && /\/:(?!\w*id$)\w+$/i.test(path)
