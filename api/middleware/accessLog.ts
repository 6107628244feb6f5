import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Logger } from 'pino'
import type { Authenticator } from './access/authenticate.js'
import { requestIdOf } from './requestId.js'

/**
 * One line per request once it is answered, or given up. The path is logged; of the query only which parameters there
 * were, since values may be secrets, and of headers and bodies nothing.
 */
export function createAccessLog(given: {
  log: Logger
  authenticate: Authenticator
  addressOf: (request: IncomingMessage) => string
}): (request: IncomingMessage, response: ServerResponse) => void {
  const { log, authenticate, addressOf } = given
  return (request, response) => {
    const began = performance.now()
    const { method, url = '', socket } = request
    const [path = '', query] = url.split('?', 2)
    const sentBefore = socket.bytesWritten
    const input = {
      method,
      path: path.slice(0, 1000),
      ...(query ? { query: [...new Set(new URLSearchParams(query.slice(0, 4000)).keys())] } : {}),
      user: authenticate(request.headers)?.caller.username ?? null,
      address: addressOf(request),
      requestId: requestIdOf(request),
    }
    response.once('close', () => {
      const answered = {
        status: response.headersSent ? response.statusCode : null,
        bytes: socket.bytesWritten - sentBefore,
        ms: Math.round((performance.now() - began) * 100) / 100,
        ...(response.writableFinished ? {} : { cut: true }),
      }
      log.info({ ...input, ...answered }, 'request')
    })
  }
}
