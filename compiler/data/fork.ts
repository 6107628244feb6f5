import { DependencySet } from './changedKeys.js'
import type { AnyRecord, Key } from './kindSchema.js'
import type { KindTable } from './kindTable.js'
import { same } from './kindTable.js'

/**
 * The data at a revision, and changes beside it that nobody else sees. Read and changed like a working set under
 * trial, but not bound to one turn of the event loop: its owner may take as many as it likes.
 */
export class Fork {
  readonly #touched = new DependencySet()
  readonly #base: ReadonlyMap<string, KindTable>

  /**
   * Made by `WorkingSet.fork`.
   *
   * @param own the tables of the kinds it may change: copies
   * @param release ends it, adopted or not
   */
  constructor(
    readonly revision: number,
    base: ReadonlyMap<string, KindTable>,
    readonly own: ReadonlyMap<string, KindTable>,
    readonly release: () => void,
  ) {
    this.#base = base
  }

  get(kind: string, id: number): AnyRecord | undefined {
    return this.#table(kind).slot(id)?.record
  }

  ids(kind: string, index: string, key: Key): readonly number[] {
    return this.#table(kind).bucket(index, String(key))
  }

  allIds(kind: string): readonly number[] {
    return this.#table(kind).ids()
  }

  lastId(kind: string): number {
    return this.#table(kind).lastId
  }

  change(kind: string, id: number, after: AnyRecord | null): void {
    const table = this.own.get(kind)
    // Kinds that the schema does not name are passed over, as in `WorkingSet.apply`.
    if (!table && this.#base.has(kind)) throw new Error(`this fork cannot change '${kind}'`)
    table?.replace(id, after, this.#revisionOf(table, id, after), this.#touched)
  }

  /** What is as it was in the end was not written: no entry says that it was. */
  #revisionOf(own: KindTable, id: number, after: AnyRecord | null): number {
    const before = this.#base.get(own.kind)?.slot(id)
    const isFirst = own.slot(id) === before
    return before && !isFirst && same(before.record, after) ? before.revision : this.revision + 1
  }

  takeId(kind: string): number {
    return this.#table(kind).takeId()
  }

  reserve(kind: string, id: number): void {
    this.#table(kind).noteId(id)
  }

  /** What has moved, for `WorkingSet.adopt`; in steps. */
  *moved(): Generator<void, Moved> {
    const list = new Uint32Array(this.#touched.size)
    let at = 0
    for (const dependency of this.#touched) {
      list[at++] = dependency
      yield
    }
    return new Moved(this.revision + 1, list, this.#touched)
  }

  #table(kind: string): KindTable {
    const table = this.own.get(kind) ?? this.#base.get(kind)
    if (!table) throw new Error(`there is no kind '${kind}'`)
    return table
  }
}

/** The dependency keys that one entry touched. */
export class Moved {
  constructor(
    readonly revision: number,
    readonly list: Uint32Array,
    private readonly dependencies: DependencySet,
  ) {}

  holdsOneOf(dependencies: Uint32Array): boolean {
    for (const dependency of dependencies) if (this.dependencies.has(dependency)) return true
    return false
  }
}
