import { generateKeyPair } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { promisify } from 'node:util'

/** An RSA key pair as a JSON Web Key: every number big-endian in base64url (RFC 7518, section 6.3). */
export interface RsaKey {
  readonly n: string
  readonly e: string
  readonly d: string
  readonly p: string
  readonly q: string
  readonly dp: string
  readonly dq: string
  readonly qi: string
}

/** Makes one RSA key pair of so many bits, with the public exponent 65537. */
export type MakeRsa = (bits: number) => Promise<RsaKey>

/**
 * Makes keys off the main thread, in libuv's pool, at most `atOnce` at a time and first come first served. The pool
 * has four threads by default and also hashes passwords and reads files: what hundreds of keys leave free of it, and
 * of the cores, keeps requests from waiting. Share one maker, or the bound is none.
 */
export function createKeyMaker({ atOnce = fairShare() } = {}): MakeRsa {
  const waiting: (() => void)[] = []
  let running = 0

  return async (bits) => {
    if (running < atOnce) running++
    else await new Promise<void>((turn) => waiting.push(turn))
    try {
      const { privateKey } = await makePair('rsa', { modulusLength: bits, publicExponent: 0x10001 })
      return privateKey.export({ format: 'jwk' }) as RsaKey
    } finally {
      const next = waiting.shift()
      if (next === undefined) running--
      else next()
    }
  }
}

/** Half of the cores, and at least one thread of the pool left to others. */
const fairShare = () => Math.max(1, Math.min(3, Math.floor(availableParallelism() / 2)))

const makePair = promisify(generateKeyPair)
