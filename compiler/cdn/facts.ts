/** A record of plain values. */
export type Flat<T> = { readonly [K in keyof T]: string | number | boolean | null }

declare const of: unique symbol

/** Several facts as one text, which can be a fragment's key. */
export type Facts<T> = string & { readonly [of]?: T }

/** Equal facts give equal texts. @param values flat, and always made in the same order */
export const facts = <T extends Flat<T>>(values: T): Facts<T> => JSON.stringify(values)

/** The facts again. */
export function readFacts<T extends object>(text: Facts<T>): T {
  let values = known.get(text)
  if (!values) {
    values = Object.freeze(JSON.parse(text) as object)
    if (known.size >= mostKnown) known.clear()
    known.set(text, values)
  }
  return values as T
}

/** What texts stand for, which never changes: each service of a fleet asks for the same few. */
const known = new Map<string, object>()
const mostKnown = 1000
