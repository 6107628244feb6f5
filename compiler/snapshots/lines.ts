/** One line of a document: an entry of a list, or of an object under its name. */
export interface Line<T> {
  readonly name: string
  readonly value: T
  /** Whether another line follows; the templates have no way to know. */
  readonly comma: boolean
}

/**
 * Entries of an object, one per line, so that two versions of a document differ in few lines. A name counts once;
 * the gate refuses documents in which it would not.
 */
export function namedLines<T>(entries: readonly (readonly [name: string, value: T])[]): Line<T>[] {
  const first = new Map<string, T>()
  for (const [name, value] of entries) if (!first.has(name)) first.set(name, value)
  return [...first].map(([name, value], i) => ({ name, value, comma: i < first.size - 1 }))
}

/** Entries of a list, one per line. */
export function listLines<T>(values: readonly T[]): Line<T>[] {
  return values.map((value, i) => ({ name: '', value, comma: i < values.length - 1 }))
}
