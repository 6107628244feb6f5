export type Key = string | number

/** A record as it is stored; frozen once it is in the working set. */
export type AnyRecord = Readonly<{ id: number }>

export interface KindSchema {
  /** The fields the compiler may read; `null` when no compile reads the kind, so only `full` dependency keys move. */
  readonly seen: readonly string[] | null
  readonly indexes: Readonly<Record<string, (record: never) => Key | null | readonly Key[]>>
}

export type Schema = Readonly<Record<string, KindSchema>>

export interface Slot {
  readonly record: AnyRecord
  readonly revision: number
}
