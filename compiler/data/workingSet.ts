import { ChangedKeys } from './changedKeys.js'
import type { DependencyKey } from './dependencyKeys.js'
import type { Moved } from './fork.js'
import { Fork } from './fork.js'
import type { AnyRecord, Key, Schema } from './kindSchema.js'
import type { Touched } from './kindTable.js'
import { KindTable } from './kindTable.js'
import { Past } from './past.js'

export interface AppliedChange {
  readonly kind: string
  readonly id: number
  readonly after: AnyRecord | null
}

/**
 * Every record in memory, with its indexes, at one revision.
 *
 * `apply` replaces records and notes which dependency keys the revision touched; `trial` changes records for the length
 * of one synchronous decision and puts everything back. Kinds that the schema does not name are passed over:
 * a compiling thread holds only what compiles may read.
 */
export class WorkingSet {
  revision = 0
  readonly #kinds = new Map<string, KindTable>()
  /** When a dependency key moved last, as far as it was after `#horizon`. */
  readonly #movedAt = new ChangedKeys()
  #horizon = 0
  /** Dependency keys touched per revision, the oldest first; `#touched[0]` belongs to `#firstTouched`. */
  #touched: Uint32Array[] = []
  #firstTouched = 1
  /** What large entries touched and `settle` has not put into `#movedAt` yet. */
  readonly #moved: Moved[] = []
  /** Changes of trials that are not taken back yet. */
  #tried = 0
  /** Forks and pasts that may share arrays with the tables. */
  #forks = 0

  constructor(readonly schema: Schema) {
    for (const [kind, declaration] of Object.entries(schema)) this.#kinds.set(kind, new KindTable(kind, declaration))
  }

  /** Fills an empty working set with the records at `revision`. */
  load(
    revision: number,
    records: Iterable<{ kind: string; record: AnyRecord; revision: number }>,
    lastIds: Readonly<Record<string, number>> = {},
  ): void {
    for (const { kind, record, revision: wroteAt } of records) this.#kinds.get(kind)?.put(record, wroteAt)
    for (const [kind, id] of Object.entries(lastIds)) this.#kinds.get(kind)?.noteId(id)
    this.revision = revision
    this.#firstTouched = revision + 1
  }

  /** Moves to the next revision. Entries must come in order. */
  apply(entry: { readonly revision: number; readonly changes: readonly AppliedChange[] }): void {
    if (entry.revision !== this.revision + 1) {
      throw new Error(`revision ${entry.revision} cannot follow ${this.revision}`)
    }
    const touched = new Set<DependencyKey>()
    for (const { kind, id, after } of entry.changes) {
      this.#kinds.get(kind)?.replace(id, after, entry.revision, touched)
    }
    this.revision = entry.revision
    for (const dependency of touched) this.#movedAt.set(dependency, entry.revision)
    this.#noteTouched(Uint32Array.from(touched))
  }

