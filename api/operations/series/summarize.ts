import type { SeriesQuery } from './seriesQuery.js'

/** A value and when it was measured, in milliseconds since the epoch. */
export type Point = readonly [at: number, value: number]
/** A piece of a series: when it begins, and the mean of what was measured in it; `null` when nothing was. */
export type Piece = readonly [at: number, mean: number | null]

/** What all points of a stretch come to. All zero where there are none. */
export interface Summary {
  readonly average: number
  readonly fifthPercentile: number
  readonly ninetyFifthPercentile: number
  readonly ninetyEighthPercentile: number
  readonly min: number
  readonly max: number
  readonly count: number
}

export const noSummary: Summary = Object.freeze({
  average: 0,
  fifthPercentile: 0,
  ninetyFifthPercentile: 0,
  ninetyEighthPercentile: 0,
  min: 0,
  max: 0,
  count: 0,
})

export function summarize(points: readonly Point[]): Summary {
  if (points.length === 0) return noSummary
  const values = Float64Array.from(points, ([, value]) => value).sort()
  const percentile = (percent: number) => values[Math.floor((values.length * percent) / 100 + 0.5) - 1] ?? 0
  return {
    average: values.reduce((sum, value) => sum + value, 0) / values.length,
    fifthPercentile: percentile(5),
    ninetyFifthPercentile: percentile(95),
    ninetyEighthPercentile: percentile(98),
    min: values[0]!,
    max: values.at(-1)!,
    count: values.length,
  }
}

/** The stretch in pieces, in order of time, those without points between. Empty where there are no points at all. */
export function pieces(points: readonly Point[], { start, end, interval, limit, offset }: SeriesQuery): Piece[] {
  if (points.length === 0) return []
  const sums = new Map<number, { sum: number; count: number }>()
  for (const [at, value] of points) {
    const begin = Math.floor(at / interval) * interval
    const piece = sums.get(begin) ?? { sum: 0, count: 0 }
    piece.sum += value
    piece.count++
    sums.set(begin, piece)
  }
  const first = Math.floor(start / interval)
  const all = Array.from({ length: Math.floor(end / interval) - first + 1 }, (_, piece): Piece => {
    const at = (first + piece) * interval
    const found = sums.get(at)
    return [at, found ? found.sum / found.count : null]
  })
  return all.slice(offset, limit === null ? undefined : offset + limit)
}
