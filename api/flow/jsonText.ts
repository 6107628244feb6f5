export const jsonType = 'application/json; charset=utf-8'

/** A list whose elements are made one by one, as they are written. What it is made of can be gone through again. */
export class LazyList<R> implements Iterable<object> {
  constructor(
    private readonly rows: Iterable<R>,
    private readonly make: (row: R) => object,
  ) {}

  *[Symbol.iterator](): Generator<object> {
    for (const row of this.rows) yield this.make(row)
  }

  toJSON(): object[] {
    return [...this]
  }
}

/** How deep the lists of an answer can lie: in a document's collection, in an envelope. */
const deepest = 3

/** The text that `JSON.stringify` gives for an answer, in parts: an element each where there are many. */
export function* jsonParts(value: unknown, depth = 0): Generator<string> {
  if (value instanceof LazyList || Array.isArray(value)) {
    let before = '['
    for (const element of value as Iterable<unknown>) {
      yield `${before}${JSON.stringify(element) ?? 'null'}`
      before = ','
    }
    yield before === '[' ? '[]' : ']'
    return
  }
  if (depth === deepest || !isPlain(value)) {
    yield JSON.stringify(value) ?? 'null'
    return
  }
  let before = '{'
  for (const [name, member] of Object.entries(value)) {
    if (member === undefined || typeof member === 'function' || typeof member === 'symbol') continue
    yield `${before}${JSON.stringify(name)}:`
    yield* jsonParts(member, depth + 1)
    before = ','
  }
  yield before === '{' ? '{}' : '}'
}

const isPlain = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !('toJSON' in value)
