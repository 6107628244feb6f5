import { accessSync, chmodSync, constants, existsSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { makeDirectory, makeDurable } from '../../config/directory.js'
import type { Failed } from '../../flow/failed.js'
import { warnOfFailure } from '../../flow/failed.js'
import { isLong, turn } from '../../flow/turns.js'
import { changeSlices, parseChanges } from '../changesText.js'
import type { Captured } from '../contents.js'
import { contentsOf } from '../contents.js'
import type { Planned } from '../diskSpace.js'
import type { LogQuery } from '../entries.js'
import { checkEntries, linesOf, linesPerEntry, normalised } from '../entries.js'
import type { Outcome } from '../groupCommit.js'
import { groupCommit } from '../groupCommit.js'
import { isLarge, LargeEntries } from '../largeEntries.js'
import { StoreDamaged } from '../rowCheck.js'
import type { Broken, Change, Entry, EntryHead, LoadedRecord, LoggedLine, Store } from '../store.js'
import { AppendFailed, JournalTrimmed, StoreBroken, StoreRefused, StoreUnavailable } from '../store.js'
import type { Put, StoredHead, Tables } from '../tables.js'
import { makeStore, openTables } from '../tables.js'
import { historyMark, removeUnfinished, unfinished } from './embeddedRestore.js'
import { entryPuts, headPut, logPuts, recordPut, removals } from './embeddedRows.js'
import { lockDirectory } from './lock.js'

/**
 * The store of a single process: LMDB in `dataDir`. One transaction writes journal entries, records and
 * indexes, so they cannot disagree. For the main thread only.
 *
 * Commits are synchronous and stop the event loop for one fdatasync. The asynchronous writes of `lmdb` are no
 * alternative: a commit that fails there is an unhandled rejection besides, which ends the process.
 */
export async function openEmbedded({
  dataDir,
  failed = warnOfFailure,
  broken = () => undefined,
}: {
  dataDir: string
  failed?: Failed | undefined
  /** Told when the file fails beneath the process, which is then to end. */
  broken?: Broken | undefined
}): Promise<Store> {
  const refused = (cause: unknown): StoreRefused =>
    cause instanceof StoreDamaged
      ? refusal(dataDir, cause)
      : new StoreRefused(`The data directory ${dataDir} cannot be used: ${(cause as Error).message}`, { cause })
  const usable = <T>(use: () => T): T => {
    try {
      return use()
    } catch (cause) {
      throw refused(cause)
    }
  }
  usable(() => {
    makeDirectory(resolve(dataDir))
    if (!statSync(dataDir).isDirectory()) throw new Error('it is not a directory')
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK)
  })
  const release = await lockDirectory(dataDir)
  try {
    const file = join(dataDir, 'store.mdb')
    if (!existsSync(file) && existsSync(join(dataDir, unfinished))) {
      throw new StoreRefused(
        `A restore into the data directory ${dataDir} was cut short: run \`edgewright restore FILE\` again.`,
      )
    }
    if (existsSync(file)) {
      // What a restore left beside it that was cut short is nobody's.
      usable(() => removeUnfinished(dataDir))
    } else {
      await makeStore(file).catch((cause) => {
        throw refused(cause)
      })
    }
    const tables = usable(() => openTables(file))
    usable(() => {
      chmodSync(file, 0o600)
      makeDurable(dataDir)
    })
    try {
      return usable(() => embeddedStore(tables, { dataDir, release, failed, broken }))
    } catch (error) {
      await tables.close()
      throw error
    }
  } catch (error) {
    release()
    throw error
  }
}

/** What cannot be trusted is not started with: somebody has to say what is to be in its place. */
const refusal = (dataDir: string, { message }: StoreDamaged): StoreRefused =>
  new StoreRefused(
    `The store in ${dataDir} cannot be used: ${message}. Restore a backup with \`edgewright restore --force FILE\`, ` +
      'or move the data directory away to begin with an empty one.',
  )

/** Entries that are removed in one transaction. */
const trimmedAtOnce = 100
const usualEdit: Planned = { puts: 16, bytes: 64_000 }

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

