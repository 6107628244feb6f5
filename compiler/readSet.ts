import { type Cell, type Grain, indexCell, kindCell, recordCell, union } from './cells.js'
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
  const { grain, memos = null, explain = false } = options
  const recording = new Recording(workingSet, grain, memos, explain ? [] : null)
  return {
    data: recording as R,
    cells: () => recording.cells(),
    questions: () => recording.questions ?? [],
  }
}

const firstRoom = 4096

/**
 * There is one for every part that is made, thousands for a large file, so it is as little as can be: what was read
 * is a plain list, and sorted when it is asked for.
 */
class Recording {
  #read: Cell[] = []
  /** How long the list may become before it is gone through for what was asked twice. */
  #room = firstRoom
  #parts: Part<unknown>[] | null = null
  #gets: Map<string, number> | null = null

  constructor(
    private readonly workingSet: WorkingSet,
    private readonly grain: Grain,
    private readonly memos: Memos | null,
    readonly questions: Question[] | null,
  ) {}

  get(kind: string, id: number | null): AnyRecord | undefined {
    if (id === null) return undefined
    const record = this.workingSet.get(kind, id)
    this.#note(
      this.grain === 'full' && this.#manyGets(kind) ? kindCell(kind, 'full') : recordCell(kind, id, this.grain),
    )
    this.questions?.push({ kind, ask: 'get', key: String(id), found: record ? [id] : [] })
    return record
  }

  by(kind: string, index: string, key: string | number): readonly AnyRecord[] {
    return this.workingSet.records(kind, this.#lookUp('by', kind, index, key))
  }

  ids(kind: string, index: string, key: string | number): readonly number[] {
    return this.#lookUp('ids', kind, index, key)
  }

  has(kind: string, index: string, key: string | number): boolean {
    return this.#lookUp('has', kind, index, key).length > 0
  }

  all(kind: string): readonly AnyRecord[] {
    const ids = this.workingSet.allIds(kind)
    this.#note(kindCell(kind, this.grain))
    this.questions?.push({ kind, ask: 'all', found: [...ids] })
    return this.workingSet.records(kind, ids)
  }

  memo<T>(name: string, key: string, make: (data: unknown) => T): T {
    if (!this.memos) return make(this)
    const part = this.memos.get(this.workingSet, name, key, make)
    this.#parts ??= []
    this.#parts.push(part)
    return part.value
  }

  cells(): Uint32Array {
    return merged(this.#read, this.#parts)
  }

  /** A value with what was read for it, in as little memory as it takes: it is kept. */
  part<T>(value: T): Part<T> {
    return new Part(value, this.#read.slice(), this.#parts, this.workingSet.revision)
  }

  #lookUp(ask: 'by' | 'ids' | 'has', kind: string, index: string, key: string | number): readonly number[] {
    const ids = this.workingSet.ids(kind, index, key)
    const what = ask === 'by' ? this.grain : ask === 'ids' ? 'members' : 'some'
    this.#note(indexCell(kind, index, String(key), what))
    this.questions?.push({ kind, ask, index, key: String(key), found: ask === 'has' ? ids.slice(0, 1) : [...ids] })
    return ids
  }

  #note(cell: Cell): void {
    if (this.#read.length >= this.#room) {
      this.#read = [...new Set(this.#read)]
      this.#room = 2 * Math.max(firstRoom, this.#read.length)
    }
    this.#read.push(cell)
  }

  /** A list that looks up one record of a kind after the other ends up reading the kind. */
  #manyGets(kind: string): boolean {
    this.#gets ??= new Map()
    const count = (this.#gets.get(kind) ?? 0) + 1
    this.#gets.set(kind, count)
    return count > 64
  }
}

/** As they were noted, or sorted and each once. */
type Cells = readonly Cell[] | Uint32Array

/** A kept value, with what was read for it, sorted once it has to be searched. */
class Part<T> {
  #read: Cells
  #parts: readonly Part<unknown>[] | null

  constructor(
    readonly value: T,
    read: readonly Cell[],
    parts: readonly Part<unknown>[] | null,
    private validAt: number,
  ) {
    this.#read = read
    this.#parts = parts
  }

  /** Adds what was read, by itself and in its parts. */
  gather(lists: Cells[]): void {
    lists.push(this.#read)
    if (this.#parts) for (const part of this.#parts) part.gather(lists)
  }

  /** Whether it can be used again; then what its own parts read is put together once, not by each who uses it. */
  isValid(workingSet: WorkingSet): boolean {
    if (this.validAt === workingSet.revision) {
      if (this.#parts) this.#sorted()
      return true
    }
    if (!workingSet.unmoved(this.#sorted(), this.validAt)) return false
    this.validAt = workingSet.revision
    return true
  }

  #sorted(): Uint32Array {
    if (this.#read instanceof Uint32Array) return this.#read
    const cells = merged(this.#read, this.#parts)
    this.#read = cells
    this.#parts = null
    return cells
  }
}

/** More than every part of a large fleet; the older half goes when there are as many. */
const mostParts = 200_000

type Parts = Map<string, Map<string, Part<unknown>>>

/** Parts that several artifacts share, each kept until something it read moves. One per working set. */
export class Memos {
  /** By name, then by key. What is asked for moves from the older half to the younger one. */
  #young: Parts = new Map()
  #old: Parts = new Map()
  #youngCount = 0
  /** How many parts were made, for the tests and benches that count work instead of timing it. */
  made = 0

  get<T>(workingSet: WorkingSet, name: string, key: string, make: (data: unknown) => T): Part<T> {
    const young = this.#young.get(name)?.get(key) as Part<T> | undefined
    if (young?.isValid(workingSet)) return young
    const old = young ? undefined : (this.#old.get(name)?.get(key) as Part<T> | undefined)
    if (old?.isValid(workingSet)) return this.#keep(name, key, old)
    const recording = new Recording(workingSet, 'seen', this, null)
    const value = make(recording)
    this.made += 1
    return this.#keep(name, key, recording.part(value))
  }

  /** A new template generation makes every kept part worthless. */
  clear(): void {
    this.#young = new Map()
    this.#old = new Map()
    this.#youngCount = 0
  }

  #keep<T>(name: string, key: string, part: Part<T>): Part<T> {
    if (this.#youngCount >= mostParts / 2) {
      this.#old = this.#young
      this.#young = new Map()
      this.#youngCount = 0
    }
    let named = this.#young.get(name)
    if (!named) {
      named = new Map()
      this.#young.set(name, named)
    }
    const before = named.size
    named.set(key, part as Part<unknown>)
    this.#youngCount += named.size - before
    return part
  }
}

/** All cells in one sorted array, each once. The longest list is often a large part's, sorted already. */
function merged(read: readonly Cell[], parts: readonly Part<unknown>[] | null): Uint32Array {
  const lists: Cells[] = [read]
  if (parts) for (const part of parts) part.gather(lists)
  let longest: Uint32Array = none
  let length = 0
  for (const list of lists) {
    length += list.length
    if (list instanceof Uint32Array && list.length > longest.length) longest = list
  }
  const rest = new Uint32Array(length - longest.length)
  let at = 0
  for (const list of lists) {
    if (list !== longest) for (let i = 0; i < list.length; i++) rest[at++] = list[i]!
  }
  // A part may have been asked for twice.
  return union(rest.subarray(0, at).sort(), longest)
}

const none = new Uint32Array(0)
