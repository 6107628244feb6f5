import type { DependencyKey } from './dependencyKeys.js'

/**
 * Tables of dependency keys that may become very many. A table that is full is made anew as a whole, of a million dependency keys in a
 * tenth of a second, however small the step that filled it; so these are split by the dependency key, which is a hash.
 */
const parts = 256
const partOf = (dependency: DependencyKey): number => dependency & (parts - 1)
const split = <T>(make: () => T): T[] => Array.from({ length: parts }, make)

/** When each dependency key moved last. */
export class ChangedKeys {
  readonly #parts = split(() => new Map<DependencyKey, number>())

  /** 0 when it is not known to have moved. */
  at(dependency: DependencyKey): number {
    return this.#parts[partOf(dependency)]!.get(dependency) ?? 0
  }

  set(dependency: DependencyKey, revision: number): void {
    this.#parts[partOf(dependency)]!.set(dependency, revision)
  }

  get size(): number {
    return this.#parts.reduce((sum, { size }) => sum + size, 0)
  }

  /** Lets go, in steps, of those that did not move after `revision`. */
  *forget(revision: number): Generator<void, void> {
    for (const [at, part] of this.#parts.entries()) {
      const later = new Map<DependencyKey, number>()
      for (const [dependency, moved] of part) if (moved > revision) later.set(dependency, moved)
      this.#parts[at] = later
      yield
    }
  }
}

export class DependencySet {
  readonly #parts = split(() => new Set<DependencyKey>())

  add(dependency: DependencyKey): this {
    this.#parts[partOf(dependency)]!.add(dependency)
    return this
  }

  has(dependency: DependencyKey): boolean {
    return this.#parts[partOf(dependency)]!.has(dependency)
  }

  get size(): number {
    return this.#parts.reduce((sum, { size }) => sum + size, 0)
  }

  *[Symbol.iterator](): Generator<DependencyKey, void> {
    for (const part of this.#parts) yield* part
  }
}
