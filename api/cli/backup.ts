import { closeSync, createWriteStream, fsyncSync, openSync, renameSync, rmSync } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { backupText } from '../backup/backup.js'
import { BackupDamaged, checkBackup, type Header, partsOf } from '../backup/format.js'
import { keptVaultKeyId } from '../secrets.js'
import { readSettings } from '../settings.js'
import { openStore, restoreStore } from '../store/open.js'
import { CommandFailed } from './failed.js'

/** Everything in the store as one file, packed; from a running service when EDGEWRIGHT_URL names one. */
export async function backupCommand(file: string): Promise<void> {
  const url = process.env.EDGEWRIGHT_URL?.trim()
  if (url) await writePacked(file, fetched(url, process.env.EDGEWRIGHT_TOKEN?.trim() ?? ''))
  else {
    const settings = readSettings(process.env)
    const store = await openStore(settings)
    try {
      const vaultKey = keptVaultKeyId(settings)
      await writePacked(file, backupText({ store, vaultKey, now: () => new Date() }))
    } finally {
      await store.close()
    }
  }
  if (file === '-') return
  await checked(file)
  process.stdout.write(`${file} is whole. Keep it apart from the vault key, and keep that, too.\n`)
}

export async function restoreCommand(
  file: string,
  { force = false, dryRun = false }: { force?: boolean; dryRun?: boolean },
): Promise<void> {
  const settings = readSettings(process.env)
  const { vaultKey, made, product } = await checked(file)
  const own = keptVaultKeyId(settings)
  if (vaultKey !== null && own !== vaultKey) {
    const what = own === null ? 'there is none here' : `the one here has ${own}`
    throw new CommandFailed(
      `the backup's private keys are sealed with the vault key of fingerprint ${vaultKey}; ${what}. ` +
        "Set VAULT_KEY to it (or put the old place's file vault-key into DATA_DIR).",
    )
  }
  if (dryRun) {
    process.stdout.write(`${file} is whole: made at ${made} by edgewright ${product}. Nothing was written.\n`)
    return
  }
  const { revision, records, entries, blobs } = await told(() => restoreStore(settings, { force }, partsOf(file)))
  process.stdout.write(
    `Restored revision ${revision}: ${records} records, ${entries} journal entries, ${blobs} stored documents.\n`,
  )
}

const checked = (file: string): Promise<Header> => told(() => checkBackup(file))

async function told<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof BackupDamaged) throw new CommandFailed(error.message)
    throw error
  }
}

/** The name is the backup's only once all of it is on disk. */
async function writePacked(file: string, text: AsyncIterable<string>): Promise<void> {
  const source = Readable.from(text, { objectMode: false })
  if (file === '-') return pipeline(source, createGzip(), process.stdout)
  const partial = `${file}.partial`
  try {
    await pipeline(source, createGzip(), createWriteStream(partial, { mode: 0o600 }))
    const descriptor = openSync(partial, 'r')
    fsyncSync(descriptor)
    closeSync(descriptor)
    renameSync(partial, file)
  } catch (error) {
    rmSync(partial, { force: true })
    if ((error as NodeJS.ErrnoException).code === undefined) throw error
    throw new CommandFailed(`${file} cannot be written: ${(error as Error).message}`)
  }
}

async function* fetched(url: string, token: string): AsyncGenerator<string> {
  const answer = await fetch(new URL('/api/1.3/backup', url), {
    headers: token === '' ? {} : { authorization: `Bearer ${token}` },
  }).catch((error: Error) => {
    throw new CommandFailed(`${url} does not answer: ${((error.cause as Error | undefined) ?? error).message}`)
  })
  if (answer.status !== 200 || !answer.body)
    throw new CommandFailed(`${url} answered ${answer.status}: ${(await answer.text()).slice(0, 300)}`)
  yield* answer.body.pipeThrough(new TextDecoderStream())
}
