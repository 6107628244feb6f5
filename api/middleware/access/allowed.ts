import type { Settings } from '../../config/settings.js'
import { changes } from '../../operations/endpoint.js'
import type { Middleware } from '../state.js'
import { refuseForeign } from './crossSite.js'
import type { Rights } from './rights.js'

/** Refuses a change that a page of another site asked a browser for. */
export function ownSite(settings: Pick<Settings, 'publicOrigin' | 'secureCookies'>): Middleware {
  return (ctx, next) => {
    if (ctx.method !== 'HEAD' && changes(ctx.state.found.endpoint)) refuseForeign(ctx.req, settings)
    return next()
  }
}

/** Lets those in whose role, tenant and scopes are enough for the route. */
export function allowed({ rights }: { rights: Rights }): Middleware {
  return (ctx, next) => {
    const { found, credentials } = ctx.state
    if (found.endpoint.role === 'none') return next()
    rights.mustBeKnown(ctx)
    rights.mustBeAllowed(found, credentials!.caller)
    return next()
  }
}
