import type { Key } from '../data/kindSchema.js'
import type { IndexName, KindName, Model } from '../data/model.js'
import type { WarningCode } from './warnings.js'

/**
 * How a view sees the data. Every question is noted, also when nothing was found; the answers are frozen.
 * Ask the narrowest question that answers yours: what was asked is what makes the artifact stale.
 */
export interface Reader {
  /** One record by id. Stale when a field of it that the model names changes, or it comes or goes. */
  get<K extends KindName>(kind: K, id: number | null): Model[K] | undefined
  /** The records under an index key, by ascending id. Stale when one of them changes, joins or leaves. */
  by<K extends KindName>(kind: K, index: IndexName<K>, key: Key): readonly Model[K][]
  /** Only their ids, ascending. Stale when one joins or leaves. */
  ids<K extends KindName>(kind: K, index: IndexName<K>, key: Key): readonly number[]
  /** Whether there is any. Stale when the first joins or the last leaves. */
  has<K extends KindName>(kind: K, index: IndexName<K>, key: Key): boolean
  /** Every record of a kind, by ascending id. Stale when any changes: for small kinds and snapshots only. */
  all<K extends KindName>(kind: K): readonly Model[K][]
  /** How a declared fragment gets its part; what that read counts as read by whoever asks. Views call the fragment. */
  kept<K extends readonly FragmentKey[], T>(fragment: Fragment<K, T>, keys: K, warn: Warn): T
}

/** What a part may depend on beside the records it asks for. No record is one, so none can grow old in a kept part. */
export type FragmentKey = string | number | boolean | null | readonly number[]

/** Notes a warning that is returned with the artifact. */
export type Warn = (code: WarningCode, record: { kind: string; id: number; name: string }, text: string) => void

/** All that a part is made with: nothing of the subject it happens to be made for first. */
export interface Making {
  readonly data: Reader
  readonly warn: Warn
  /** The plain text of a sealed value. */
  unseal(sealed: string): string
  /** Lays out a shared part with its own template, e.g. `remap.config.line`. */
  render(template: string, view: object): string
}

/** A declared kind of part. Its parts are told apart by exactly the keys that `make` is given. */
export interface Fragment<K extends readonly FragmentKey[] = readonly FragmentKey[], T = unknown> {
  readonly name: string
  /** How many keys there are. */
  readonly keys: number
  readonly make: (making: Making, ...keys: K) => T
}

/** The one record under a unique index key. */
export function one<K extends KindName>(data: Reader, kind: K, index: IndexName<K>, key: Key): Model[K] | undefined {
  return data.by(kind, index, key)[0]
}
