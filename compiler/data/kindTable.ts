import type { DependencyKey } from './dependencyKeys.js'
import { indexKey, kindKey, recordKey } from './dependencyKeys.js'
import type { AnyRecord, KindSchema, Slot } from './kindSchema.js'
import { PastTable } from './past.js'

/** What takes the dependency keys that a change moves. */
export interface Touched {
  add(dependency: DependencyKey): this
}

type Buckets = Map<string, number[]>

/** The records of one kind with their indexes. */
export class KindTable {
  lastId = 0
  readonly #slots = new Map<number, Slot>()
  readonly #indexes: [name: string, keysOf: (record: AnyRecord) => readonly string[], buckets: Buckets][]
  readonly #buckets: ReadonlyMap<string, Buckets>
  #ids: number[] | null = []
  /** The arrays that nobody else reads and that may change: those made since others were lent. `null` when all may. */
  #own: Set<readonly number[]> | null = null
  /** Who reads it as it was: told what is replaced, before it is. */
  readonly #pasts = new Set<PastTable>()

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

  /** The ids of all records, in no order. */
  slotIds(): Iterable<number> {
    return this.#slots.keys()
  }

  /** The table as it is now, to be read whatever becomes of it; `forget` ends it. */
  past(): PastTable {
    this.#own = new Set()
    const past = new PastTable(this, this.#ids)
    this.#pasts.add(past)
    return past
  }

  forget(past: PastTable): void {
    this.#pasts.delete(past)
  }

  /** A table of its own with the records of `past`, made in steps. The arrays are shared until they change. */
  *copy(past: PastTable): Generator<void, KindTable> {
    const copy = new KindTable(this.kind, this.schema)
    copy.lastId = past.lastId
    copy.#own = new Set()
    for (const id of [...this.#slots.keys()]) {
      const slot = this.#slots.get(id)
      if (slot) copy.#slots.set(id, slot)
      yield
    }
    for (const [name, , buckets] of this.#indexes) {
      const copied = copy.#buckets.get(name)!
      for (const key of [...buckets.keys()]) {
        const bucket = buckets.get(key)
        if (bucket) copied.set(key, bucket)
        yield
      }
    }
    copy.#takeBack(past)
    return copy
  }

  /** What was written while it was copied. */
  #takeBack(past: PastTable): void {
    for (const [id, slot] of past.slots) {
      if (slot) this.#slots.set(id, slot)
      else this.#slots.delete(id)
    }
    for (const [name, noted] of past.buckets) {
      const buckets = this.#buckets.get(name)!
      for (const [key, ids] of noted) {
        if (ids.length > 0) buckets.set(key, ids as number[])
        else buckets.delete(key)
      }
    }
    this.#ids = past.ids() as number[]
  }

  /** Nothing shares arrays with it any more. */
  keep(): void {
    this.#own = null
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

  replace(id: number, after: AnyRecord | null, revision: number, touched: Touched | null): void {
    const slot = this.#slots.get(id)
    const before = slot?.record ?? null
    if (before === null && after === null) return
    for (const past of this.#pasts) {
      past.noteSlot(id, slot)
      if (before === null || after === null) past.noteIds(this.#ids)
    }
    if (after === null) this.#slots.delete(id)
    else {
      this.#slots.set(id, { record: freeze(after), revision })
      this.noteId(id)
    }
    if (before === null && this.#ids !== null && (this.#ids.at(-1) ?? 0) < id) this.#ids = this.#grown(this.#ids, id)
    else if (before === null || after === null) this.#ids = null
    const moved = touched && this.#movedFor(before, after)
    if (touched) this.#touchRecord(id, moved === true, before === null || after === null, touched)
    for (const [name, keysOf, buckets] of this.#indexes) {
      const keysBefore = before === null ? noKeys : keysOf(before)
      const keysAfter = after === null ? noKeys : keysOf(after)
      const isBefore = among(keysBefore)
      const isAfter = among(keysAfter)
      for (const key of keysBefore) {
        if (isAfter(key)) {
          if (touched) this.#touchKey(name, key, moved === true, touched)
        } else this.#leave(name, buckets, key, id, touched)
      }
      for (const key of keysAfter) if (!isBefore(key)) this.#join(name, buckets, key, id, touched)
    }
  }

  #movedFor(before: AnyRecord | null, after: AnyRecord | null): boolean {
    if (this.schema.seen === null) return false
    if (before === null || after === null) return true
    return this.schema.seen.some((field) => !same(before[field as 'id'], after[field as 'id']))
  }

  #touchRecord(id: number, seen: boolean, member: boolean, touched: Touched): void {
    touched.add(recordKey(this.kind, id, 'full'))
    touched.add(kindKey(this.kind, 'full'))
    if (seen) touched.add(recordKey(this.kind, id, 'seen')).add(kindKey(this.kind, 'seen'))
    if (member) touched.add(kindKey(this.kind, 'members'))
  }

  #touchKey(index: string, key: string, seen: boolean, touched: Touched): void {
    touched.add(indexKey(this.kind, index, key, 'full'))
    if (seen) touched.add(indexKey(this.kind, index, key, 'seen'))
  }

  #join(index: string, buckets: Buckets, key: string, id: number, touched: Touched | null): void {
    const bucket = buckets.get(key)
    this.#tell(index, key, bucket ?? nothing)
    if (bucket) insert(this.#changing(buckets, key, bucket), id)
    else buckets.set(key, this.#noted([id]))
    if (touched) this.#touchMembers(index, key, bucket === undefined, touched)
  }

  #leave(index: string, buckets: Buckets, key: string, id: number, touched: Touched | null): void {
    this.#tell(index, key, buckets.get(key)!)
    const bucket = this.#changing(buckets, key, buckets.get(key)!)
    bucket.splice(position(bucket, id), 1)
    if (bucket.length === 0) buckets.delete(key)
    if (touched) this.#touchMembers(index, key, bucket.length === 0, touched)
  }

  /** The array under a key, as one that may change. */
  #changing(buckets: Buckets, key: string, bucket: number[]): number[] {
    if (this.#own === null || this.#own.has(bucket)) return bucket
    const copy = this.#noted(bucket.slice())
    buckets.set(key, copy)
    return copy
  }

  #grown(ids: number[], id: number): number[] {
    const own = this.#own === null || this.#own.has(ids) ? ids : this.#noted(ids.slice())
    own.push(id)
    return own
  }

  #noted(array: number[]): number[] {
    this.#own?.add(array)
    return array
  }

  #tell(index: string, key: string, ids: readonly number[]): void {
    for (const past of this.#pasts) past.noteBucket(index, key, ids)
  }

  #touchMembers(index: string, key: string, some: boolean, touched: Touched): void {
    this.#touchKey(index, key, true, touched)
    touched.add(indexKey(this.kind, index, key, 'members'))
    if (some) touched.add(indexKey(this.kind, index, key, 'some'))
  }
}

const nothing: readonly number[] = Object.freeze([])
const noKeys: readonly string[] = Object.freeze([])

/** Most records have few keys in an index, some have thousands. */
function among(keys: readonly string[]): (key: string) => boolean {
  if (keys.length <= 16) return (key) => keys.includes(key)
  const set = new Set(keys)
  return (key) => set.has(key)
}

function asKeys(keysOf: KindSchema['indexes'][string]): (record: AnyRecord) => readonly string[] {
  return (record) => {
    // An index is asked of records of its own kind only.
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
