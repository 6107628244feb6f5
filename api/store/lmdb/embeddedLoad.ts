import { StoreDamaged } from '../rowCheck.js'
import type { Loaded, LoadedRecord } from '../store.js'
import type { Tables } from '../tables.js'
import type { EmbeddedJournal } from './embeddedJournal.js'

/** Everything, for a start. Throws StoreDamaged when it does not fit together. */
export function readAll(tables: Tables, { head, clock, lastIds }: EmbeddedJournal): Loaded {
  const records = readRecords(tables)
  mustFit(records, { head, lastIds })
  return { revision: head, time: clock, lastIds: Object.fromEntries(lastIds), records }
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
