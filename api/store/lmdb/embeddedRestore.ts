import { randomUUID } from 'node:crypto'
import { chmodSync, existsSync, linkSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { makeDirectory, makeDurable } from '../../config/directory.js'
import { isLong, turn } from '../../flow/turns.js'
import type { Part, Restored } from '../store.js'
import { StoreRefused } from '../store.js'
import type { Put, Tables } from '../tables.js'
import { openTables } from '../tables.js'
import { entryPuts, headPut, recordPut } from './embeddedRows.js'
import { lockDirectory } from './lock.js'

/** Bytes and rows that are written in one transaction. */
const atOnce = { bytes: 4 << 20, rows: 5000 }

/** The store in the making beside the one that may be there. */
export const unfinished = 'restoring.mdb'
const replaced = 'store.mdb.replaced'
/** The mark that names the store's history. */
export const historyMark = 'history'

/**
 * Makes the store in `dataDir` anew from the parts of a backup. It is written beside the old one and takes its place
 * by a rename, so that there is the old one or the whole new one, whenever the process dies.
 *
 * @param force also where there is a store already; that one is kept beside the new one
 */
export async function restoreEmbedded(
  { dataDir, force }: { dataDir: string; force: boolean },
  parts: AsyncIterable<Part>,
): Promise<Restored> {
  makeDirectory(dataDir)
  const release = await lockDirectory(dataDir)
  const at = (name: string): string => join(dataDir, name)
  try {
    if (!force && existsSync(at('store.mdb')) && !(await isEmpty(at('store.mdb')))) {
      throw new StoreRefused(
        `The data directory ${dataDir} holds a store. Restore into another one (DATA_DIR), or replace it with --force.`,
      )
    }
    removeUnfinished(dataDir)
    const tables = openTables(at(unfinished))
    let restored: Restored
    try {
      makeDurable(dataDir)
      chmodSync(at(unfinished), 0o600)
      restored = await write(tables, parts)
    } finally {
      await tables.close()
    }
    putInPlace(dataDir, at(unfinished))
    return restored
  } finally {
    release()
  }
}

/** For whoever holds the directory. */
export function removeUnfinished(dataDir: string): void {
  for (const name of [unfinished, `${unfinished}-lock`]) rmSync(join(dataDir, name), { force: true })
}

/**
 * Puts the store that lies ready in the folder `from`, of the same file system, into the place of the one in `dataDir`;
 * nobody may have either open. There is the one or the other, whenever the process dies.
 */
export async function takePlaceIn(dataDir: string, from: string): Promise<void> {
  const release = await lockDirectory(dataDir)
  try {
    putInPlace(dataDir, join(from, 'store.mdb'))
  } finally {
    release()
  }
}

function putInPlace(dataDir: string, made: string): void {
  const at = (name: string): string => join(dataDir, name)
  if (existsSync(at('store.mdb'))) {
    rmSync(at(replaced), { force: true })
    linkSync(at('store.mdb'), at(replaced))
  }
  rmSync(at('store.mdb-lock'), { force: true })
  renameSync(made, at('store.mdb'))
  rmSync(`${made}-lock`, { force: true })
  makeDurable(dataDir)
}

async function isEmpty(file: string): Promise<boolean> {
  try {
    const tables = openTables(file)
    const head = tables.newest()
    await tables.close()
    return head === 0
  } catch {
    // A damaged store is not empty.
    return false
  }
}

async function write(tables: Tables, parts: AsyncIterable<Part>): Promise<Restored> {
  const counts = { revision: 0, records: 0, entries: 0, blobs: 0 }
  let puts: Put[] = [[tables.marks, historyMark, randomUUID()]]
  let bytes = 0
  let clock = ''
  const flush = (): void => {
    if (puts.length > 0) tables.write(puts)
    puts = []
    bytes = 0
  }
  for await (const part of parts) {
    if ('blob' in part) {
      puts.push([tables.blobs, part.blob, part.bytes])
      counts.blobs += 1
    } else if ('state' in part) {
      counts.revision = part.state.revision
      for (const [kind, id] of Object.entries(part.state.lastIds)) puts.push([tables.lastIds, kind, String(id)])
    } else if ('record' in part) {
      const { kind, revision, record } = part.record
      puts.push(recordPut(tables, { kind, id: record.id, revision, record }))
      counts.records += 1
    } else if ('entry' in part) {
      if (part.entry.time > clock) clock = part.entry.time
      puts.push(...entryPuts(tables, part.entry), headPut(tables, part.entry, clock))
      counts.entries += 1
    }
    const value = puts.at(-1)?.[2]
    bytes += typeof value === 'string' ? value.length : (value?.byteLength ?? 0)
    if (bytes > atOnce.bytes || puts.length > atOnce.rows) flush()
    if (isLong()) await turn()
  }
  flush()
  return counts
}
