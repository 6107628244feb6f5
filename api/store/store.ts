/**
 * The durable truth. One interface, two adapters (`embedded`, `mongo`), one contract test.
 *
 * The journal is the commit: an entry either is in it, whole, under its revision, or it is not. The record
 * collections follow it and exist for a fast start and for people who query them; whoever loads reads the
 * records and then the journal entries newer than the mark.
 */

/** A stored record: flat JSON values and arrays of them; always an integer `id`. */
export type StoredRecord = Readonly<{ id: number } & { [field: string]: unknown }>

export interface Change {
  readonly kind: string
  readonly id: number
  readonly before: StoredRecord | null
  readonly after: StoredRecord | null
}

/** A line of the change log. */
export interface LogLine {
  readonly level: 'APICHANGE' | 'UICHANGE' | 'OPER'
  readonly message: string
  readonly ticketNum: string | null
  /** The tenants whose records the entry touched: who sees the line reaches them all. Lines from before have none. */
  readonly tenants?: readonly number[]
}

export interface Entry {
  /** 1, 2, 3, … without a gap. */
  readonly revision: number
  /** ISO 8601 with milliseconds, UTC. */
  readonly time: string
  readonly user: string
  /**
   * The entry's identity: made anew for each decision by whoever decides, and kept when that very entry is tried
   * again. It tells one's own entry from another's, so nothing a client says may become it. Entries of journals
   * from before there were identities have their request id instead.
   */
  readonly id: string
  /** What the client, or the service, calls the request. For people who look for it; it need not be unique. */
  readonly requestId: string
  readonly changes: readonly Change[]
  readonly log: readonly LogLine[]
}

/** An entry without its changes, which can be megabytes. */
export type EntryHead = Omit<Entry, 'changes'>

export interface LoadedRecord {
  readonly kind: string
  readonly record: StoredRecord
  /** The revision that wrote this record last. */
  readonly revision: number
}

export interface Loaded {
  /** The newest revision in the journal; 0 when empty. */
  readonly revision: number
  /** The latest time of any entry in the journal; empty when there is none. */
  readonly time: string
  /** Largest id ever given out per kind, deleted records included. */
  readonly lastIds: Readonly<Record<string, number>>
  readonly records: readonly LoadedRecord[]
}

/** One line of the change log as it is queried. */
export interface LoggedLine extends LogLine {
  /** `revision * 1000 + position`, so ids ascend with time. */
  readonly id: number
  readonly revision: number
  readonly time: string
  readonly user: string
}

/** An immutable frozen document (a snapshot version), addressed by the hash of its content. */
export interface Blob {
  readonly hash: string
  readonly bytes: Uint8Array
}

export interface Store {
  /**
   * The name of the past that the store holds, another after every restore; empty when it never was restored. What
   * somebody knows of one past (a revision, a session) means nothing in another.
   */
  readonly history: string

  /** Everything at the newest revision. Also finishes the record writes a crash left undone. */
  load(): Promise<Loaded>

  /**
   * Commits entries in order; their revisions follow each other. Resolves with how many were committed: fewer
   * than given when another instance took a revision first (the caller catches up, decides anew and retries).
   * Resolves only once what it counts is durable. An unknown outcome is resolved inside by the entries' ids.
   * Throws AppendFailed when part of them was committed or nobody can say; any other StoreUnavailable when nothing
   * was and nothing will be. The caller must then read the journal before it appends again. Within 15 s, either way.
   *
   * Appends may be in flight together, each built upon the one before: when one is second, so are all behind it.
   * Throws RangeError on what no caller should give: revisions with a gap, a `time` of another form, an
   * `id` or `requestId` that is not 1 to 200 printable ASCII characters, one `id` twice, more than 1,000 log lines.
   */
  append(entries: readonly Entry[]): Promise<number>

  /**
   * Journal entries with a revision greater than `revision`, ascending, at most `limit`. Throws JournalTrimmed when
   * some of them were removed.
   */
  entriesAfter(revision: number, limit: number): Promise<Entry[]>

  /** As `entriesAfter`, without the changes. */
  headsAfter(revision: number, limit: number): Promise<EntryHead[]>

  /** The changes of one entry, in slices: however large it is, the event loop has its turns in between. */
  changesOf(revision: number): AsyncIterable<readonly Change[]>

