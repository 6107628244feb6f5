import type { WorkingSet } from '../../compiler/data/workingSet.js'
import type { Fault } from '../config/errors.js'
import type { Data, Kind } from '../schema/data.js'
import type { Row } from '../schema/defineKind.js'
import type { Caller } from '../schema/privileges.js'
import type { Records } from '../schema/records.js'
import type { Change, LogLine } from '../store/store.js'

/** A record's own fields, without what the service sets itself. */
export type Draft<K extends Kind> = Omit<Records[K], 'id' | 'lastUpdated'>

/**
 * One journal entry in the making. What is created, changed or removed is seen by the following questions at
 * once, and by nobody else until it is committed. Every check of the resources runs here, so no way of writing
 * (a route, an import, a side effect) can pass it by.
 */
export interface Transaction {
  readonly data: Data
  readonly user: Caller
  /** The entry's time, ISO 8601: the only clock a write may use. */
  readonly time: string
  /** The revision the entry will have. */
  readonly revision: number
  create<K extends Kind>(kind: K, values: Draft<K>, id?: number): Records[K]
  update<K extends Kind>(kind: K, id: number, values: Partial<Draft<K>>): Records[K]
  remove(kind: Kind, id: number): void
  /** The same, a record that goes or changes with it a step. */
  removeInSteps(kind: Kind, id: number): Generator<void, void>
  /** The largest id that a record of the kind ever had. */
  lastId(kind: string): number
  /** Ids that are chosen from here on are larger than `id`. */
  reserve(kind: string, id: number): void
  /** Runs without side effects of records on others: an import brings those along. */
  withoutEffects<T>(run: () => T): T
  /** Runs the side effects a record would have had on creation. */
  completeRecord(kind: string, id: number): void
  /** A line of the change log; without one the first change writes its own. */
  log(message: string, level?: LogLine['level'], ticketNum?: string | null): void
  /** A line names a record that nothing changes: who may not see that must not see the lines. */
  mention(kind: Kind, id: number): void
  /** What whoever writes should know of the records written so far. */
  readonly advice: readonly string[]
  /** As `create` and `update`, for kinds known only at run time; faults are returned instead of thrown. */
  tryCreate(kind: string, values: Record<string, unknown>, id?: number): { row: Row | null; faults: Fault[] }
  tryUpdate(kind: string, id: number, values: Record<string, unknown>): { row: Row | null; faults: Fault[] }
  /**
   * What else is wrong with a record of which some fields are, as far as can be said without these. Nothing is changed.
   * @param id of the record that is there; `null` for a new one
   */
  judge(kind: string, id: number | null, values: Record<string, unknown>, wrong: ReadonlySet<string>): Fault[]
}

/** What a decision is made on: the working set under a trial, or a fork of it. */
export type Decided = Pick<WorkingSet, 'get' | 'ids' | 'allIds' | 'lastId'>

export interface DecidedTransaction extends Transaction {
  readonly changes: readonly Change[]
  /** The same, in steps. */
  changesInSteps(): Generator<void, Change[]>
  readonly lines: readonly LogLine[]
  /** Whose records the changes touch: who may see the lines. */
  tenantsInSteps(): Generator<void, readonly number[]>
}

/** A decision that is made in steps, and what it gives to whoever asked for it. */
export type Steps<T> = (transaction: DecidedTransaction) => Generator<void, T>
