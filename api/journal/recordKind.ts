import type { Fault } from '../config/errors.js'
import type { Data, Kind } from '../schema/data.js'
import type { KindShape, Row } from '../schema/defineKind.js'
import type { Caller } from '../schema/privileges.js'
import type { Transaction } from './transaction.js'

export interface ChangeContext<R> {
  readonly before: R | null
  readonly after: R
  readonly data: Data
  readonly user: Caller
}

/** The faults of a record beyond its single fields. */
export type Rule<R> = (change: ChangeContext<R>) => Iterable<Fault>

/** What holds for the records of a kind when they are written, and what follows from it. */
export interface Behaviour<R> {
  /**
   * Rules over more than one field or record, asked at the head revision. Of a record with a wrong field each is asked as
   * far as it does without that field, so what has nothing to do with one another are rules of their own.
   */
  readonly rules?: Rule<R> | readonly Rule<R>[]
  /** What whoever writes a record should know, although nothing about it is wrong. */
  readonly advises?: (record: R, data: Data) => Iterable<string>
  /** Why a record must not be deleted; references from other kinds are checked without being named here. */
  readonly deleteGuard?: (record: R, context: { data: Data; user: Caller }) => Iterable<Fault>
  /** What else changes with a record, in the same journal entry; an import brings that along. */
  readonly afterChange?: (transaction: Transaction, change: { before: R | null; after: R | null }) => void
  /** Rights that end with what a record was, by whatever way it is changed: an import, too. */
  readonly revokes?: (transaction: Transaction, change: { before: R | null; after: R | null }) => void
  /** Whether an imported record came without what `effects` would have made, so that they have to run after all. */
  readonly incomplete?: (record: R, data: Data) => boolean
  /** What is there as `effects` would have made it: a document that has the record need not have these. */
  readonly implies?: (record: R, data: Data) => Iterable<readonly [kind: Kind, id: number]>
  /** The tenant a record belongs to; callers of other branches do not see it. `null`: everybody's. */
  readonly tenant?: (record: R, data: Data) => number | null
  /** Further tenants that a record tells of: only who reaches them, too, sees in the change log that it was written. */
  readonly about?: (record: R, data: Data) => readonly (number | null)[]
  /** Of a kind without tenants: the fields that say what a tenant's record that refers to it is (`foundations.ts`). */
  readonly defines?: readonly (keyof R & string)[]
}

/** A record kind as the journal handles them all: what its records are, and what holds when they are written. */
export type RecordKind = KindShape & Behaviour<Row>