  #noteTouched(dependencies: Uint32Array): void {
    this.#touched.push(dependencies)
    if (this.#touched.length > 2 * keptTouches) {
      this.#touched = this.#touched.slice(-keptTouches)
      this.#firstTouched = this.revision - keptTouches + 1
    }
  }

  /** The data as it is now, to be read in as many turns as it takes; whoever asked for it releases it. */
  past(): Past {
    if (this.isTried) throw new Error('what is only tried has no past')
    const live = [...this.#kinds]
    const tables = new Map(live.map(([kind, table]) => [kind, table.past()]))
    const release = this.#lent(() => {
      for (const [kind, table] of live) table.forget(tables.get(kind)!)
    })
    return new Past(this.revision, tables, (dependencies, revision) => this.unmoved(dependencies, revision), release)
  }

  /**
   * The data with changes of its own beside it, made in steps, as it was when the first was made: what is decided or
   * applied there is seen by nobody until `adopt`. `kinds` are those it may change, which are copied; others are as
   * they are now. Its owner releases it in the end.
   */
  *fork(kinds: Iterable<string>): Generator<void, Fork> {
    const past = this.past()
    const release = this.#lent(() => undefined)
    const live = new Map(this.#kinds)
    const own = new Map<string, KindTable>()
    let isMade = false
    try {
      for (const kind of kinds) {
        const table = live.get(kind)
        if (table) own.set(kind, yield* table.copy(past.tables.get(kind)!))
      }
      isMade = true
      return new Fork(past.revision, new Map(this.#kinds), own, release)
    } finally {
      past.release()
      if (!isMade) release()
    }
  }

  /** Tables may share arrays with others until what it returns is called. */
  #lent(end: () => void): () => void {
    this.#forks += 1
    let isReleased = false
    return () => {
      if (isReleased) return
      isReleased = true
      end()
      this.#forks -= 1
      if (this.#forks === 0) for (const table of this.#kinds.values()) table.keep()
    }
  }

  /**
   * Moves to the next revision with all that a fork changed: at once for every reader, whatever there was to do. What
   * moved is known from here on; `settle` puts it where it is looked up fastest.
   */
  adopt(fork: Fork, moved: Moved): void {
    if (fork.revision !== this.revision) throw new Error(`revision ${fork.revision} is not the present one any more`)
    for (const [kind, table] of fork.own) this.#kinds.set(kind, table)
    this.revision = moved.revision
    this.#moved.push(moved)
    this.#noteTouched(moved.list)
  }

  /** What `adopt` left to do, in steps. */
  *settle(moved: Moved): Generator<void, void> {
    for (const dependency of moved.list) {
      if (this.#movedAt.at(dependency) < moved.revision) this.#movedAt.set(dependency, moved.revision)
      yield
    }
    this.#moved.splice(this.#moved.indexOf(moved), 1)
  }

  /** Changes that are seen at once and taken back by `rollback`; nothing asynchronous may come between. */
  trial(): Trial {
    const undo: (() => void)[] = []
    const later = (takeBack: () => void): void => {
      undo.push(takeBack)
      this.#tried += 1
    }
    return {
      change: (kind, id, after, touched = null) => {
        const table = this.#table(kind)
        const before = table.slot(id)
        const { lastId } = table
        later(() => {
          table.replace(id, before?.record ?? null, before?.revision ?? 0, null)
          table.lastId = lastId
        })
        table.replace(id, after, this.revision + 1, touched)
      },
      takeId: (kind) => {
        const table = this.#table(kind)
        const { lastId } = table
        later(() => {
          table.lastId = lastId
        })
        return table.takeId()
      },
      reserve: (kind, id) => {
        const table = this.#table(kind)
        const { lastId } = table
        later(() => {
          table.lastId = lastId
        })
        table.noteId(id)
      },
      mark: () => undo.length,
      rollback: (mark = 0) => {
        for (; undo.length > mark; this.#tried -= 1) undo.pop()!()
      },
    }
  }

  /** Whether the data is what a trial made of it, which nobody may keep anything of. */
  get isTried(): boolean {
    return this.#tried > 0
  }

  get(kind: string, id: number): AnyRecord | undefined {
    return this.#table(kind).slot(id)?.record
  }

  /** The records with these ids, which must be there. */
  records(kind: string, ids: readonly number[]): AnyRecord[] {
    const table = this.#table(kind)
    return ids.map((id) => table.slot(id)!.record)
  }

  /** The revision that wrote a record last; 0 when there is none. */
  revisionOf(kind: string, id: number): number {
    return this.#table(kind).slot(id)?.revision ?? 0
  }

  /** The ids under an index key, ascending. The array is live: do not keep it. */
  ids(kind: string, index: string, key: Key): readonly number[] {
    return this.#table(kind).bucket(index, String(key))
  }

  /** All ids of a kind, ascending. */
  allIds(kind: string): readonly number[] {
    return this.#table(kind).ids()
  }

  count(kind: string): number {
    return this.#table(kind).size
  }

  /** The largest id that a record of the kind ever had. */
  lastId(kind: string): number {
    return this.#table(kind).lastId
  }

  lastIds(): Record<string, number> {
    return Object.fromEntries([...this.#kinds].map(([kind, table]) => [kind, table.lastId]))
  }

  /** Whether none of these dependency keys moved after `revision`. `dependencies` is sorted. */
  unmoved(dependencies: Uint32Array, revision: number): boolean {
    if (revision >= this.revision) return true
    if (revision < this.#horizon) return false
    let touches = 0
    const from = revision + 1 - this.#firstTouched
    if (from >= 0) {
      for (let i = from; i < this.#touched.length && touches * 4 <= dependencies.length; i++) {
        touches += this.#touched[i]!.length
      }
      if (touches * 4 <= dependencies.length) {
        for (let i = from; i < this.#touched.length; i++) {
          for (const dependency of this.#touched[i]!) if (holds(dependencies, dependency)) return false
        }
        return true
      }
    }
    for (const dependency of dependencies) if (this.#movedAt.at(dependency) > revision) return false
    for (const moved of this.#moved) if (moved.revision > revision && moved.holdsOneOf(dependencies)) return false
    return true
  }

  /**
   * Lets go of what is only known for the sake of older answers: whatever was last found valid before `revision`
   * counts as moved from the first of these steps on.
   */
  *forget(revision: number): Generator<void, void> {
    if (revision <= this.#horizon) return
    this.#horizon = revision
    yield* this.#movedAt.forget(revision)
  }

  /** How many dependency keys are known to have moved. */
  get rememberedDependencies(): number {
    return this.#movedAt.size
  }

  #table(kind: string): KindTable {
    const table = this.#kinds.get(kind)
    if (!table) throw new Error(`there is no kind '${kind}'`)
    return table
  }
}

export interface Trial {
  /** @param touched is given the dependency keys that move with it, where somebody wants to know */
  change(kind: string, id: number, after: AnyRecord | null, touched?: Touched | null): void
  /** An id that no record of the kind ever had; given back by the rollback. */
  takeId(kind: string): number
  /** Ids taken from here on are larger than `id`. */
  reserve(kind: string, id: number): void
  /** Where a part of the trial begins, to roll back to. */
  mark(): number
  rollback(mark?: number): void
}

/** Older touches are only needed by artifacts nobody asked for since; those look dependency keys up one by one. */
const keptTouches = 4096

function holds(sorted: Uint32Array, dependency: DependencyKey): boolean {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >>> 1
    const value = sorted[middle]!
    if (value === dependency) return true
    if (value < dependency) low = middle + 1
    else high = middle
  }
  return false
}
