import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

const known = new WeakMap<IncomingMessage, string>()

/** What a request is called in logs and in answers that report a fault: the client's own name for it, when it is one. */
export function requestIdOf(request: IncomingMessage): string {
  let id = known.get(request)
  if (id === undefined) {
    const given = request.headers['x-request-id']
    id = typeof given === 'string' && /^[A-Za-z0-9._-]{8,64}$/.test(given) ? given : randomUUID()
    known.set(request, id)
  }
  return id
}
