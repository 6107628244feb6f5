import type { Change, Entry, Store, StoredRecord } from '../../api/store/store.js'
import { entryAt } from './entries.js'

/** Records that a storm writes to; so few that entries change, delete and bring back each other's. */
const ids = 7
/** Now and then, and early in a storm, an entry is written in chunks on MongoDB. */
const isLarge = (revision: number) => revision % 997 === 11

/** Changes of a wide entry: so many that the embedded store writes them in many transactions. */
const wide = 3000

/** The entry of a storm at a revision: the same for every process that writes it, whatever was there before. */
export function stormEntry(revision: number, isWide = false): Entry {
  const padding = 'x'.repeat(isLarge(revision) ? 2_100_000 : revision % 300)
  const changes = ['cdns', 'types', 'servers'].map((kind, index): Change => {
    const id = 1 + ((revision * (index + 3)) % ids)
    const after: StoredRecord | null = (revision + index) % 5 === 0 ? null : { id, revision, padding }
    return { kind, id, before: null, after }
  })
  for (let id = 1; isWide && id <= wide; id++) {
    changes.push({ kind: 'parameters', id, before: null, after: (revision + id) % 7 === 0 ? null : { id, revision } })
  }
  return entryAt(revision, { changes })
}

/** The whole journal, a page at a time. */
export async function wholeJournal(store: Pick<Store, 'entriesAfter'>): Promise<Entry[]> {
  const entries: Entry[] = []
  for (;;) {
    const page = await store.entriesAfter(entries.length, 50)
    if (page.length === 0) return entries
    entries.push(...page)
  }
}
