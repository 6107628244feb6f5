import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { keyId, nonceFor, parseVaultKey, seal, unseal, VaultError } from '../../compiler/core/vault.js'
import { makeDirectory, writeWhole } from './directory.js'
import { BadSetting } from './errors.js'
import type { Settings } from './settings.js'
import { shortestSecret } from './variables.js'
import type { Vault } from './vault.js'

export interface Secrets {
  readonly sessionSecret: string
  readonly vaultKey: Uint8Array
}

/** Where the vault key lies that was generated because none was set. */
export const vaultKeyFile = (dataDir: string): string => join(dataDir, 'vault-key')

/** From the settings; with the embedded store what is not set is generated once, into DATA_DIR, readable by the owner only. */
export function readSecrets({ sessionSecret, vaultKey, dataDir }: Settings): Secrets {
  return {
    sessionSecret: sessionSecret ?? kept(join(dataDir, 'session-secret')),
    vaultKey: asVaultKey(
      vaultKey === null ? vaultKeyFile(dataDir) : 'VAULT_KEY',
      vaultKey ?? kept(vaultKeyFile(dataDir)),
    ),
  }
}

/** The fingerprint of the vault key in use; `null` when there is none yet. Makes none. */
export function keptVaultKeyId(settings: Settings): string | null {
  if (settings.mongoUri === null && lacksVaultKey(settings)) return null
  return readVaultKeyId(settings)
}

function readVaultKeyId({ vaultKey, dataDir }: Settings): string {
  const path = vaultKeyFile(dataDir)
  return keyId(vaultKey === null ? asVaultKey(path, kept(path)) : asVaultKey('VAULT_KEY', vaultKey))
}

/** Whether `readSecrets` would make a new vault key. */
export const lacksVaultKey = ({ vaultKey, dataDir }: Settings): boolean =>
  vaultKey === null && readKept(vaultKeyFile(dataDir)) === null

/** @param name what the operator has to mend when the text is no key */
export function asVaultKey(name: string, text: string): Uint8Array {
  try {
    return parseVaultKey(text)
  } catch (error) {
    throw error instanceof VaultError ? new BadSetting(`${name}: ${error.message}`) : error
  }
}

function kept(path: string): string {
  const there = readKept(path)
  if (there !== null) return there
  const value = randomBytes(32).toString('hex')
  try {
    makeDirectory(dirname(path))
    writeWhole(path, `${value}\n`)
  } catch (error) {
    throw new BadSetting(`${path} cannot be written: ${(error as Error).message}`)
  }
  return value
}

/** `null` when there is none; an empty file is one that could not be written. */
function readKept(path: string): string | null {
  if (!existsSync(path)) return null
  const text = readFileSync(path, 'utf8').trim()
  if (text === '') return null
  // What anybody could guess must not sign sessions: half a file, or the zeros that a power failure leaves of one.
  if (text.length < shortestSecret || /\p{Cc}/u.test(text)) {
    throw new BadSetting(
      `${path} is damaged. Put it back from where it is kept; a session secret can be removed instead, and all sign in again.`,
    )
  }
  return text
}

export const createVault = (key: Uint8Array): Vault => ({
  id: keyId(key),
  seal: (plain) => seal(key, plain, randomBytes(12)),
  sealAlike: (plain, place) => seal(key, plain, nonceFor(key, plain, place)),
  unseal: (sealed) => unseal(key, sealed),
})
