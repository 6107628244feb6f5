import { LRUCache } from 'lru-cache'
import { type Cell, type Grain, indexCell, kindCell, recordCell } from './cells.js'
import type { Reader } from './reader.js'
import type { AnyRecord, WorkingSet } from './workingSet.js'

/** What was asked, for people: one line per question (`explain`). */
export interface Question {
  readonly kind: string
  readonly ask: 'get' | 'by' | 'ids' | 'has' | 'all'
  readonly index?: string
  readonly key?: string
  /** The ids of the records that were the answer. */
  readonly found: readonly number[]
}

export interface Recorder<R> {
  readonly data: R
  /** The cells that were read so far, sorted, each once. */
  cells(): Uint32Array
  /** Every question in order; only kept by a recorder made with `explain`. */
  questions(): readonly Question[]
}

/**
 * A reader over the working set that notes what it was asked.
 *
 * @param grain `seen` for compiles: only the model's fields count; `full` for answers of the API
 * @param memos parts kept between compiles; without it every part is made anew (and is itself explained)
 */
export function recorder<R = Reader>(
  workingSet: WorkingSet,
  options: { grain: Grain; memos?: Memos; explain?: boolean },
): Recorder<R> {
  const { grain, memos, explain = false } = options
  const cells = new Set<Cell>()
  const parts: Uint32Array[] = []
  const questions: Question[] = []
  const gets = new Map<string, number>()

  const get = (kind: string, id: number | null): AnyRecord | undefined => {
    if (id === null) return undefined
    const record = workingSet.get(kind, id)
    cells.add(grain === 'full' && manyGets(gets, kind) ? kindCell(kind, 'full') : recordCell(kind, id, grain))
    if (explain) questions.push({ kind, ask: 'get', key: String(id), found: record ? [id] : [] })
    return record
  }
  const lookUp = (ask: 'by' | 'ids' | 'has', kind: string, index: string, key: string | number): readonly number[] => {
    const ids = workingSet.ids(kind, index, key)
    const what = ask === 'by' ? grain : ask === 'ids' ? 'members' : 'some'
    cells.add(indexCell(kind, index, String(key), what))
    if (explain)
      questions.push({ kind, ask, index, key: String(key), found: ask === 'has' ? ids.slice(0, 1) : [...ids] })
    return ids
  }
  const records = (kind: string, ids: readonly number[]) => ids.map((id) => workingSet.get(kind, id)!)

  const data = {
    get,
    by: (kind: string, index: string, key: string | number) => records(kind, lookUp('by', kind, index, key)),
    ids: (kind: string, index: string, key: string | number) => lookUp('ids', kind, index, key),
    has: (kind: string, index: string, key: string | number) => lookUp('has', kind, index, key).length > 0,
    all: (kind: string) => {
      const ids = workingSet.allIds(kind)
      cells.add(kindCell(kind, grain))
      if (explain) questions.push({ kind, ask: 'all', found: [...ids] })
      return records(kind, ids)
    },
    memo: <T>(name: string, key: string, make: (data: R) => T): T => {
      if (!memos) return make(data)
      const part = memos.get(workingSet, name, key, make as (data: unknown) => T)
      parts.push(part.cells)
      return part.value
    },
  } as R

  return { data, cells: () => merge(cells, parts), questions: () => questions }
}

/** A list that looks up one record of a kind after the other ends up reading the kind. */
function manyGets(gets: Map<string, number>, kind: string): boolean {
  const count = (gets.get(kind) ?? 0) + 1
  gets.set(kind, count)
  return count > 64
}

interface Part<T> {
  readonly value: T
  readonly cells: Uint32Array
  validAt: number
}

/** Parts that several artifacts share, each kept until something it read moves. One per working set. */
export class Memos {
  readonly #parts = new LRUCache<string, Part<unknown>>({ max: 200_000 })
  /** How many parts were made, for the tests and benches that count work instead of timing it. */
  made = 0

  get<T>(workingSet: WorkingSet, name: string, key: string, make: (data: unknown) => T): Part<T> {
    const id = `${name}\0${key}`
    const known = this.#parts.get(id) as Part<T> | undefined
    if (known && (known.validAt === workingSet.revision || workingSet.unmoved(known.cells, known.validAt))) {
      known.validAt = workingSet.revision
      return known
    }
    const { data, cells } = recorder<unknown>(workingSet, { grain: 'seen', memos: this })
    const value = make(data)
    this.made += 1
    const part: Part<T> = { value, cells: cells(), validAt: workingSet.revision }
    this.#parts.set(id, part as Part<unknown>)
    return part
  }

  /** A new template generation makes every kept part worthless. */
  clear(): void {
    this.#parts.clear()
  }
}

/** All cells in one sorted array, each once. */
function merge(cells: ReadonlySet<Cell>, parts: readonly Uint32Array[]): Uint32Array {
  let length = cells.size
  for (const part of parts) length += part.length
  const all = new Uint32Array(length)
  let at = 0
  for (const cell of cells) all[at++] = cell
  for (const part of parts) {
    all.set(part, at)
    at += part.length
  }
  all.sort()
  let kept = 0
  for (let i = 0; i < length; i++) if (i === 0 || all[i] !== all[i - 1]) all[kept++] = all[i]!
  return all.slice(0, kept)
}
