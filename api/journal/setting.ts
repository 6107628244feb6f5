import type { Trial } from '../../compiler/data/workingSet.js'
import type { Data } from '../schema/data.js'
import type { Row } from '../schema/defineKind.js'
import type { Caller } from '../schema/privileges.js'
import type { RecordKinds } from './kinds.js'
import type { RecordKind } from './recordKind.js'
import type { Decided } from './transaction.js'

/** What a transaction is made on, by whom and when. */
export interface Setting {
  readonly workingSet: Decided
  readonly trial: Pick<Trial, 'change' | 'takeId' | 'reserve'>
  readonly catalogue: RecordKinds
  readonly user: Caller
  /** ISO 8601. */
  readonly time: string
  readonly data: Data
}

/** Puts a record that was checked in the place of the one before, or of none; `null` takes it away. */
export type Place = (resource: RecordKind, id: number, before: Row | null, after: Row | null) => void
