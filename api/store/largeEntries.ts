import { isLong, turn } from '../flow/turns.js'
import { changeSlices } from './changesText.js'
import type { Planned } from './diskSpace.js'
import { recordPut } from './lmdb/embeddedRows.js'
import type { Change, Entry } from './store.js'
import { StoreUnavailable } from './store.js'
import type { Put, Tables } from './tables.js'

/** Changes that are written in one transaction with their records. */
const mostChanges = 500
/** Characters of changes, about, that are. */
const mostText = 1_000_000
/** Entries of so few changes are not looked at: a usual edit costs nothing here. */
const fewChanges = 8

/** Characters of JSON in one chunk, unless one change alone has more. */
const chunkLength = 128 * 1024
/** Records that are written in one transaction. */
const recordsAtOnce = 200
/** Bytes that must be free when the last of them are written: a transaction is given more room than it takes. */
const ahead = recordsAtOnce * 16_384

/** Whether an entry is written in many transactions, so that none holds the event loop for long. */
export function isLarge({ changes }: Entry): boolean {
  if (changes.length > mostChanges) return true
  if (changes.length <= fewChanges) return false
  let text = 0
  for (const { before, after } of changes) {
    for (const record of [before, after]) {
      if (record) for (const value of Object.values(record)) text += lengthOf(value)
    }
    if (text > mostText) return true
  }
  return false
}

const lengthOf = (value: unknown): number =>
  typeof value === 'string' ? value.length : Array.isArray(value) ? 8 * value.length : 8

interface Begun {
  readonly chunks: number
  /** What is to be written once it is committed. */
  readonly records: Planned
}

/**
 * Entries too large for one transaction, in the embedded store: the changes first, in chunks that nobody reads
 * without a head; then the head, which is the commit; then the records, under a mark that says they are not whole.
 */
export class LargeEntries {
  readonly #tables: Tables
  readonly #write: (puts: readonly Put[], atLeast?: Planned) => void
  /** The entry whose records are not all written; none when 0. */
  #unfinished: number
  #finishing: Promise<void> | null = null

  constructor(tables: Tables, write: (puts: readonly Put[], atLeast?: Planned) => void) {
    this.#tables = tables
    this.#write = write
    this.#unfinished = Number(tables.mark(unfinishedMark) ?? 0)
  }

  /** Writes the changes, which nobody sees yet, and makes room for the records. */
  async begin({ revision, changes }: Entry): Promise<Begun> {
    let chunks = 0
    let bytes = 0
    for (const text of textsOf(changes)) {
      this.#write([[this.#tables.chunks, [revision, chunks++], text]])
      bytes += Buffer.byteLength(text)
      if (isLong()) await turn()
    }
    const records = { puts: changes.length, bytes: bytes + ahead }
    await this.#makeRoom(records)
    return { chunks, records }
  }

  /**
   * The commit: with `head` the entry is in the journal. It is refused when there is no room for its records: what is
   * committed without them keeps every write waiting, and the next start, too.
   */
  commit({ revision }: Entry, head: readonly Put[], { records }: Begun): void {
    this.#write([...head, [this.#tables.marks, unfinishedMark, String(revision)]], records)
    this.#unfinished = revision
  }

  /** Removes the chunks of an entry that was refused; what a full disk keeps of them goes at the next start. */
  async forget({ revision }: Entry): Promise<void> {
    for (const key of [...this.#tables.chunks.getKeys({ start: [revision, 0], end: [revision + 1, 0] })]) {
      this.#write([[this.#tables.chunks, key, null]])
      if (isLong()) await turn()
    }
  }

  isUnfinished(): boolean {
    return this.#unfinished !== 0
  }

  /** Writes the records of an entry that was committed without them; at the start, those that a crash left undone. */
  finish(): Promise<void> {
    this.#finishing ??= this.#writeRecords().finally(() => {
      this.#finishing = null
    })
    return this.#finishing
  }

  /** Removes the chunks of entries that never came to their head. */
  async sweep(): Promise<void> {
    const counts = new Map<number, number>()
    const countOf = (revision: number): number =>
      this.#tables.hasEntry(revision) ? (this.#tables.headOf(revision).chunks ?? 0) : 0
    for (const [revision, number] of [...this.#tables.chunks.getKeys()]) {
      if (!counts.has(revision)) counts.set(revision, countOf(revision))
      if (number >= counts.get(revision)!) this.#write([[this.#tables.chunks, [revision, number], null]])
    }
  }

  async *changesOf(revision: number, count: number): AsyncGenerator<readonly Change[]> {
    for (let number = 0; number < count; number++) {
      yield* changeSlices(this.#tables.chunkText(revision, number))
      if (isLong()) await turn()
    }
  }

  async #writeRecords(): Promise<void> {
    if (this.#unfinished === 0) return
    const revision = this.#unfinished
    for await (const slice of this.changesOf(revision, this.#tables.headOf(revision).chunks ?? 0)) {
      for (let from = 0; from < slice.length; from += recordsAtOnce) {
        const some = slice.slice(from, from + recordsAtOnce)
        this.#write(some.map(({ kind, id, after }) => recordPut(this.#tables, { kind, id, revision, record: after })))
        if (isLong()) await turn()
      }
    }
    this.#write([[this.#tables.marks, unfinishedMark, null]])
    this.#unfinished = 0
  }

  /** Before the commit, which asks for all of it in one turn. */
  async #makeRoom(records: Planned): Promise<void> {
    try {
      for (const _step of this.#tables.makeRoom(records)) if (isLong()) await turn()
    } catch (cause) {
      throw new StoreUnavailable(`The data directory cannot be written: ${(cause as Error).message}`, { cause })
    }
  }
}

const unfinishedMark = 'unfinished'

/** The changes as the JSON of arrays of some of them. */
function* textsOf(changes: readonly Change[]): Generator<string> {
  let texts: string[] = []
  let length = 0
  for (const change of changes) {
    const text = JSON.stringify(change)
    texts.push(text)
    length += text.length
    if (length < chunkLength) continue
    yield `[${texts.join(',')}]`
    texts = []
    length = 0
  }
  if (texts.length > 0) yield `[${texts.join(',')}]`
}
