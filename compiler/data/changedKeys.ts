import type { DependencyKey } from './dependencyKeys.js'

/**
 * Tables of dependency keys that may become very many. A table that is full is made anew as a whole, of a million dependency keys in a
 * tenth of a second, however small the step that filled it; so these are split by the dependency key, which is a hash.
 */
const parts = 256
const partOf = (cell: DependencyKey): number => cell & (parts - 1)
const split = <T>(make: () => T): T[] => Array.from({ length: parts }, make)

/** When each dependency key moved last. */
export class ChangedKeys {
  readonly #parts = split(() => new Map<DependencyKey, number>())

  /** 0 when it is not known to have moved. */
  at(cell: DependencyKey): number {
    return this.#parts[partOf(cell)]!.get(cell) ?? 0
  }

  set(cell: DependencyKey, revision: number): void {
    this.#parts[partOf(cell)]!.set(cell, revision)
  }

  get size(): number {
    return this.#parts.reduce((sum, { size }) => sum + size, 0)
  }

  /** Lets go, in steps, of those that did not move after `revision`. */
  *forget(revision: number): Generator<void, void> {
    for (const [at, part] of this.#parts.entries()) {
      const later = new Map<DependencyKey, number>()
      for (const [cell, moved] of part) if (moved > revision) later.set(cell, moved)
      this.#parts[at] = later
      yield
    }
  }
}

export class CellSet {
  readonly #parts = split(() => new Set<DependencyKey>())

  add(cell: DependencyKey): this {
    this.#parts[partOf(cell)]!.add(cell)
    return this
  }

  has(cell: DependencyKey): boolean {
    return this.#parts[partOf(cell)]!.has(cell)
  }

  get size(): number {
    return this.#parts.reduce((sum, { size }) => sum + size, 0)
  }

  *[Symbol.iterator](): Generator<DependencyKey, void> {
    for (const part of this.#parts) yield* part
  }
}
