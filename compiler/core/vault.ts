import { createCipheriv, createDecipheriv, createHash, createHmac, scryptSync } from 'node:crypto'

/**
 * Seals private text for storage: AES-256-GCM, written as `v1.<key id>.<nonce>.<cipher text and tag>` with the last
 * two in base64url. Version and key id are authenticated with the text, so neither can be exchanged unnoticed.
 *
 * @param key 32 bytes, see parseVaultKey
 * @param nonce 12 random bytes, never used twice with one key; the caller brings them because nothing in here may be random
 */
export function seal(key: Uint8Array, plain: string, nonce: Uint8Array): string {
  if (nonce.byteLength !== nonceBytes) throw new VaultError(`a nonce has ${nonceBytes} bytes, not ${nonce.byteLength}`)
  const header = `${version}.${keyId(key)}`
  const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes })
  cipher.setAAD(Buffer.from(header))
  const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()])
  return `${header}.${Buffer.from(nonce).toString('base64url')}.${body.toString('base64url')}`
}

/** The plain text of a sealed one. Throws VaultError when another key sealed it or when it was changed since. */
export function unseal(key: Uint8Array, sealed: string): string {
  const { id, nonce, body } = parse(sealed)
  const own = keyId(key)
  if (id !== own) throw new VaultError(`sealed with vault key ${id}, but the key in use is ${own}`)
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes })
  decipher.setAAD(Buffer.from(`${version}.${id}`))
  decipher.setAuthTag(body.subarray(-tagBytes))
  try {
    return Buffer.concat([decipher.update(body.subarray(0, -tagBytes)), decipher.final()]).toString('utf8')
  } catch {
    throw new VaultError(`sealed text of vault key ${id} is damaged or was tampered with`)
  }
}

/** The id of the key that sealed a text, to find what a rotation still has to seal anew. */
export const sealedWith = (sealed: string): string => parse(sealed).id

const ids = new WeakMap<Uint8Array, string>()

/** The fingerprint of a key: tells keys apart without telling anything about them, 16 hex digits. */
export function keyId(key: Uint8Array): string {
  const known = ids.get(key)
  if (known !== undefined) return known
  if (key.byteLength !== keyBytes) throw new VaultError(`a vault key has ${keyBytes} bytes, not ${key.byteLength}`)
  const id = createHash('sha256').update('edgewright vault key id\0').update(key).digest('hex').slice(0, 16)
  ids.set(key, id)
  return id
}

/**
 * A nonce for a text that is to be sealed alike wherever it is sealed again: a keyed hash of the text and of the
 * place it is for, so that two texts never share one and two places do not show that they hold the same.
 */
export function nonceFor(key: Uint8Array, plain: string, place: string): Uint8Array {
  const own = createHmac('sha256', key).update('edgewright vault nonce').digest()
  const hash = createHmac('sha256', own)
    .update(JSON.stringify([place, plain]))
    .digest()
  return hash.subarray(0, nonceBytes)
}

/**
 * The key behind a setting: 32 bytes as 64 hex digits, base64 or base64url, or any other text of at least 16
 * characters, taken as a passphrase and stretched with scrypt (about 0.1 s, once per start). The salt is fixed:
 * instances that share a passphrase must come to the same key.
 */
export function parseVaultKey(text: string): Uint8Array {
  const trimmed = text.trim()
  if (/^[0-9a-f]{64}$/i.test(trimmed)) return Buffer.from(trimmed, 'hex')
  if (/^[A-Za-z0-9+/_-]{43}=?$/.test(trimmed)) return Buffer.from(trimmed, 'base64')
  if (trimmed.length < shortestPassphrase)
    throw new VaultError(
      `a vault key is ${keyBytes} bytes in hex or base64, or a passphrase of ${shortestPassphrase} characters or more`,
    )
  return scryptSync(trimmed, 'edgewright vault v1', keyBytes, { N: 2 ** 15, r: 8, p: 1, maxmem: 2 ** 26 })
}

/** A sealed text that cannot be opened, or a key that cannot be used. The message is for the operator. */
export class VaultError extends Error {
  override name = 'VaultError'
}

const version = 'v1'
const keyBytes = 32
const nonceBytes = 12
const tagBytes = 16
const shortestPassphrase = 16
const form = /^v1\.([0-9a-f]{16})\.([A-Za-z0-9_-]{16})\.([A-Za-z0-9_-]{22,})$/

function parse(sealed: string) {
  const parts = form.exec(sealed)
  if (parts === null) throw new VaultError('not a sealed text of a known version')
  return { id: parts[1]!, nonce: Buffer.from(parts[2]!, 'base64url'), body: Buffer.from(parts[3]!, 'base64url') }
}
