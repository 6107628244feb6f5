import { type Cell, indexCell, kindCell, recordCell } from './cells.js'
import type { Key } from './model.js'

/** A record as it is stored; frozen once it is in the working set. */
export type AnyRecord = Readonly<{ id: number }>

export interface KindSchema {
  /** The fields the compiler may read; `null` when no compile reads the kind, so only `full` cells move. */
  readonly seen: readonly string[] | null
  readonly indexes: Readonly<Record<string, (record: never) => Key | null | readonly Key[]>>
}

export type Schema = Readonly<Record<string, KindSchema>>

export interface AppliedChange {
  readonly kind: string
  readonly id: number
  readonly after: AnyRecord | null
}

/**
 * Every record in memory, with its indexes, at one revision.
 *
 * `apply` replaces records and notes which cells the revision touched; `trial` changes records for the length
 * of one synchronous decision and puts everything back. Kinds that the schema does not name are passed over:
 * a compiling thread holds only what compiles may read.
 */
export class WorkingSet {
  revision = 0
  readonly #kinds = new Map<string, KindTable>()
  readonly #movedAt = new Map<Cell, number>()
  /** Cells touched per revision, the oldest first; `#touched[0]` belongs to `#firstTouched`. */
  #touched: Uint32Array[] = []
  #firstTouched = 1

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
    const touched = new Set<Cell>()
    for (const { kind, id, after } of entry.changes) {
      this.#kinds.get(kind)?.replace(id, after, entry.revision, touched)
    }
    this.revision = entry.revision
    for (const cell of touched) this.#movedAt.set(cell, entry.revision)
    this.#touched.push(Uint32Array.from(touched))
    if (this.#touched.length > 2 * keptTouches) {
      this.#touched = this.#touched.slice(-keptTouches)
      this.#firstTouched = this.revision - keptTouches + 1
    }
  }

  /** Changes that are seen at once and taken back by `rollback`; nothing asynchronous may come between. */
  trial(): Trial {
    const undo: (() => void)[] = []
    return {
      change: (kind, id, after) => {
        const table = this.#table(kind)
        const before = table.slot(id)
        const { lastId } = table
        undo.push(() => {
          table.replace(id, before?.record ?? null, before?.revision ?? 0, null)
          table.lastId = lastId
        })
        table.replace(id, after, this.revision + 1, null)
      },
      takeId: (kind) => {
        const table = this.#table(kind)
        const { lastId } = table
        undo.push(() => {
          table.lastId = lastId
        })
        return table.takeId()
      },
      reserve: (kind, id) => {
        const table = this.#table(kind)
        const { lastId } = table
        undo.push(() => {
          table.lastId = lastId
        })
        table.noteId(id)
      },
      mark: () => undo.length,
      rollback: (mark = 0) => {
        while (undo.length > mark) undo.pop()!()
      },
    }
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

  /** Whether none of these cells moved after `revision`. `cells` is sorted. */
  unmoved(cells: Uint32Array, revision: number): boolean {
    if (revision >= this.revision) return true
    let touches = 0
    const from = revision + 1 - this.#firstTouched
    if (from >= 0) {
      for (let i = from; i < this.#touched.length; i++) touches += this.#touched[i]!.length
      if (touches * 4 <= cells.length) {
        for (let i = from; i < this.#touched.length; i++) {
          for (const cell of this.#touched[i]!) if (holds(cells, cell)) return false
        }
        return true
      }
    }
    for (const cell of cells) if ((this.#movedAt.get(cell) ?? 0) > revision) return false
    return true
  }

  #table(kind: string): KindTable {
    const table = this.#kinds.get(kind)
    if (!table) throw new Error(`there is no kind '${kind}'`)
    return table
  }
}

export interface Trial {
  change(kind: string, id: number, after: AnyRecord | null): void
  /** An id that no record of the kind ever had; given back by the rollback. */
  takeId(kind: string): number
  /** Ids taken from here on are larger than `id`. */
  reserve(kind: string, id: number): void
  /** Where a part of the trial begins, to roll back to. */
  mark(): number
  rollback(mark?: number): void
}

/** Older touches are only needed by artifacts nobody asked for since; those look cells up one by one. */
const keptTouches = 4096

interface Slot {
  readonly record: AnyRecord
  readonly revision: number
}

type Buckets = Map<string, number[]>

class KindTable {
  lastId = 0
  readonly #slots = new Map<number, Slot>()
  readonly #indexes: [name: string, keysOf: (record: AnyRecord) => readonly string[], buckets: Buckets][]
  readonly #buckets: ReadonlyMap<string, Buckets>
  #ids: number[] | null = []

  constructor(
    readonly kind: string,
    readonly schema: KindSchema,
  ) {
    this.#indexes = Object.entries(schema.indexes).map(([name, keysOf]) => [name, asKeys(keysOf), new Map()])
    this.#buckets = new Map(this.#indexes.map(([name, , buckets]) => [name, buckets]))
  }

  get size(): number {
    return this.#slots.size
  }

  slot(id: number): Slot | undefined {
    return this.#slots.get(id)
  }

  bucket(index: string, key: string): readonly number[] {
    const buckets = this.#buckets.get(index)
    if (!buckets) throw new Error(`'${this.kind}' has no index '${index}'`)
    return buckets.get(key) ?? nothing
  }

  ids(): readonly number[] {
    this.#ids ??= [...this.#slots.keys()].sort((a, b) => a - b)
    return this.#ids
  }

  noteId(id: number): void {
    if (id > this.lastId) this.lastId = id
  }

  takeId(): number {
    this.lastId += 1
    return this.lastId
  }

  put(record: AnyRecord, revision: number): void {
    this.replace(record.id, record, revision, null)
  }

  replace(id: number, after: AnyRecord | null, revision: number, touched: Set<Cell> | null): void {
    const before = this.#slots.get(id)?.record ?? null
    if (before === null && after === null) return
    if (after === null) this.#slots.delete(id)
    else {
      this.#slots.set(id, { record: freeze(after), revision })
      this.noteId(id)
    }
    if (before === null || after === null) this.#ids = null
    const moved = touched && this.#movedFor(before, after)
    if (touched) this.#touchRecord(id, moved === true, before === null || after === null, touched)
    for (const [name, keysOf, buckets] of this.#indexes) {
      const keysBefore = before === null ? noKeys : keysOf(before)
      const keysAfter = after === null ? noKeys : keysOf(after)
      for (const key of keysBefore) {
        if (keysAfter.includes(key)) {
          if (touched) this.#touchKey(name, key, moved === true, touched)
        } else this.#leave(name, buckets, key, id, touched)
      }
      for (const key of keysAfter) if (!keysBefore.includes(key)) this.#join(name, buckets, key, id, touched)
    }
  }

  #movedFor(before: AnyRecord | null, after: AnyRecord | null): boolean {
    if (this.schema.seen === null) return false
    if (before === null || after === null) return true
    return this.schema.seen.some((field) => !same(before[field as 'id'], after[field as 'id']))
  }

  #touchRecord(id: number, seen: boolean, member: boolean, touched: Set<Cell>): void {
    touched.add(recordCell(this.kind, id, 'full'))
    touched.add(kindCell(this.kind, 'full'))
    if (seen) touched.add(recordCell(this.kind, id, 'seen')).add(kindCell(this.kind, 'seen'))
    if (member) touched.add(kindCell(this.kind, 'members'))
  }

  #touchKey(index: string, key: string, seen: boolean, touched: Set<Cell>): void {
    touched.add(indexCell(this.kind, index, key, 'full'))
    if (seen) touched.add(indexCell(this.kind, index, key, 'seen'))
  }

  #join(index: string, buckets: Buckets, key: string, id: number, touched: Set<Cell> | null): void {
    const bucket = buckets.get(key)
    if (bucket) insert(bucket, id)
    else buckets.set(key, [id])
    if (touched) this.#touchMembers(index, key, bucket === undefined, touched)
  }

  #leave(index: string, buckets: Buckets, key: string, id: number, touched: Set<Cell> | null): void {
    const bucket = buckets.get(key)!
    bucket.splice(position(bucket, id), 1)
    if (bucket.length === 0) buckets.delete(key)
    if (touched) this.#touchMembers(index, key, bucket.length === 0, touched)
  }

  #touchMembers(index: string, key: string, some: boolean, touched: Set<Cell>): void {
    this.#touchKey(index, key, true, touched)
    touched.add(indexCell(this.kind, index, key, 'members'))
    if (some) touched.add(indexCell(this.kind, index, key, 'some'))
  }
}

