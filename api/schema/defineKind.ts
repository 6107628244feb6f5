import type { Key, KindSchema } from '../../compiler/data/kindSchema.js'
import type { Version } from '../config/apiVersions.js'
import type { Fields, RecordOf } from './fields.js'

/** A stored record whose kind is not known statically. */
export type Row = Readonly<{ id: number; lastUpdated: string } & Record<string, unknown>>

/** What records of a kind are: their fields and what holds between records. Nothing here knows how they are changed. */
export interface KindDeclaration<F extends Fields> {
  /** Collection name: in the store, in import files, in `Records`. */
  readonly kind: string
  /** What such a record is, in a sentence, for the OpenAPI document. */
  readonly description: string
  /** The word used in alert texts and the change log: `cdn was created.` */
  readonly label: string
  /** The field by which people and imports name a record; `null` when there is none. */
  readonly key: (keyof F & string) | null
  readonly fields: F
  /** Combinations of fields that no two records share (single fields say `unique` themselves). */
  readonly unique?: readonly (readonly (keyof F & string)[])[]
  /** Further keys by which the service finds records, beside references, unique fields and the compiler's. */
  readonly indexes?: Readonly<Record<string, (record: RecordOf<F>) => Key | null | readonly Key[]>>
  /** Ids are given by the caller because they are another record's (assignments, keys). */
  readonly idRefersTo?: string
  /** Further names under which 1.3 shows what a record holds; people import what they were shown. */
  readonly shownAs?: readonly string[]
  /** Machine state (queued updates, check results): left out of exports. */
  readonly transient?: boolean
  /** Keys that the presenters fill in beside the fields, each with the first version that shows it. */
  readonly computed?: Readonly<Record<string, Version>>
}

/** A declaration with its type parameter forgotten, as the machinery handles them all. */
export interface KindShape extends Omit<KindDeclaration<Fields>, 'key' | 'unique' | 'indexes'> {
  readonly key: string | null
  readonly unique?: readonly (readonly string[])[]
  readonly indexes?: KindSchema['indexes']
}

/** One declaration per record kind; body checks, references, indexes and types derive from it. */
export const defineKind = <F extends Fields>(declaration: KindDeclaration<F>): KindDeclaration<F> =>
  Object.freeze(declaration)
