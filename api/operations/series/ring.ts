import type { ServiceMetric } from '../upstream/monitorDocuments.js'
import { serviceMetrics } from '../upstream/monitorDocuments.js'
import type { Point } from './summarize.js'

/** What is kept of a whole CDN: what its caches serve in kbps, their open connections, and what they could serve. */
export const cdnMetrics = ['bandwidth', 'connections', 'maxkbps'] as const
export type CdnMetric = (typeof cdnMetrics)[number]

/** What the monitors of a CDN said at one time. */
export interface Sample {
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly cdnId: number
  /** `null` when nobody said. */
  readonly cdn: Readonly<Record<CdnMetric, number>> | null
  /** By the id of the delivery service, in the order of `serviceMetrics`. */
  readonly services: ReadonlyMap<number, readonly number[]>
}

interface Row extends Pick<Sample, 'at' | 'cdnId' | 'cdn'> {
  /** Where each service is in `values`; rows of the same services share it. */
  readonly places: ReadonlyMap<number, number>
  readonly values: Float32Array
  /** About what the row takes, with `places` if it is the first that has them. */
  readonly bytes: number
}

export interface RingLimits {
  /** For how long samples are kept, in ms. */
  readonly keep: number
  /** About how much memory they may take. Of very many services there are fewer hours. */
  readonly bytes: number
}

/** The samples of the last hours in memory, the oldest given up first. */
export class Ring {
  #rows: Row[] = []
  /** Rows before it were given up, and are cut off from time to time. */
  #first = 0
  #bytes = 0
  readonly #newest = new Map<number, Row>()

  constructor(private readonly limits: RingLimits) {}

  add(sample: Sample): void {
    const row = this.#rowOf(sample)
    this.#rows.push(row)
    this.#bytes += row.bytes
    this.#newest.set(sample.cdnId, row)
    this.#giveUp(sample.at - this.limits.keep)
  }

  /** When the newest sample of a CDN was taken; `null` without one. */
  newest(cdnId: number): number | null {
    return this.#newest.get(cdnId)?.at ?? null
  }

  ofCdn(cdnId: number, metric: CdnMetric, holds: (at: number) => boolean): Point[] {
    return this.#points(cdnId, holds, ({ cdn }) => cdn?.[metric])
  }

  ofService(cdnId: number, serviceId: number, metric: ServiceMetric, holds: (at: number) => boolean): Point[] {
    const column = serviceMetrics.indexOf(metric)
    return this.#points(cdnId, holds, ({ places, values }) => {
      const place = places.get(serviceId)
      return place === undefined ? undefined : values[place + column]
    })
  }

  get bytes(): number {
    return this.#bytes
  }

  /** How many samples there are. */
  get size(): number {
    return this.#rows.length - this.#first
  }

  #points(cdnId: number, holds: (at: number) => boolean, read: (row: Row) => number | undefined): Point[] {
    const points: Point[] = []
    for (let at = this.#first; at < this.#rows.length; at++) {
      const row = this.#rows[at]!
      if (row.cdnId !== cdnId || !holds(row.at)) continue
      const value = read(row)
      if (value !== undefined) points.push([row.at, value])
    }
    return points
  }

  #rowOf({ at, cdnId, cdn, services }: Sample): Row {
    const before = this.#newest.get(cdnId)?.places
    const isSame = before?.size === services.size && [...services.keys()].every((id) => before.has(id))
    const places = isSame
      ? before
      : new Map([...services.keys()].map((id, place) => [id, place * serviceMetrics.length] as const))
    const values = new Float32Array(services.size * serviceMetrics.length)
    for (const [id, loads] of services) values.set(loads, places.get(id)!)
    const bytes = rowBytes + values.byteLength + (isSame ? 0 : places.size * placeBytes)
    return { at, cdnId, cdn, places, values, bytes }
  }

  #giveUp(before: number): void {
    while (this.#first < this.#rows.length) {
      const row = this.#rows[this.#first]!
      if (row.at >= before && this.#bytes <= this.limits.bytes) break
      this.#bytes -= row.bytes
      this.#first++
      if (this.#newest.get(row.cdnId) === row) this.#newest.delete(row.cdnId)
    }
    if (this.#first < this.#rows.length / 2) return
    this.#rows = this.#rows.slice(this.#first)
    this.#first = 0
  }
}

/** About what the objects of a row take, and an entry of a map. */
const rowBytes = 400
const placeBytes = 64
