import { randomBytes, randomUUID } from 'node:crypto'
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { keyId, parseVaultKey, seal, sealedWith, unseal, VaultError } from '../../compiler/vault.js'
import type { Kind } from '../data.js'
import { system } from '../roles.js'
import type { Services } from '../services.js'
import { readSettings } from '../settings.js'
import { CommandFailed } from './failed.js'
import { withService } from './withService.js'

/** Seals everything private anew, from VAULT_KEY_OLD to VAULT_KEY, in one commit: all of it or nothing. */
export async function vaultRotateCommand(): Promise<void> {
  const settings = readSettings(process.env)
  const keptIn = settings.mongoUri === null ? join(settings.dataDir, 'vault-key') : null
  const kept = keptIn !== null && existsSync(keptIn) ? readFileSync(keptIn, 'utf8') : null
  const oldText = process.env.VAULT_KEY_OLD?.trim() || kept
  if (settings.vaultKey === null) throw new CommandFailed('VAULT_KEY must be set to the new key')
  if (!oldText) throw new CommandFailed('VAULT_KEY_OLD must be set to the key in use so far')
  const keys = { from: parsed('VAULT_KEY_OLD', oldText), to: parsed('VAULT_KEY', settings.vaultKey) }
  if (keyId(keys.from) === keyId(keys.to)) throw new CommandFailed('VAULT_KEY and VAULT_KEY_OLD are the same key')
  await withService(async ({ services }) => {
    const { rotated, already } = await rotate(services, keys)
    const before = already > 0 ? `; ${already} were sealed with it before` : ''
    process.stdout.write(`${rotated} records are sealed with the new key${before}.\n`)
  })
  if (keptIn !== null && kept !== null && keyId(parsed(keptIn, kept)) === keyId(keys.from)) {
    writeFileSync(`${keptIn}.new`, `${settings.vaultKey}\n`, { mode: 0o600 })
    renameSync(`${keptIn}.new`, keptIn)
  }
}

/** Records that the new key sealed already are left alone, so that a rotation that was cut short can be repeated. */
export async function rotate(
  { committer, catalogue }: Pick<Services, 'committer' | 'catalogue'>,
  { from, to }: { from: Uint8Array; to: Uint8Array },
): Promise<{ rotated: number; already: number }> {
  const kinds = catalogue.resources.filter(({ fields }) => 'sealed' in fields).map(({ kind }) => kind as SealedKind)
  const { value } = await committer.write({ user: system, requestId: randomUUID() }, (plan) => {
    const counts = { rotated: 0, already: 0 }
    for (const kind of kinds) {
      for (const { id, sealed } of [...plan.data.all(kind)]) {
        if (isSealedWith(to, sealed, `${kind} ${id}`)) counts.already++
        else {
          plan.update(kind, id, { sealed: seal(to, opened(from, sealed, `${kind} ${id}`), randomBytes(12)) })
          counts.rotated++
        }
      }
    }
    plan.log(`Sealed ${counts.rotated} records with a new vault key`, 'OPER')
    return counts
  })
  return value
}

type SealedKind = Extract<Kind, 'dnssecKeys' | 'sslKeys' | 'urlSigKeys' | 'uriSigningKeys'>

const isSealedWith = (key: Uint8Array, sealed: string, what: string): boolean =>
  told(what, () => sealedWith(sealed) === keyId(key))

const opened = (key: Uint8Array, sealed: string, what: string): string => told(what, () => unseal(key, sealed))

const parsed = (name: string, text: string): Uint8Array => told(name, () => parseVaultKey(text))

/** What is wrong with a key or a sealed text, for whoever called the command. */
function told<T>(what: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw error instanceof VaultError ? new CommandFailed(`${what}: ${error.message}`) : error
  }
}
