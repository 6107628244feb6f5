import { isLong, turn } from '../flow/turns.js'
import type { EntryHead, Loaded, LoadedRecord, ReadPart, Store } from './store.js'
import { JournalTrimmed, StoreUnavailable } from './store.js'

/** The records at one revision, however long they are read and whatever is written meanwhile. */
export interface Captured extends Pick<Loaded, 'revision' | 'lastIds'> {
  readonly records: AsyncIterable<LoadedRecord>
  release(): void
}

const page = 200
const mostAttempts = 10

type Source = Pick<Store, 'listBlobs' | 'getBlob' | 'base' | 'headsAfter' | 'changesOf'> & {
  capture(): Promise<Captured>
}

/**
 * Everything at one revision, while writes go on. Blobs come first, because old ones are deleted as time goes on;
 * then the records are captured, and what they name of blobs made since is added. The journal up to their revision
 * does not change any more.
 */
export async function* contentsOf(
  source: Source,
  blobsOf: (record: LoadedRecord) => readonly string[],
): AsyncGenerator<ReadPart> {
  const copied = new Set<string>()
  async function* copy(keys: Iterable<string>): AsyncGenerator<ReadPart> {
    for (const key of keys) {
      const bytes = copied.has(key) ? null : await source.getBlob(key)
      if (!bytes) continue
      copied.add(key)
      yield { blob: key, bytes }
    }
  }
  yield* copy(await source.listBlobs())
  let captured = await source.capture()
  try {
    for (let attempt = 1; ; attempt++) {
      const named: string[] = []
      for await (const record of captured.records) named.push(...blobsOf(record))
      yield* copy(named)
      if (named.every((key) => copied.has(key))) break
      // A version was dropped between the capture and the copy of its documents.
      if (attempt === mostAttempts) throw new StoreUnavailable('Documents of snapshot versions are missing')
      captured.release()
      captured = await source.capture()
    }
    const { revision, lastIds, records } = captured
    yield { state: { revision, lastIds } }
    for await (const record of records) yield { record }
    yield* journalOf(source, revision)
  } finally {
    captured.release()
  }
}

async function* journalOf(source: Source, revision: number): AsyncGenerator<ReadPart> {
  let next = await source.base()
  for (let isBegun = false; next < revision || !isBegun; ) {
    let heads: EntryHead[]
    try {
      heads = await source.headsAfter(next, Math.min(page, revision - next))
    } catch (error) {
      // Trimmed before the first entry was read: then it begins later.
      if (!(error instanceof JournalTrimmed) || isBegun) throw error
      next = error.base
      continue
    }
    if (!isBegun) yield { journal: { base: next } }
    isBegun = true
    if (heads.length === 0 && next < revision) throw new StoreUnavailable(`Entry ${next + 1} is missing in the journal`)
    for (const entry of heads) {
      yield { entry, changes: source.changesOf(entry.revision) }
      next = entry.revision
      if (isLong()) await turn()
    }
  }
}
