import { randomBytes, timingSafeEqual } from 'node:crypto'
import { deriveKey, keysWaiting } from '../../workers/hashing.js'
import { busy } from './errors.js'

const cost = { N: 16384, r: 8, p: 1 } as const
const keyLength = 64
/** Each takes a good part of a tenth of a second. */
const mostWaiting = 64

/** `SCRYPT:N:r:p:<base64 salt>:<base64 key>`, the field's form. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(32)
  const key = await derive(password, salt, cost.N, cost.r, cost.p)
  return ['SCRYPT', cost.N, cost.r, cost.p, salt.toString('base64'), Buffer.from(key).toString('base64')].join(':')
}

/**
 * Whether a password belongs to a stored hash. Without a hash (unknown user, no password set) the same work is
 * done before the answer is no, so that the time tells nothing.
 */
export async function verifyPassword(password: string, stored: string | null): Promise<boolean> {
  const [scheme, N, r, p, salt = '', key = ''] = (stored ?? decoy).split(':')
  const known = stored !== null && scheme === 'SCRYPT'
  const parts = known ? { N: Number(N), r: Number(r), p: Number(p), salt, key } : { ...cost, salt: decoySalt, key: '' }
  const wanted = Buffer.from(parts.key, 'base64')
  const got = await derive(password, Buffer.from(parts.salt, 'base64'), parts.N, parts.r, parts.p)
  return known && wanted.length === got.length && timingSafeEqual(wanted, got)
}

const decoySalt = Buffer.alloc(32).toString('base64')
const decoy = `SCRYPT:${cost.N}:${cost.r}:${cost.p}:${decoySalt}:`

async function derive(password: string, salt: Buffer, N: number, r: number, p: number): Promise<Uint8Array> {
  if (keysWaiting() >= mostWaiting) throw busy()
  // Longer input would only cost time; nobody types it.
  return deriveKey({ password: password.slice(0, 1024), salt, length: keyLength, cost: { N, r, p } })
}
