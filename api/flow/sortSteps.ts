/** Rows that are sorted at once, and rows merged in one step. */
const run = 1000

/** As a stable `toSorted`, in steps that take a moment each however many rows there are. */
export function* sortSteps<T>(rows: readonly T[], compare: (a: T, b: T) => number): Generator<void, T[]> {
  let runs: T[][] = []
  for (let at = 0; at < rows.length; at += run) {
    runs.push(rows.slice(at, at + run).sort(compare))
    yield
  }
  while (runs.length > 1) {
    const merged: T[][] = []
    for (let at = 0; at < runs.length; at += 2) merged.push(yield* merge(runs[at]!, runs[at + 1] ?? [], compare))
    runs = merged
  }
  return runs[0] ?? []
}

function* merge<T>(left: readonly T[], right: readonly T[], compare: (a: T, b: T) => number): Generator<void, T[]> {
  const merged: T[] = []
  let [l, r] = [0, 0]
  while (l < left.length || r < right.length) {
    const takesLeft = r === right.length || (l < left.length && compare(left[l]!, right[r]!) <= 0)
    merged.push(takesLeft ? left[l++]! : right[r++]!)
    if (merged.length % run === 0) yield
  }
  return merged
}
