import type { Endpoint } from '../operations/endpoint.js'
import { bodySchema } from '../operations/endpoint.js'
import { ignoredIn, ignoredText } from '../operations/ignored.js'
import { dryRunQuery } from '../operations/queryParameters.js'
import type { Middleware } from './state.js'

export const ignoredHeader = 'x-edgewright-ignored'

/**
 * Tells clients what of their request nothing reads, fields by their names and query parameters behind a `?`: old clients
 * go on working, and a typo is seen. It is said of refusals, too, and is no part of an answer that is kept.
 */
export function ignored(endpoint: Endpoint): Middleware {
  const schema = bodySchema(endpoint)
  const names = new Set([...Object.keys(endpoint.query ?? {}), ...Object.keys(dryRunQuery)])
  return (ctx, next) => {
    const { input, target } = ctx.state
    const parameters = Object.keys(target.query).filter((name) => !names.has(name))
    const found = [...(schema ? ignoredIn(schema, input.body) : []), ...parameters.map((name) => `?${name}`)]
    if (found.length > 0) {
      ctx.state.input = { ...input, ignored: found }
      ctx.set(ignoredHeader, ignoredText(found))
    }
    return next()
  }
}
