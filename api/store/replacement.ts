import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { makeDirectory } from '../config/directory.js'
import type { Settings } from '../config/settings.js'
import { openEmbedded } from './lmdb/embedded.js'
import { restoreEmbedded, takePlaceIn } from './lmdb/embeddedRestore.js'
import { databaseOf, openMongo } from './mongo/mongo.js'
import { clientFor } from './mongo/mongoConnection.js'
import type { History } from './mongo/mongoHistories.js'
import { currentHistory, newHistory, otherRestore, removeHistory, takePlaceOf } from './mongo/mongoHistories.js'
import { prepareMongo } from './mongo/mongoRestore.js'
import type { Part, Restored, Store } from './store.js'

export type { History }

type Where = Pick<Settings, 'mongoUri' | 'dataDir'>

/** Where a store lies ready beside the one in use; nobody finds it there until it takes that one's place. */
export type Replacement = { readonly folder: string } | { readonly history: History }

const workplace = 'restoring-'
/** How long, in ms, the folders of others are let be: instances with one MongoDB may share DATA_DIR. */
const oldMilliseconds = 24 * 3600 * 1000

/** A folder for the work of one restore, for its owner only. */
export function newWorkplace(dataDir: string): string {
  makeDirectory(dataDir)
  return mkdtempSync(join(dataDir, workplace))
}

/** Removes what restores left that were cut short. With the embedded store, whoever has it open has the whole folder. */
export function sweepWorkplaces({ mongoUri, dataDir }: Where): void {
  if (!existsSync(dataDir)) return
  const found = readdirSync(dataDir, { withFileTypes: true })
    .filter((one) => one.isDirectory() && one.name.startsWith(workplace))
    .map(({ name }) => join(dataDir, name))
  if (found.length === 0) return
  const newest = mongoUri === null ? Number.POSITIVE_INFINITY : diskTime(dataDir)
  for (const path of found) {
    if (newest - statSync(path).mtimeMs > oldMilliseconds) rmSync(path, { recursive: true, force: true })
  }
}

/** The time by which the disk notes what was written when: the clocks of two instances may differ. */
function diskTime(dataDir: string): number {
  const probe = newWorkplace(dataDir)
  const { mtimeMs } = statSync(probe)
  rmSync(probe, { recursive: true })
  return mtimeMs
}

export const newReplacement = async ({ mongoUri }: Where, folder: string): Promise<Replacement> =>
  mongoUri === null
    ? { folder: join(folder, 'store') }
    : { history: await inDatabase(mongoUri, (database) => newHistory(database)) }

/** Writes everything of a backup there. */
export async function prepare(
  { mongoUri }: Where,
  replacement: Replacement,
  parts: AsyncIterable<Part>,
): Promise<Restored> {
  if ('folder' in replacement) return restoreEmbedded({ dataDir: replacement.folder, force: false }, parts)
  return inDatabase(mongoUri, (database) => prepareMongo(database, replacement.history, parts))
}

/** As any other store, to look whether it can be used. */
export const openReplacement = ({ mongoUri }: Where, replacement: Replacement): Promise<Store> =>
  'folder' in replacement
    ? openEmbedded({ dataDir: replacement.folder })
    : openMongo({ uri: mongoUri!, history: replacement.history })

/**
 * Of MongoDB: ends the history of that name after a revision. `at` is asked again and again until no other entry is
 * first, on one connection: others write meanwhile.
 */
export const endHistory = (
  { mongoUri }: Where,
  { name, next, at }: { name: string; next: History; at: () => Promise<number> },
): Promise<void> =>
  inDatabase(mongoUri, async (database) => {
    const old = await currentHistory(database)
    if (old.name !== name) throw otherRestore()
    while (!(await takePlaceOf(database, { old, next, revision: await at() })));
  })

/** Of the embedded store, which must be closed. */
export const putInPlace = ({ dataDir }: Where, { folder }: { folder: string }): Promise<void> =>
  takePlaceIn(dataDir, folder)

/** Removes a replacement that is not wanted any more; folders go with their workplace. */
export async function discard({ mongoUri }: Where, replacement: Replacement): Promise<void> {
  if ('history' in replacement) await inDatabase(mongoUri, (database) => removeHistory(database, replacement.history))
}

async function inDatabase<T>(uri: string | null, work: (database: ReturnType<typeof databaseOf>) => Promise<T>) {
  const client = clientFor(uri!)
  try {
    return await work(databaseOf(client, uri!))
  } finally {
    await client.close()
  }
}