function embeddedStore(
  tables: Tables,
  { dataDir, release, failed, broken }: { dataDir: string; release: () => void; failed: Failed; broken: Broken },
): Store {
  tables.checkChain()
  const lastIds = new Map<string, number>()
  for (const { key, text } of tables.texts(tables.lastIds)) lastIds.set(key, Number(text))
  let head = tables.newest()
  let clock = head === 0 ? '' : tables.headOf(head).clock
  let failure: StoreUnavailable | null = null

  function write(puts: readonly Put[], atLeast?: Planned): void {
    try {
      tables.write(puts, atLeast)
      failure = null
    } catch (cause) {
      if (cause instanceof StoreBroken) {
        broken(cause)
        throw cause
      }
      failure = new StoreUnavailable(`The data directory cannot be written: ${(cause as Error).message}`, { cause })
      throw failure
    }
  }

  let closing = false
  let trimming: Promise<number> = Promise.resolve(0)

  async function removeUpTo(revision: number): Promise<number> {
    let base = tables.base()
    while (base < revision && !closing) {
      const next = Math.min(revision, base + trimmedAtOnce)
      write(removals(tables, base, next))
      base = next
      await new Promise(setImmediate)
    }
    return base
  }

  const large = new LargeEntries(tables, write)

  function commitTogether(items: readonly Prepared[]): void {
    const { puts, reached, risen } = headsOf(items)
    write([...items.flatMap((item) => item.puts), ...puts])
    committedUpTo(items, reached, risen)
  }

  async function commitLarge(item: Prepared): Promise<void> {
    try {
      const begun = await large.begin(item.entry)
      const { puts, reached, risen } = headsOf([item], begun.chunks)
      large.commit(item.entry, [...item.puts, ...puts], begun)
      committedUpTo([item], reached, risen)
    } catch (error) {
      // What is left of it goes at the next start.
      await large.forget(item.entry).catch((cause: unknown) => failed('leftovers', cause))
      throw error
    }
    // It is committed, whatever becomes of its records: without room for them, the next commit tries again.
    await large.finish().catch((error: unknown) => failed('records', error))
  }

  /** What commits entries: their heads, and the largest ids they use. */
  function headsOf(items: readonly Prepared[], chunks?: number): Heads {
    const puts: Put[] = []
    let reached = clock
    for (const { entry } of items) {
      if (entry.time > reached) reached = entry.time
      puts.push(headPut(tables, entry, reached, chunks))
    }
    const risen = new Map<string, number>()
    for (const { entry } of items) {
      for (const { kind, id } of entry.changes) {
        if (id > (risen.get(kind) ?? lastIds.get(kind) ?? 0)) risen.set(kind, id)
      }
    }
    for (const [kind, id] of risen) puts.push([tables.lastIds, kind, String(id)])
    return { puts, reached, risen }
  }

  function committedUpTo(items: readonly Prepared[], reached: string, risen: Heads['risen']): void {
    head = items.at(-1)!.revision
    clock = reached
    for (const [kind, id] of risen) lastIds.set(kind, id)
  }

  const commits = groupCommit<Prepared>(async (items): Promise<Outcome> => {
    const first = items[0]?.revision ?? 0
    if (first <= head) return { committed: 0 }
    if (first > head + 1) {
      return { committed: 0, error: new RangeError(`entry ${first} does not follow entry ${head}, the newest`) }
    }
    if (tables.broken) return { committed: 0, error: tables.broken }
    let committed = 0
    try {
      if (large.isUnfinished()) await large.finish()
      for (const run of runsOf(items)) {
        if (isLarge(run[0]!.entry)) await commitLarge(run[0]!)
        else commitTogether(run)
        committed += run.length
      }
    } catch (error) {
      if (error instanceof StoreBroken) return { committed, error: halfKnown(error) }
      // What got in is said; whoever gives the others again hears of the failure.
      return committed === 0 ? { committed, error } : { committed }
    }
    return { committed }
  })

  async function changesAt(revision: number): Promise<Change[]> {
    const json = tables.changesText(revision)
    if (json !== undefined) return parseChanges(json)
    const changes: Change[] = []
    for await (const slice of large.changesOf(revision, tables.headOf(revision).chunks ?? 0)) {
      for (const change of slice) changes.push(change)
    }
    return changes
  }

  async function captureWhole(): Promise<Captured> {
    while (large.isUnfinished()) await large.finish()
    return capture(tables)
  }

  const store: Store = {
    history: tables.mark(historyMark) ?? '',

    async load() {
      try {
        await large.finish()
        await large.sweep()
        const records = readRecords(tables)
        mustFit(records, { head, lastIds })
        return { revision: head, time: clock, lastIds: Object.fromEntries(lastIds), records }
      } catch (error) {
        throw error instanceof StoreDamaged ? refusal(dataDir, error) : error
      }
    },

    async append(entries) {
      checkEntries(entries)
      return commits.append(entries.map((entry) => prepare(tables, entry)))
    },

    async entriesAfter(revision, limit) {
      const entries: Entry[] = []
      for (const { log, ...head } of await headsAfter(tables, revision, limit)) {
        entries.push({ ...head, changes: await changesAt(head.revision), log })
        if (isLong()) await turn()
      }
      return entries
    },

    headsAfter: (revision, limit) => headsAfter(tables, revision, limit),

    async *changesOf(revision) {
      const base = tables.base()
      if (revision <= base) throw new JournalTrimmed(base)
      const json = tables.changesText(revision)
      if (json !== undefined) yield* changeSlices(json)
      else if (revision <= head) yield* large.changesOf(revision, tables.headOf(revision).chunks ?? 0)
    },

    async head() {
      return head
    },

    async base() {
      return tables.base()
    },

    async lastBefore(time) {
      return tables.firstSince(time) - 1
    },

    trim(revision) {
      // Who asked for the one before has heard of its failure.
      trimming = trimming.catch(() => 0).then(() => removeUpTo(Math.min(revision, head - 1)))
      return trimming
    },

    async log(query) {
      return collect(tables, normalised(query))
    },

    async putBlob({ hash, bytes }) {
      write([[tables.blobs, hash, bytes]])
    },
    async getBlob(hash) {
      return tables.blob(hash)
    },
    async deleteBlobs(hashes) {
      write(hashes.map((hash): Put => [tables.blobs, hash, null]))
    },
    async listBlobs() {
      return Array.from(tables.blobs.getKeys())
    },

    /** After a write has failed, only a write that succeeds, with room for a usual edit, shows that the next can. */
    async ping() {
      if (failure && large.isUnfinished()) await large.finish()
      if (failure) write([[tables.probe, 'written', String(head)]], usualEdit)
    },

    async settled() {
      await commits.idle()
    },

    async close() {
      closing = true
      await commits.idle()
      // Who asked for it hears how it went.
      await trimming.catch(() => {})
      await tables.close()
      release()
    },

    contents: (blobsOf) => contentsOf({ ...store, capture: captureWhole }, blobsOf),
  }
  return store
}

