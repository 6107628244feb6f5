import { Readable } from 'node:stream'
import { createGzip } from 'node:zlib'
import { keptVaultKeyId } from '../config/secrets.js'
import { readSettings } from '../config/settings.js'
import { backupText } from '../operations/backup/backup.js'
import { checkRestorable } from '../operations/backup/checkRestorable.js'
import { BackupDamaged, checkBackup, otherKey, partsOf } from '../operations/backup/format.js'
import { openExisting, restoreStore } from '../store/open.js'
import { CommandFailed } from './failed.js'
import type { Client } from './service/client.js'
import { Refused } from './service/client.js'
import type { ServiceOptions } from './service/which.js'
import { whichService } from './service/which.js'
import { withClient } from './service/withClient.js'
import { isKept, writeOutput } from './wholeFile.js'

/** Everything in the store as one file, packed; from a running service when one is named. */
export async function backupCommand(file: string, options: ServiceOptions): Promise<void> {
  if (whichService(options)) await withClient(options, (client) => writePacked(file, fetched(client)))
  else {
    const settings = readSettings(process.env)
    const store = await openExisting(settings)
    try {
      const vaultKey = keptVaultKeyId(settings)
      await writePacked(file, backupText({ store, vaultKey, now: () => new Date() }))
    } finally {
      await store.close()
    }
  }
  if (!isKept(file)) return
  process.stdout.write(`${file} is whole. Keep it apart from the vault key, and keep that, too.\n`)
}

export async function restoreCommand(
  file: string,
  { force = false, dryRun = false }: { force?: boolean; dryRun?: boolean },
): Promise<void> {
  const settings = readSettings(process.env)
  const header = await told(() => checkRestorable(file))
  const { made, product } = header
  const fault = otherKey(header, keptVaultKeyId(settings))
  if (fault !== null) throw new CommandFailed(fault)
  if (dryRun) {
    process.stdout.write(`${file} is whole: made at ${made} by edgewright ${product}. Nothing was written.\n`)
    return
  }
  const { revision, records, entries, blobs } = await told(() => restoreStore(settings, { force }, partsOf(file)))
  process.stdout.write(
    `Restored revision ${revision}: ${records} records, ${entries} journal entries, ${blobs} stored documents.\n`,
  )
}

async function told<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof BackupDamaged) throw new CommandFailed(error.message)
    throw error
  }
}

const writePacked = (file: string, text: AsyncIterable<string>): Promise<void> =>
  writeOutput(file, [Readable.from(text, { objectMode: false }), createGzip()], {
    mode: 0o600,
    check: (written) => mustBeWhole(written, file),
  })

/** One that is not whole does not take the place of one that was. */
async function mustBeWhole(written: string, file: string): Promise<void> {
  try {
    await checkBackup(written)
  } catch (error) {
    if (!(error instanceof BackupDamaged)) throw error
    throw new CommandFailed(`${file} was not written: what came ${error.what}`)
  }
}

async function* fetched(client: Client): AsyncGenerator<string> {
  const { body } = await client.open('backup').catch((error: unknown) => {
    const isBarred = error instanceof Refused && (error.status === 401 || error.status === 403)
    throw isBarred
      ? new CommandFailed(
          `${error.message} It takes a token of an administrator of the root tenant, without scopes or with the scope backup.`,
        )
      : error
  })
  yield* body.setEncoding('utf8') as AsyncIterable<string>
}
