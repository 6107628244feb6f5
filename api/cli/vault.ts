import { existsSync, readFileSync } from 'node:fs'
import { keyId } from '../../compiler/core/vault.js'
import { writeWhole } from '../config/directory.js'
import { asVaultKey, createVault, vaultKeyFile } from '../config/secrets.js'
import type { Settings } from '../config/settings.js'
import { readSettings } from '../config/settings.js'
import { createRecordKinds } from '../journal/kinds.js'
import { sealWith } from '../operations/sealing/openSealed.js'
import type { Lost, Resealing } from '../operations/sealing/reseal.js'
import { reseal } from '../operations/sealing/reseal.js'
import { sealedPlaces } from '../operations/sealing/sealing.js'
import { recordKinds } from '../records/kinds/index.js'
import { openExisting } from '../store/open.js'
import type { Store } from '../store/store.js'
import { fingerprintOf } from '../store/vaultFingerprint.js'
import { CommandFailed } from './failed.js'

interface Keys {
  readonly to: Uint8Array
  readonly from: readonly Uint8Array[]
}

/**
 * Seals everything secret with VAULT_KEY, from whichever of the other keys opens it, in one commit: all of it or
 * nothing. It works below the boundary that has secrets in clear, on what the store holds, because the service does
 * not start on a store whose material its key does not open.
 */
export async function vaultRotateCommand({ drop = false }: { drop?: boolean } = {}): Promise<void> {
  const settings = readSettings(process.env)
  const keys = keysOf(settings, process.env)
  const store = await openExisting(settings)
  let said: string
  try {
    said = await rotate(store, keys, { drop })
  } finally {
    await store.close()
  }
  if (settings.mongoUri === null) keep(vaultKeyFile(settings.dataDir), settings.vaultKey!, keys.to)
  process.stdout.write(`${said}\n`)
}

async function rotate(store: Store, keys: Keys, { drop }: { drop: boolean }): Promise<string> {
  const places = sealedPlaces(createRecordKinds(recordKinds))
  const to = createVault(keys.to)
  const from = keys.from.map(createVault)
  for (;;) {
    const loaded = await store.load()
    const resealing = reseal(loaded.records, places, { to, from })
    if (resealing.lost.length > 0 && !drop) throw new CommandFailed(listed(resealing.lost))
    const isDone = resealing.changes.length === 0 && fingerprintOf(loaded.records) === to.id
    // Whoever else writes was first: what it wrote is looked at, too.
    if (!isDone && !(await sealWith(to, store, loaded, resealing, new Date()))) continue
    await store.settled()
    return done(resealing)
  }
}

function done({ resealed, already, lost }: Resealing): string {
  const before = already > 0 ? `; ${already} were sealed with it before` : ''
  const dropped = lost.length > 0 ? `\nDropped, because no key opens it:\n${linesOf(lost)}` : ''
  return `${resealed} records are sealed with the new key${before}.${dropped}`
}

const listed = (lost: readonly Lost[]): string =>
  `nothing was changed; of what is sealed, ${lost.length} cannot be opened with the keys given:\n${linesOf(lost)}\nGive the keys that are missing as VAULT_KEY_OLD, VAULT_KEY_OLD_2, …, or repeat with --drop to give these up.`

const linesOf = (lost: readonly Lost[]): string =>
  lost.map(({ kind, id, field, why }) => `  ${kind} ${id}, ${field}: ${why}`).join('\n')

/** One key for each variable, because a passphrase may hold any character that could part two. */
function keysOf(settings: Settings, env: NodeJS.ProcessEnv): Keys {
  if (settings.vaultKey === null) throw new CommandFailed('VAULT_KEY must be set to the new key')
  const file = vaultKeyFile(settings.dataDir)
  const kept = settings.mongoUri === null && existsSync(file) ? [[file, readFileSync(file, 'utf8')] as const] : []
  const given = Object.entries(env).flatMap(([name, text]) =>
    /^VAULT_KEY_OLD(_|$)/.test(name) && text?.trim() ? [[name, text] as const] : [],
  )
  if (given.length + kept.length === 0) throw new CommandFailed('VAULT_KEY_OLD must be set to the key in use so far')
  const to = asVaultKey('VAULT_KEY', settings.vaultKey)
  const from = [...given, ...kept].map(([name, text]) => asVaultKey(name, text))
  if (from.every((key) => keyId(key) === keyId(to))) {
    throw new CommandFailed('VAULT_KEY and VAULT_KEY_OLD are the same key')
  }
  return { to, from }
}

/** A start without VAULT_KEY goes on with the new key; repeated when it was broken off before. */
function keep(file: string, text: string, key: Uint8Array): void {
  if (!existsSync(file) || keyId(asVaultKey(file, readFileSync(file, 'utf8'))) === keyId(key)) return
  writeWhole(
    file,
    `${text}
`,
  )
}