/** What the file holds of what was written as it broke, the next start will see. */
const halfKnown = (cause: StoreBroken): AppendFailed =>
  new AppendFailed(cause.message, { cause, committed: 0, outcome: 'unknown' })

/** LMDB keeps what a read transaction sees until it is done. */
function capture(tables: Tables): Captured {
  const reading = tables.read()
  const revision = tables.newest(reading)
  const lastIds: Record<string, number> = {}
  for (const { key, text } of tables.texts(tables.lastIds, { transaction: reading })) lastIds[key] = Number(text)
  return {
    revision,
    lastIds,
    records: {
      async *[Symbol.asyncIterator]() {
        for (const { text } of tables.texts(tables.records, { transaction: reading })) {
          yield JSON.parse(text) as LoadedRecord
          if (isLong()) await turn()
        }
      },
    },
    release: () => reading.done(),
  }
}

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

/** Parsed in large pieces: one call for thousands of records costs half of one call each. */
function readRecords(tables: Tables): LoadedRecord[] {
  const records: LoadedRecord[] = []
  let piece: string[] = []
  const flush = () => {
    for (const record of JSON.parse(`[${piece.join(',')}]`) as LoadedRecord[]) records.push(record)
    piece = []
  }
  for (const { text } of tables.texts(tables.records)) {
    piece.push(text)
    if (piece.length === 5000) flush()
  }
  flush()
  return records
}

/** Records, journal and largest ids were written together, so they say the same. */
function mustFit(
  records: readonly LoadedRecord[],
  { head, lastIds }: { head: number; lastIds: ReadonlyMap<string, number> },
): void {
  for (const { kind, revision, record } of records) {
    if (revision > head)
      throw new StoreDamaged(`${kind} ${record.id} is of revision ${revision}, the journal ends at ${head}`)
    if (record.id > (lastIds.get(kind) ?? 0))
      throw new StoreDamaged(`${kind} ${record.id} has an id that was never given`)
  }
}

async function headsAfter(tables: Tables, revision: number, limit: number): Promise<EntryHead[]> {
  const base = tables.base()
  if (revision < base) throw new JournalTrimmed(base)
  const heads: EntryHead[] = []
  for (let start = revision + 1; ; await turn()) {
    const slice = heads.length
    for (const { key, text } of tables.texts(tables.heads, { start, limit: limit - slice })) {
      const { time, user, requestId, id = requestId, log } = JSON.parse(text) as StoredHead
      heads.push({ revision: key, time, user, id, requestId, log })
      start = key + 1
      if (isLong()) break
    }
    if (heads.length === slice || heads.length === limit || !isLong()) return heads
  }
}

/** A filter may look through much and find little: after each slice it goes on below the last revision looked at. */
async function collect(tables: Tables, query: LogQuery): Promise<LoggedLine[]> {
  const lines: LoggedLine[] = []
  for (let left: LogQuery | null = query; left; await turn()) {
    const looking: LogQuery = left
    left = null
    for (const revision of tables.revisionsFor(looking)) {
      lines.push(...linesOf({ revision, ...tables.headOf(revision) }, query))
      if (lines.length >= query.limit) return lines.slice(0, query.limit)
      if (!isLong()) continue
      left = { ...query, before: revision * linesPerEntry }
      break
    }
    if (!left) return lines
  }
  return lines
}
