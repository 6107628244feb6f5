/**
 * Long work in slices: the event loop belongs to everybody, and nobody may hold it for long. What takes time asks
 * `isLong` as it goes and, when it is, waits for a `turn`.
 *
 * All long work of the process shares one budget: fifty requests that each worked a slice in the same round of the
 * loop would hold it for fifty.
 */

/** How long, in ms, long work may hold the loop in one round. */
const budget = 8

const waiting: (() => void)[] = []
/** When long work began in this round of the loop; `null` when none has yet. */
let began: number | null = null

/** Whether long work has held the loop long enough for this round. */
export function isLong(): boolean {
  const now = performance.now()
  if (began === null) {
    began = now
    setImmediate(nextRound)
    return false
  }
  return now - began > budget
}

/** Resolves when it is this one's turn to go on: others have been heard in between. */
export function turn(): Promise<void> {
  if (began === null) {
    began = performance.now()
    setImmediate(nextRound)
  }
  return new Promise((resolve) => {
    waiting.push(resolve)
  })
}

/** An immediate made by an immediate runs a round later, after what the sockets brought. */
function nextRound(): void {
  if (waiting.length === 0) {
    began = null
    return
  }
  began = performance.now()
  setImmediate(nextRound)
  // It only lets others go on: nothing in it can fail.
  void wakeWhileShort(began)
}

/** Many who have little left to do share a round. What one does at once is done some promises after it is woken. */
async function wakeWhileShort(since: number): Promise<void> {
  while (waiting.length > 0 && performance.now() - since <= budget) {
    waiting.shift()!()
    for (let step = 0; step < 8; step++) await null
  }
}
