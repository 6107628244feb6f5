import { randomBytes } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseVaultKey, seal, unseal } from '../compiler/vault.js'
import type { Vault } from './services.js'
import type { Settings } from './settings.js'

export interface Secrets {
  readonly sessionSecret: string
  readonly vaultKey: Uint8Array
}

/** From the settings; with the embedded store what is not set is generated once, into DATA_DIR, readable by the owner only. */
export function readSecrets({ sessionSecret, vaultKey, dataDir }: Settings): Secrets {
  return {
    sessionSecret: sessionSecret ?? kept(dataDir, 'session-secret'),
    vaultKey: parseVaultKey(vaultKey ?? kept(dataDir, 'vault-key')),
  }
}

function kept(dataDir: string, name: string): string {
  const path = join(dataDir, name)
  if (existsSync(path)) return readFileSync(path, 'utf8').trim()
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const value = randomBytes(32).toString('hex')
  writeFileSync(path, `${value}\n`, { mode: 0o600, flag: 'wx' })
  chmodSync(path, 0o600)
  return value
}

export const createVault = (key: Uint8Array): Vault => ({
  seal: (plain) => seal(key, plain, randomBytes(12)),
  unseal: (sealed) => unseal(key, sealed),
})
