import { LRUCache } from 'lru-cache'
import Negotiator from 'negotiator'

export const encodings = ['identity', 'gzip', 'br'] as const
export type Encoding = (typeof encodings)[number]

/** Below this a compressed form saves no packet. */
const worthCompressing = 1024

/** The best form the client takes; the plain one for short bodies and for clients that say nothing. */
export function chooseEncoding(accepted: string | undefined, length: number): Encoding {
  if (accepted === undefined || length < worthCompressing) return 'identity'
  const known = chosen.get(accepted)
  if (known) return known
  const found = negotiated(accepted)
  // Clients say one of a few things, over and over; what is longer than any of them is read anew.
  if (accepted.length <= 256) chosen.set(accepted, found)
  return found
}

const chosen = new LRUCache<string, Encoding>({ max: 500 })

/** By the client's quality values; of what it takes alike the smallest. Nobody is refused a body for want of a form. */
function negotiated(accepted: string): Encoding {
  const negotiator = new Negotiator({ headers: { 'accept-encoding': accepted } })
  const choose: (available: readonly string[], options: { preferred: readonly string[] }) => string | undefined =
    negotiator.encoding.bind(negotiator)
  const found = choose(encodings, { preferred: encodings.toReversed() })
  return encodings.find((encoding) => encoding === found) ?? 'identity'
}
