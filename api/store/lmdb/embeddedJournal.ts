import type { Failed } from '../../flow/failed.js'
import { checkEntries } from '../entries.js'
import type { Outcome } from '../groupCommit.js'
import { groupCommit } from '../groupCommit.js'
import type { LargeEntries } from '../largeEntries.js'
import { isLarge } from '../largeEntries.js'
import type { Entry } from '../store.js'
import { AppendFailed, StoreBroken } from '../store.js'
import type { Put, Tables } from '../tables.js'
import { entryPuts, headPut, logPuts, recordPut } from './embeddedRows.js'
import type { EmbeddedWrites } from './embeddedWrites.js'

/** An entry with what can be said of it before it is its turn. */
interface Prepared {
  readonly revision: number
  readonly entry: Entry
  readonly puts: readonly Put[]
}

interface Heads {
  readonly puts: readonly Put[]
  /** The largest time up to there. */
  readonly reached: string
  /** Kinds whose largest id rises. */
  readonly risen: ReadonlyMap<string, number>
}

interface Given {
  readonly writes: EmbeddedWrites
  readonly large: LargeEntries
  readonly failed: Failed
}

/**
 * How entries come into the embedded store. What waits together is committed together; the head of an entry is its
 * commit, and the largest ids and times are known here without a look into the tables.
 */
export class EmbeddedJournal {
  readonly #tables: Tables
  readonly #given: Given
  readonly #commits = groupCommit<Prepared>((items) => this.#commit(items))
  readonly #lastIds = new Map<string, number>()
  #head: number
  #clock: string

  constructor(tables: Tables, given: Given) {
    this.#tables = tables
    this.#given = given
    for (const { key, text } of tables.texts(tables.lastIds)) this.#lastIds.set(key, Number(text))
    this.#head = tables.newest()
    this.#clock = this.#head === 0 ? '' : tables.headOf(this.#head).clock
  }

  /** The newest revision. */
  get head(): number {
    return this.#head
  }

  /** The latest time of any entry; empty when there is none. */
  get clock(): string {
    return this.#clock
  }

  /** Largest id ever given out per kind. */
  get lastIds(): ReadonlyMap<string, number> {
    return this.#lastIds
  }

  async append(entries: readonly Entry[]): Promise<number> {
    checkEntries(entries)
    return this.#commits.append(entries.map((entry) => prepare(this.#tables, entry)))
  }

  /** Resolves when nothing is being committed. */
  idle(): Promise<void> {
    return this.#commits.idle()
  }

  async #commit(items: readonly Prepared[]): Promise<Outcome> {
    const { large } = this.#given
    const first = items[0]?.revision ?? 0
    if (first <= this.#head) return { committed: 0 }
    if (first > this.#head + 1) {
      const error = new RangeError(`entry ${first} does not follow entry ${this.#head}, the newest`)
      return { committed: 0, error }
    }
    if (this.#tables.broken) return { committed: 0, error: this.#tables.broken }
    let committed = 0
    try {
      if (large.isUnfinished()) await large.finish()
      for (const run of runsOf(items)) {
        if (isLarge(run[0]!.entry)) await this.#commitLarge(run[0]!)
        else this.#commitTogether(run)
        committed += run.length
      }
    } catch (error) {
      if (error instanceof StoreBroken) return { committed, error: halfKnown(error) }
      // What got in is said; whoever gives the others again hears of the failure.
      return committed === 0 ? { committed, error } : { committed }
    }
    return { committed }
  }

  #commitTogether(items: readonly Prepared[]): void {
    const heads = this.#headsOf(items)
    this.#given.writes.write([...items.flatMap((item) => item.puts), ...heads.puts])
    this.#committedUpTo(items, heads)
  }

  async #commitLarge(item: Prepared): Promise<void> {
    const { large, failed } = this.#given
    try {
      const begun = await large.begin(item.entry)
      const heads = this.#headsOf([item], begun.chunks)
      large.commit(item.entry, [...item.puts, ...heads.puts], begun)
      this.#committedUpTo([item], heads)
    } catch (error) {
      // What is left of it goes at the next start.
      await large.forget(item.entry).catch((cause: unknown) => failed('leftovers', cause))
      throw error
    }
    // It is committed, whatever becomes of its records: without room for them, the next commit tries again.
    await large.finish().catch((error: unknown) => failed('records', error))
  }

  /** What commits entries: their heads, and the largest ids they use. */
  #headsOf(items: readonly Prepared[], chunks?: number): Heads {
    const puts: Put[] = []
    let reached = this.#clock
    for (const { entry } of items) {
      if (entry.time > reached) reached = entry.time
      puts.push(headPut(this.#tables, entry, reached, chunks))
    }
    const risen = new Map<string, number>()
    for (const { entry } of items) {
      for (const { kind, id } of entry.changes) {
        if (id > (risen.get(kind) ?? this.#lastIds.get(kind) ?? 0)) risen.set(kind, id)
      }
    }
    for (const [kind, id] of risen) puts.push([this.#tables.lastIds, kind, String(id)])
    return { puts, reached, risen }
  }

  #committedUpTo(items: readonly Prepared[], { reached, risen }: Heads): void {
    this.#head = items.at(-1)!.revision
    this.#clock = reached
    for (const [kind, id] of risen) this.#lastIds.set(kind, id)
  }
}

/** What the file holds of what was written as it broke, the next start will see. */
const halfKnown = (cause: StoreBroken): AppendFailed =>
  new AppendFailed(cause.message, { cause, committed: 0, outcome: 'unknown' })

function prepare(tables: Tables, entry: Entry): Prepared {
  const { revision, changes } = entry
  // The changes and records of a large one are written in transactions of their own.
  if (isLarge(entry)) return { revision, entry, puts: logPuts(tables, entry) }
  const puts = entryPuts(tables, entry)
  for (const { kind, id, after } of changes) puts.push(recordPut(tables, { kind, id, revision, record: after }))
  return { revision, entry, puts }
}

/** Entries that share a transaction; a large one is alone. */
function runsOf(items: readonly Prepared[]): Prepared[][] {
  const runs: Prepared[][] = []
  let isOpen = false
  for (const item of items) {
    const isAlone = isLarge(item.entry)
    if (isOpen && !isAlone) runs.at(-1)!.push(item)
    else runs.push([item])
    isOpen = !isAlone
  }
  return runs
}