  /** The newest revision in the journal. */
  head(): Promise<number>

  /** The revision before the oldest entry in the journal; 0 as long as none was removed. */
  base(): Promise<number>

  /** The revision up to which every entry is older than `time` (ISO 8601); `base()` when none is. */
  lastBefore(time: string): Promise<number>

  /**
   * Removes the entries up to `revision` and their log lines, the oldest first, in slices: others get their turn
   * in between, and what is cut short goes on the next time. Keeps the newest entry and what a load still needs.
   * Resolves with the new base.
   */
  trim(revision: number): Promise<number>

  /**
   * Change-log lines, newest first. `since` is an ISO time; a line counts when it is not older. Many are asked for
   * in pages, each `before` the last line of the one before.
   */
  log(query: { since?: string; before?: number; limit: number; user?: string; level?: string }): Promise<LoggedLine[]>

  /**
   * Everything at one revision, as it lies in the store, while writes go on: what a backup is made of.
   *
   * @param blobsOf the blobs that a record needs
   */
  contents(blobsOf: (record: LoadedRecord) => readonly string[]): AsyncIterable<ReadPart>

  putBlob(blob: Blob): Promise<void>
  getBlob(hash: string): Promise<Uint8Array | null>
  deleteBlobs(hashes: readonly string[]): Promise<void>
  listBlobs(): Promise<string[]>

  /** Resolves when the store answers, throws StoreUnavailable otherwise. */
  ping(): Promise<void>

  /** Waits until the record collections have caught up with the journal. */
  settled(): Promise<void>

  close(): Promise<void>
}

/** The pieces of everything that a store holds, in the order in which a backup says and a restore takes them. */
export type Part =
  /** The stored documents; some may be named by no record any more. */
  | { readonly blob: string; readonly bytes: Uint8Array }
  | { readonly state: Pick<Loaded, 'revision' | 'lastIds'> }
  | { readonly record: LoadedRecord }
  /** Before the entries: the revision that they follow. */
  | { readonly journal: { readonly base: number } }
  | { readonly entry: Entry }

/** As it is read: the changes of an entry, which may be many, in slices. */
export type ReadPart =
  | Exclude<Part, { entry: Entry }>
  | { readonly entry: EntryHead; readonly changes: AsyncIterable<readonly Change[]> }

/** What was put back. */
export interface Restored {
  readonly revision: number
  readonly records: number
  readonly entries: number
  readonly blobs: number
}

/** The store cannot be reached or cannot write (gone, disk full). Who must ask it is answered 503; other reads go on. */
export class StoreUnavailable extends Error {
  override name = 'StoreUnavailable'
}

/**
 * The file of the store failed while it was written: this process is not to touch it any more, nor to go on for long.
 * The next one goes on with what is durable.
 */
export class StoreBroken extends StoreUnavailable {
  override name = 'StoreBroken'
}

/** Is told when the store fails beneath the process, which is then to end. */
export type Broken = (error: StoreBroken) => void

/** Entries that were asked for have been removed from the journal: it begins after revision `base`. */
export class JournalTrimmed extends StoreUnavailable {
  override name = 'JournalTrimmed'

  constructor(readonly base: number) {
    super(`The journal begins after revision ${base}; older entries were removed`)
  }
}

/** A restore has put another past into the place of the one that is asked: nothing is added to it any more. */
export class HistoryReplaced extends StoreUnavailable {
  override name = 'HistoryReplaced'
}

/** An append that failed, and may not have failed altogether. */
export class AppendFailed extends StoreUnavailable {
  override name = 'AppendFailed'
  /** How many of the entries given, from the first on, are durable. */
  readonly committed: number
  /** Of the others: none was committed or will be; or that is not known, until another entry has the revision. */
  readonly outcome: 'none' | 'unknown'

  constructor(
    message: string,
    { committed, outcome, ...options }: ErrorOptions & Pick<AppendFailed, 'committed' | 'outcome'>,
  ) {
    super(message, options)
    this.committed = committed
    this.outcome = outcome
  }
}

/** Another process holds the data directory, or it cannot be used. The message is for the operator. */
export class StoreRefused extends Error {
  override name = 'StoreRefused'
}
