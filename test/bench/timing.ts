export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]!
}

/** Milliseconds that `run` takes. */
export function timed(run: () => void): number {
  const start = performance.now()
  run()
  return performance.now() - start
}

export async function timedAsync(run: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await run()
  return performance.now() - start
}

/**
 * Times several ways in turns, so that what else the machine does falls on all of them alike. The first fifth of the
 * rounds warms up and is left out.
 *
 * @returns per way its milliseconds, round by round, so that ratios can be taken within a round
 */
export function inTurns<Way extends string>(
  rounds: number,
  ways: Readonly<Record<Way, () => number>>,
): Record<Way, number[]> {
  const names = Object.keys(ways) as Way[]
  const times = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Way, number[]>
  const warm = Math.ceil(rounds / 5)
  for (let round = 0; round < rounds + warm; round++) {
    for (const name of names) {
      const time = ways[name]()
      if (round >= warm) times[name].push(time)
    }
  }
  return times
}

/** The median over rounds of one way's value divided by another's. */
export const ratio = (of: readonly number[], to: readonly number[]): number =>
  median(of.map((value, round) => value / to[round]!))