const nothing: readonly number[] = Object.freeze([])
const noKeys: readonly string[] = Object.freeze([])

function asKeys(keysOf: KindSchema['indexes'][string]): (record: AnyRecord) => readonly string[] {
  return (record) => {
    const keys = keysOf(record as never)
    if (keys === null) return noKeys
    if (typeof keys === 'object') return keys.length > 1 ? [...new Set(keys.map(String))] : keys.map(String)
    return [String(keys)]
  }
}

function freeze(record: AnyRecord): AnyRecord {
  if (Object.isFrozen(record)) return record
  for (const value of Object.values(record)) if (typeof value === 'object' && value !== null) Object.freeze(value)
  return Object.freeze(record)
}

/** Equality of field values: JSON values, compared by content. */
export function same(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  return JSON.stringify(a) === JSON.stringify(b)
}

/** Where `id` is in a sorted array, or would have to be. */
function position(ids: readonly number[], id: number): number {
  let low = 0
  let high = ids.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (ids[middle]! < id) low = middle + 1
    else high = middle
  }
  return low
}

function insert(ids: number[], id: number): void {
  if (ids.length === 0 || ids[ids.length - 1]! < id) ids.push(id)
  else ids.splice(position(ids, id), 0, id)
}

function holds(sorted: Uint32Array, cell: Cell): boolean {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >>> 1
    const value = sorted[middle]!
    if (value === cell) return true
    if (value < cell) low = middle + 1
    else high = middle
  }
  return false
}
