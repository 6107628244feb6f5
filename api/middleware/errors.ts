import type { Logger } from 'pino'
import { alertsFor } from './alerts.js'
import type { Middleware } from './state.js'

/** The single catch: whatever goes wrong behind it becomes an answer with alerts. */
export function errors({ log }: { log: Logger }): Middleware {
  return async (ctx, next) => {
    try {
      await next()
    } catch (error) {
      ctx.state.response = alertsFor(error, log, ctx.state.requestId)
    }
  }
}
