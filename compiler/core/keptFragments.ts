import type { DependencyKey } from '../data/dependencyKeys.js'
import { union } from '../data/dependencyKeys.js'
import type { WorkingSet } from '../data/workingSet.js'
import type { Member } from './budget.js'
import type { Noted } from './notes.js'
import type { Fragment, FragmentKey } from './reader.js'
import type { TemplateSet } from './templates.js'

/** What says whether something moved. */
type Moving = Pick<WorkingSet, 'revision' | 'unmoved'>

/** As they were noted, or sorted and each once. */
type Dependencies = readonly DependencyKey[] | Uint32Array

/** A kept value, with what was noted and read for it, sorted once it has to be searched. */
export class Part<T = unknown> {
  /** About what it takes in memory, without the parts it was made of. */
  readonly bytes: number
  /** How many dependency keys it has at most, with those of its parts. */
  readonly keyCount: number
  #read: Dependencies
  #parts: readonly Part[] | null
  #validAt: number

  constructor(
    readonly value: T,
    readonly noted: Noted | null,
    read: {
      readonly dependencies: readonly DependencyKey[]
      readonly parts: readonly Part[] | null
      readonly revision: number
    },
  ) {
    this.#read = read.dependencies
    this.#parts = read.parts
    this.#validAt = read.revision
    this.keyCount = read.dependencies.length
    if (read.parts) for (const { keyCount } of read.parts) this.keyCount += keyCount
    this.bytes = 250 + 4 * (this.keyCount + read.dependencies.length) + bytesOf(value)
  }

  /** Adds what was read, by itself and in its parts. */
  gather(lists: Dependencies[]): void {
    lists.push(this.#read)
    if (this.#parts) for (const part of this.#parts) part.gather(lists)
  }

  /** Whether it can be used again; then what its own parts read is put together once, not by each who uses it. */
  isValid(workingSet: Moving): boolean {
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
    const dependencies = merged(this.#read, this.#parts)
    this.#read = dependencies
    this.#parts = null
    return dependencies
  }
}

/** Texts count, and what belongs to a value alone; what its lists refer to is mostly another part's. */
function bytesOf(value: unknown): number {
  if (typeof value === 'string') return 24 + value.length
  if (typeof value !== 'object' || value === null) return 0
  if (Array.isArray(value)) return 32 + value.reduce((sum, one) => sum + 8 + textBytes(one), 0)
  return Object.values(value).reduce((sum, one) => sum + 8 + (Array.isArray(one) ? bytesOf(one) : textBytes(one)), 64)
}

const textBytes = (value: unknown): number =>
  typeof value === 'string' ? 24 + value.length : typeof value === 'object' && value !== null ? 64 : 0

/** Parts that several artifacts share, each kept until something it read moves. One per working set. */
export class FragmentCache implements Member {
  /** What is asked for moves from the older half to the younger one. */
  #young = new Half()
  #old = new Half()
  #generation: number | null = null
  /** How many parts were made, for the tests and benches that count work instead of timing it. */
  made = 0

  /** @param maxBytes when the older half goes, by what parts take themselves */
  constructor(private readonly maxBytes = 128 * 2 ** 20) {}

  get bytes(): number {
    return this.#young.bytes + this.#old.bytes
  }

  shrink(): boolean {
    if (this.bytes === 0) return false
    if (this.#old.bytes > 0) this.#old = new Half()
    else this.#young = new Half()
    return true
  }

  /** Parts are laid out with these templates from now on; those that were with others are worthless. */
  layOutWith({ generation }: TemplateSet): void {
    if (this.#generation !== null && this.#generation !== generation) this.clear()
    this.#generation = generation
  }

  find<T>(workingSet: Moving, fragment: Fragment, keys: readonly FragmentKey[]): Part<T> | null {
    const young = this.#young.find<T>(fragment, keys)
    if (young) return young.isValid(workingSet) ? young : null
    const old = this.#old.find<T>(fragment, keys)
    return old?.isValid(workingSet) ? this.#put(fragment, keys, old) : null
  }

  /** Lets go of every part that something moved under; gives way after each few. */
  *sweep(workingSet: Moving): Iterable<void> {
    for (const half of [this.#young, this.#old]) yield* half.sweep(workingSet)
  }

  keep<T>(fragment: Fragment, keys: readonly FragmentKey[], part: Part<T>): Part<T> {
    this.made += 1
    return this.#put(fragment, keys, part)
  }

  /** A new template generation makes every kept part worthless. */
  clear(): void {
    this.#young = new Half()
    this.#old = new Half()
  }

  #put<T>(fragment: Fragment, keys: readonly FragmentKey[], part: Part<T>): Part<T> {
    if (this.#young.bytes >= this.maxBytes / 2) {
      this.#old = this.#young
      this.#young = new Half()
    }
    this.#young.put(fragment, keys, part)
    return part
  }
}

/** Parts by their fragment and keys, one level of maps for each. */
class Half {
  readonly #parts: Level = new Map()
  bytes = 0

  find<T>(fragment: Fragment, keys: readonly FragmentKey[]): Part<T> | undefined {
    let found = this.#parts.get(fragment)
    for (const key of keys) {
      if (found === undefined) return undefined
      found = (found as Level).get(named(key))
    }
    return found as Part<T> | undefined
  }

  put(fragment: Fragment, keys: readonly FragmentKey[], part: Part): void {
    let level = this.#parts
    let key: LevelKey = fragment
    for (const next of keys) {
      let below = level.get(key) as Level | undefined
      if (!below) {
        below = new Map()
        level.set(key, below)
      }
      level = below
      key = named(next)
    }
    this.bytes += part.bytes - ((level.get(key) as Part | undefined)?.bytes ?? 0)
    level.set(key, part)
  }

  *sweep(workingSet: Moving, level = this.#parts): Iterable<void> {
    let looked = 0
    for (const [key, found] of level) {
      looked += 1
      if (looked % 64 === 0) yield
      if (found instanceof Part) {
        if (found.isValid(workingSet)) continue
        this.bytes -= found.bytes
      } else {
        yield* this.sweep(workingSet, found)
        if (found.size > 0) continue
      }
      level.delete(key)
    }
  }
}

type LevelKey = Fragment | string | number | boolean | null
type Level = Map<LevelKey, Level | Part>

/** A list stands for its numbers, not for itself. */
const named = (key: FragmentKey) => (typeof key === 'object' && key !== null ? key.join() : key)

/** All dependency keys in one sorted array, each once. The longest list is often a large part's, sorted already. */
export function merged(read: readonly DependencyKey[], parts: readonly Part[] | null): Uint32Array {
  const lists: Dependencies[] = [read]
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
