import type { AnyRecord, Key, Slot } from './kindSchema.js'

/**
 * The data as it was at one revision, whatever is written meanwhile: whoever reads it in slices reads it to the end,
 * and copies nothing. Made by `WorkingSet.past`; its owner releases it in the end.
 */
export class Past {
  /** Trials are over whenever somebody else has a turn, and those that come after are not seen. */
  readonly isTried = false

  constructor(
    readonly revision: number,
    readonly tables: ReadonlyMap<string, PastTable>,
    private readonly isUnmoved: (dependencies: Uint32Array, revision: number) => boolean,
    readonly release: () => void,
  ) {}

  get(kind: string, id: number): AnyRecord | undefined {
    return this.#table(kind).slot(id)?.record
  }

  /** The records with these ids, which must be there. */
  records(kind: string, ids: readonly number[]): AnyRecord[] {
    const table = this.#table(kind)
    return ids.map((id) => table.slot(id)!.record)
  }

  ids(kind: string, index: string, key: Key): readonly number[] {
    return this.#table(kind).bucket(index, String(key))
  }

  allIds(kind: string): readonly number[] {
    return this.#table(kind).ids()
  }

  /** Whether none of these dependency keys moved after `revision`, nor will have been seen to here: unmoved until now is enough. */
  unmoved(dependencies: Uint32Array, revision: number): boolean {
    return revision <= this.revision && this.isUnmoved(dependencies, revision)
  }

  #table(kind: string): PastTable {
    const table = this.tables.get(kind)
    if (!table) throw new Error(`there is no kind '${kind}'`)
    return table
  }
}

/** The table as it is now. */
interface LiveTable {
  readonly lastId: number
  slot(id: number): Slot | undefined
  slotIds(): Iterable<number>
  ids(): readonly number[]
  bucket(index: string, key: string): readonly number[]
}

/** One table of it: what was changed since is noted here as it was, all else is in the table. */
export class PastTable {
  readonly slots = new Map<number, Slot | undefined>()
  /** By index and key. */
  readonly buckets = new Map<string, Map<string, readonly number[]>>()
  readonly lastId: number
  #ids: readonly number[] | null
  /** Records came or went since. */
  #hasMoved = false

  constructor(
    private readonly table: LiveTable,
    ids: readonly number[] | null,
  ) {
    this.lastId = table.lastId
    this.#ids = ids
  }

  slot(id: number): Slot | undefined {
    return this.slots.has(id) ? this.slots.get(id) : this.table.slot(id)
  }

  bucket(index: string, key: string): readonly number[] {
    return this.buckets.get(index)?.get(key) ?? this.table.bucket(index, key)
  }

  ids(): readonly number[] {
    this.#ids ??= this.#hasMoved ? this.#idsThen() : this.table.ids()
    return this.#ids
  }

  /** Called before a record of the table is replaced; the first time counts. */
  noteSlot(id: number, slot: Slot | undefined): void {
    if (!this.slots.has(id)) this.slots.set(id, slot)
  }

  /** Called before the ids under a key change. */
  noteBucket(index: string, key: string, ids: readonly number[]): void {
    let noted = this.buckets.get(index)
    if (!noted) {
      noted = new Map()
      this.buckets.set(index, noted)
    }
    if (!noted.has(key)) noted.set(key, ids)
  }

  /** Called before records come or go; with the ids, where they are known. */
  noteIds(ids: readonly number[] | null): void {
    if (!this.#hasMoved) this.#ids ??= ids
    this.#hasMoved = true
  }

  #idsThen(): number[] {
    const ids = [...this.table.slotIds()].filter((id) => !this.slots.has(id))
    for (const [id, slot] of this.slots) if (slot) ids.push(id)
    return ids.sort((a, b) => a - b)
  }
}
