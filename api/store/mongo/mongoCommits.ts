import { checkEntries } from '../entries.js'
import type { Outcome } from '../groupCommit.js'
import { groupCommit } from '../groupCommit.js'
import type { Entry } from '../store.js'
import { StoreUnavailable } from '../store.js'
import type { MongoConnection } from './mongoConnection.js'
import type { MongoJournal } from './mongoJournal.js'
import type { MongoRecords } from './mongoRecords.js'
import type { RecordsBehind } from './recordsBehind.js'

interface Given {
  readonly connection: MongoConnection
  readonly journal: MongoJournal
  readonly records: MongoRecords
  readonly behind: RecordsBehind
}

/** How entries come into the journal, those that wait together in one question; their records follow. */
export class MongoCommits {
  readonly #given: Given
  readonly #commits = groupCommit<Entry>((entries) => this.#commit(entries))
  /** The newest revision that was heard of. */
  #known = 0
  #hasFailed = false

  constructor(given: Given) {
    this.#given = given
  }

  /** Whether the last insert failed, and nothing was written since. */
  get hasFailed(): boolean {
    return this.#hasFailed
  }

  /** Something was written after all. */
  recovered(): void {
    this.#hasFailed = false
  }

  /** The journal has this revision. */
  heardOf(revision: number): void {
    this.#known = Math.max(this.#known, revision)
  }

  async append(entries: readonly Entry[]): Promise<number> {
    checkEntries(entries)
    return this.#commits.append(entries)
  }

  /** Resolves when nothing is being committed. */
  idle(): Promise<void> {
    return this.#commits.idle()
  }

  async #commit(entries: readonly Entry[]): Promise<Outcome> {
    const { connection, journal } = this.#given
    const first = entries[0]?.revision ?? 0
    // Who knows better asks before sending what nobody may confirm.
    if (first > this.#known + 1 || !connection.isThere) this.#known = await connection.answered(journal.head())
    if (first > this.#known + 1) {
      const error = new RangeError(`entry ${first} does not follow entry ${this.#known}, the newest`)
      return { committed: 0, error }
    }
    const outcome = await journal.insert(entries)
    this.#hasFailed = outcome.error instanceof StoreUnavailable
    if (this.#hasFailed) connection.failed()
    this.#committed(entries.slice(0, outcome.committed))
    return outcome
  }

  #committed(entries: readonly Entry[]): void {
    const { records, behind } = this.#given
    for (const entry of entries) {
      records.remember(entry)
      this.heardOf(entry.revision)
    }
    if (entries.length > 0) behind.catchUp()
  }
}
