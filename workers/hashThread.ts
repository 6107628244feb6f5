import { scryptSync } from 'node:crypto'

/** One key to derive with scrypt. */
export interface HashTask {
  readonly password: string
  readonly salt: Uint8Array
  /** Of the key, in bytes. */
  readonly length: number
  readonly cost: { readonly N: number; readonly r: number; readonly p: number }
}

/** What the hashing thread runs. */
export const deriveKey = ({ password, salt, length, cost }: HashTask): Uint8Array =>
  scryptSync(password, salt, length, { ...cost, maxmem: 256 * cost.N * cost.r })
