import { type Cell, union } from './cells.js'
import type { Fragment, FragmentKey } from './fragments.js'
import type { Noted } from './notes.js'
import type { TemplateSet } from './templates.js'
import type { WorkingSet } from './workingSet.js'

/** As they were noted, or sorted and each once. */
type Cells = readonly Cell[] | Uint32Array

/** A kept value, with what was noted and read for it, sorted once it has to be searched. */
export class Part<T = unknown> {
  #read: Cells
  #parts: readonly Part[] | null
  #validAt: number

  constructor(
    readonly value: T,
    readonly noted: Noted | null,
    read: { readonly cells: readonly Cell[]; readonly parts: readonly Part[] | null; readonly revision: number },
  ) {
    this.#read = read.cells
    this.#parts = read.parts
    this.#validAt = read.revision
  }

  /** Adds what was read, by itself and in its parts. */
  gather(lists: Cells[]): void {
    lists.push(this.#read)
    if (this.#parts) for (const part of this.#parts) part.gather(lists)
  }

  /** Whether it can be used again; then what its own parts read is put together once, not by each who uses it. */
  isValid(workingSet: WorkingSet): boolean {
    if (this.#validAt === workingSet.revision) {
      if (this.#parts) this.#sorted()
      return true
    }
    if (!workingSet.unmoved(this.#sorted(), this.#validAt)) return false
    this.#validAt = workingSet.revision
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

/** Parts by their keys, one level of maps for each. */
type Level = Map<string | number | boolean | null, unknown>
type Half = Map<Fragment, Level | Part>

/** Parts that several artifacts share, each kept until something it read moves. One per working set. */
export class Memos {
  /** What is asked for moves from the older half to the younger one. */
  #young: Half = new Map()
  #old: Half = new Map()
  #youngCount = 0
  #generation: number | null = null
  /** How many parts were made, for the tests and benches that count work instead of timing it. */
  made = 0

  /** Parts are laid out with these templates from now on; those that were with others are worthless. */
  layOutWith({ generation }: TemplateSet): void {
    if (this.#generation !== null && this.#generation !== generation) this.clear()
    this.#generation = generation
  }

  find<T>(workingSet: WorkingSet, fragment: Fragment, keys: readonly FragmentKey[]): Part<T> | null {
    const young = partIn<T>(this.#young, fragment, keys)
    if (young) return young.isValid(workingSet) ? young : null
    const old = partIn<T>(this.#old, fragment, keys)
    return old?.isValid(workingSet) ? this.#put(fragment, keys, old) : null
  }

  keep<T>(fragment: Fragment, keys: readonly FragmentKey[], part: Part<T>): Part<T> {
    this.made += 1
    return this.#put(fragment, keys, part)
  }

  /** A new template generation makes every kept part worthless. */
  clear(): void {
    this.#young = new Map()
    this.#old = new Map()
    this.#youngCount = 0
  }

  #put<T>(fragment: Fragment, keys: readonly FragmentKey[], part: Part<T>): Part<T> {
    if (this.#youngCount >= mostParts / 2) {
      this.#old = this.#young
      this.#young = new Map()
      this.#youngCount = 0
    }
    let level: Map<unknown, unknown> = this.#young
    let key: unknown = fragment
    for (const next of keys) {
      let below = level.get(key) as Level | undefined
      if (!below) {
        below = new Map()
        level.set(key, below)
      }
      level = below
      key = named(next)
    }
    const before = level.size
    level.set(key, part)
    this.#youngCount += level.size - before
    return part
  }
}

function partIn<T>(half: Half, fragment: Fragment, keys: readonly FragmentKey[]): Part<T> | undefined {
  let found: unknown = half.get(fragment)
  for (const key of keys) {
    if (found === undefined) return undefined
    found = (found as Level).get(named(key))
  }
  return found as Part<T> | undefined
}

/** A list stands for its numbers, not for itself. */
const named = (key: FragmentKey) => (typeof key === 'object' && key !== null ? key.join() : key)

/** All cells in one sorted array, each once. The longest list is often a large part's, sorted already. */
export function merged(read: readonly Cell[], parts: readonly Part[] | null): Uint32Array {
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
