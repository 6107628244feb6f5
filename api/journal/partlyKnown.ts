import type { Fault } from '../config/errors.js'
import type { Row } from '../schema/defineKind.js'

/** A rule asked for a field of which nothing is known but that it is wrong. */
class NotKnown extends Error {
  override name = 'NotKnown'
}

/** A record in which some fields cannot be looked at: whoever asks for one of them has nothing more to say. */
export const knownOnly = (row: Row, unknown: ReadonlySet<string>): Row =>
  new Proxy(row, {
    get: (known, name) => {
      if (typeof name === 'string' && unknown.has(name)) throw new NotKnown(name)
      return Reflect.get(known, name) as unknown
    },
  })

/** What a check finds until it asks for what is not known. */
export function* asFarAsKnown(check: () => Iterable<Fault>): Generator<Fault> {
  try {
    yield* check()
  } catch (error) {
    if (!(error instanceof NotKnown)) throw error
  }
}
