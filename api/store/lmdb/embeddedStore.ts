import type { Failed } from '../../flow/failed.js'
import { isLong, turn } from '../../flow/turns.js'
import { changeSlices, parseChanges } from '../changesText.js'
import { contentsOf } from '../contents.js'
import { normalised } from '../entries.js'
import { LargeEntries } from '../largeEntries.js'
import { StoreDamaged } from '../rowCheck.js'
import type { Blob, Broken, Change, Entry, Loaded, Store } from '../store.js'
import { JournalTrimmed } from '../store.js'
import type { Put, Tables } from '../tables.js'
import { Trimming } from '../trimming.js'
import { refusalOf } from './damaged.js'
import { EmbeddedJournal } from './embeddedJournal.js'
import { readAll } from './embeddedLoad.js'
import { capture, headsAfter, logLines } from './embeddedReads.js'
import { historyMark } from './embeddedRestore.js'
import { removals } from './embeddedRows.js'
import { EmbeddedWrites } from './embeddedWrites.js'

/** Entries that are removed in one transaction. */
const trimmedAtOnce = 100

interface Given {
  readonly dataDir: string
  /** Lets go of the data directory. */
  readonly release: () => void
  readonly failed: Failed
  readonly broken: Broken
}

/** The store over the tables of a data directory. Throws StoreDamaged when they are not whole. */
export function embeddedStore(tables: Tables, given: Given): Store {
  tables.checkChain()
  const inUse = new Embedded(tables, given)
  const { journal } = inUse
  const store: Store = {
    history: tables.mark(historyMark) ?? '',
    load: () => inUse.load(),
    append: (entries) => journal.append(entries),
    entriesAfter: (revision, limit) => inUse.entriesAfter(revision, limit),
    headsAfter: (revision, limit) => headsAfter(tables, revision, limit),
    changesOf: (revision) => inUse.changesOf(revision),
    head: async () => journal.head,
    base: async () => tables.base(),
    lastBefore: async (time) => tables.firstSince(time) - 1,
    trim: (revision) => inUse.trim(revision),
    log: async (query) => logLines(tables, normalised(query)),
    putBlob: async (blob) => inUse.putBlob(blob),
    getBlob: async (hash) => tables.blob(hash),
    deleteBlobs: async (hashes) => inUse.deleteBlobs(hashes),
    listBlobs: async () => Array.from(tables.blobs.getKeys()),
    ping: () => inUse.ping(),
    settled: () => journal.idle(),
    close: () => inUse.close(),
    contents: (blobsOf) => contentsOf({ ...store, capture: () => inUse.capture() }, blobsOf),
  }
  return store
}

/** What more than one question to the store needs, and what takes more than a line to answer. */
class Embedded {
  readonly #tables: Tables
  readonly #given: Given
  readonly #writes: EmbeddedWrites
  readonly #large: LargeEntries
  readonly #trimming = new Trimming()
  #isClosing = false
  readonly journal: EmbeddedJournal

  constructor(tables: Tables, given: Given) {
    this.#tables = tables
    this.#given = given
    const writes = new EmbeddedWrites(tables, given.broken)
    const large = new LargeEntries(tables, (puts, atLeast) => writes.write(puts, atLeast))
    this.#writes = writes
    this.#large = large
    this.journal = new EmbeddedJournal(tables, { writes, large, failed: given.failed })
  }

  async load(): Promise<Loaded> {
    try {
      await this.#large.finish()
      await this.#large.sweep()
      return readAll(this.#tables, this.journal)
    } catch (error) {
      throw error instanceof StoreDamaged ? refusalOf(this.#given.dataDir, error) : error
    }
  }

  async entriesAfter(revision: number, limit: number): Promise<Entry[]> {
    const entries: Entry[] = []
    for (const { log, ...head } of await headsAfter(this.#tables, revision, limit)) {
      entries.push({ ...head, changes: await this.#changesAt(head.revision), log })
      if (isLong()) await turn()
    }
    return entries
  }

  async *changesOf(revision: number): AsyncGenerator<readonly Change[]> {
    const base = this.#tables.base()
    if (revision <= base) throw new JournalTrimmed(base)
    const json = this.#tables.changesText(revision)
    if (json !== undefined) yield* changeSlices(json)
    else if (revision <= this.journal.head) yield* this.#largeChanges(revision)
  }

  async #changesAt(revision: number): Promise<Change[]> {
    const json = this.#tables.changesText(revision)
    if (json !== undefined) return parseChanges(json)
    const changes: Change[] = []
    for await (const slice of this.#largeChanges(revision)) {
      for (const change of slice) changes.push(change)
    }
    return changes
  }

  #largeChanges(revision: number): AsyncGenerator<readonly Change[]> {
    return this.#large.changesOf(revision, this.#tables.headOf(revision).chunks ?? 0)
  }

  trim(revision: number): Promise<number> {
    return this.#trimming.run(() => this.#removeUpTo(Math.min(revision, this.journal.head - 1)))
  }

  async #removeUpTo(revision: number): Promise<number> {
    let base = this.#tables.base()
    while (base < revision && !this.#isClosing) {
      const next = Math.min(revision, base + trimmedAtOnce)
      this.#writes.write(removals(this.#tables, base, next))
      base = next
      await new Promise(setImmediate)
    }
    return base
  }

  putBlob({ hash, bytes }: Blob): void {
    this.#writes.write([[this.#tables.blobs, hash, bytes]])
  }

  deleteBlobs(hashes: readonly string[]): void {
    this.#writes.write(hashes.map((hash): Put => [this.#tables.blobs, hash, null]))
  }

  async ping(): Promise<void> {
    if (this.#writes.hasFailed && this.#large.isUnfinished()) await this.#large.finish()
    this.#writes.probe(String(this.journal.head))
  }

  async capture() {
    while (this.#large.isUnfinished()) await this.#large.finish()
    return capture(this.#tables)
  }

  async close(): Promise<void> {
    this.#isClosing = true
    await this.journal.idle()
    await this.#trimming.isOver()
    await this.#tables.close()
    this.#given.release()
  }
}
