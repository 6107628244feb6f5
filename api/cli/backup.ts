import { Readable } from 'node:stream'
import { createGzip } from 'node:zlib'
import { BadSetting } from '../config/errors.js'
import { keptVaultKeyId } from '../config/secrets.js'
import { readSettings } from '../config/settings.js'
import { backupText } from '../operations/backup/backup.js'
import { checkRestorable } from '../operations/backup/checkRestorable.js'
import { BackupDamaged, checkBackup, otherKey, partsOf } from '../operations/backup/format.js'
import { openExisting, restoreStore } from '../store/open.js'
import { CommandFailed } from './failed.js'
import { isKept, writeOutput } from './wholeFile.js'

/** Everything in the store as one file, packed; from a running service when EDGEWRIGHT_URL names one. */
export async function backupCommand(file: string): Promise<void> {
  const url = process.env.EDGEWRIGHT_URL?.trim()
  if (url) await writePacked(file, fetched(url, process.env.EDGEWRIGHT_TOKEN?.trim() ?? ''))
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
  await told(() => checkBackup(file))
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
  writeOutput(file, [Readable.from(text, { objectMode: false }), createGzip()], { mode: 0o600 })

async function* fetched(url: string, token: string): AsyncGenerator<string> {
  if (!/^https?:\/\//.test(url) || !URL.canParse(url))
    throw new BadSetting(`EDGEWRIGHT_URL must begin with http:// or https://, not '${url}'`)
  const answer = await fetch(new URL('/api/1.3/backup', url), {
    headers: token === '' ? {} : { authorization: `Bearer ${token}` },
  }).catch((error: unknown) => {
    throw new CommandFailed(`${url} does not answer: ${reasonOf(error)}`)
  })
  if (answer.status === 401 || answer.status === 403)
    throw new CommandFailed(
      `${url} answered ${answer.status}: EDGEWRIGHT_TOKEN must be an API token of an administrator of the root tenant, without scopes or with the scope backup`,
    )
  if (answer.status !== 200 || !answer.body)
    throw new CommandFailed(`${url} answered ${answer.status}: ${(await answer.text()).slice(0, 300)}`)
  try {
    yield* answer.body.pipeThrough(new TextDecoderStream())
  } catch (error) {
    throw new CommandFailed(`${url} broke off its answer: ${reasonOf(error)}`)
  }
}

/** `fetch` says what went wrong one level down. */
const reasonOf = (error: unknown): string => (((error as Error).cause as Error | undefined) ?? (error as Error)).message
