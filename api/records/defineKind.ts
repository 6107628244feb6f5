import type { TSchema } from '@sinclair/typebox'
import type { Key } from '../../compiler/data/model.js'
import type { KindSchema } from '../../compiler/data/workingSet.js'
import type { Version } from '../config/apiVersions.js'
import type { Fault } from '../config/errors.js'
import type { Plan } from '../journal/plan.js'
import type { Endpoint } from '../operations/endpoint.js'
import type { Data } from '../schema/data.js'
import type { Fields, RecordOf } from '../schema/fields.js'
import type { Caller } from '../schema/privileges.js'

/** A stored record whose kind is not known statically. */
export type Row = Readonly<{ id: number; lastUpdated: string } & Record<string, unknown>>

export interface Presenting {
  readonly data: Data
  readonly version: Version
  readonly user: Caller
  /** The record is read by id, where the interface gives that read a shape of its own. */
  readonly single?: boolean
}

/** A record with the names of what it refers to, as `joined` makes it. */
export type JoinedRow<F extends Fields> = RecordOf<F> & Readonly<Record<string, unknown>>

export interface ChangeContext<R> {
  readonly before: R | null
  readonly after: R
  readonly data: Data
  readonly user: Caller
}

export interface Declaration<F extends Fields> {
  /** Collection name: in the store, in import files, in `Records`. */
  readonly kind: string
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
  /** Rules over more than one field or record, asked at the head revision. */
  readonly rules?: (change: ChangeContext<RecordOf<F>>) => Iterable<Fault>
  /** What whoever writes a record should know, although nothing about it is wrong. */
  readonly advises?: (record: RecordOf<F>) => Iterable<string>
  /** Why a record must not be deleted; references from other kinds are checked without being named here. */
  readonly keeps?: (record: RecordOf<F>, context: { data: Data; user: Caller }) => Iterable<Fault>
  /** What else changes with a record, in the same journal entry. */
  readonly effects?: (plan: Plan, change: { before: RecordOf<F> | null; after: RecordOf<F> | null }) => void
  /** Whether an imported record came without what `effects` would have made, so that they have to run after all. */
  readonly incomplete?: (record: RecordOf<F>, data: Data) => boolean
  /** The tenant a record belongs to; callers of other branches do not see it. `null`: everybody's. */
  readonly tenant?: (record: RecordOf<F>, data: Data) => number | null
  /** Further tenants that a record tells of: only who reaches them, too, sees in the change log that it was written. */
  readonly about?: (record: RecordOf<F>, data: Data) => readonly (number | null)[]
  /** How versions 1.1 and 1.2 differ from the native shape of 1.3, where a list is enough to say it. */
  readonly legacy?: {
    /** Number fields that stay numbers; all others are strings. */
    readonly numbers?: readonly string[]
    readonly omit?: readonly string[]
    readonly rename?: Readonly<Record<string, string>>
  }
  /** Keys that the presenters fill in beside the fields. Rows have them from the start: adding keys later is slow. */
  readonly derived?: readonly string[]
  /** Presenters where a list is not enough. A version without one takes the newest older one's. */
  readonly present?: { readonly [V in Version]?: (row: JoinedRow<F>, context: Presenting) => object }
  /** What 1.3 shows beside or instead of the fields, for the OpenAPI document; `null`: it does not show that field. */
  readonly shown?: Readonly<Record<string, TSchema | null>>
  /** The reply to a create or update under 1.1 and 1.2; by default the read shape with native numbers. */
  readonly written?: (row: JoinedRow<F>, context: Presenting) => object
  /** Machine state (queued updates, check results): left out of exports. */
  readonly transient?: boolean
  readonly routes: readonly ((resource: Resource) => Endpoint)[]
}

/** A declaration with its type parameter forgotten, as the machinery handles them all. */
export interface Resource
  extends Omit<
    Declaration<Fields>,
    | 'indexes'
    | 'rules'
    | 'advises'
    | 'keeps'
    | 'effects'
    | 'incomplete'
    | 'tenant'
    | 'about'
    | 'present'
    | 'written'
    | 'key'
  > {
  readonly key: string | null
  readonly indexes?: KindSchema['indexes']
  readonly rules?: (change: ChangeContext<Row>) => Iterable<Fault>
  readonly advises?: (record: Row) => Iterable<string>
  readonly keeps?: (record: Row, context: { data: Data; user: Caller }) => Iterable<Fault>
  readonly effects?: (plan: Plan, change: { before: Row | null; after: Row | null }) => void
  readonly incomplete?: (record: Row, data: Data) => boolean
  readonly tenant?: (record: Row, data: Data) => number | null
  readonly about?: (record: Row, data: Data) => readonly (number | null)[]
  readonly present?: { readonly [V in Version]?: (row: Row, context: Presenting) => object }
  readonly written?: (row: Row, context: Presenting) => object
}

/** One declaration per record kind; routes, checks, references, indexes and documents derive from it. */
export function defineResource<F extends Fields>(declaration: Declaration<F>): Resource {
  return Object.freeze(declaration) as unknown as Resource
}
