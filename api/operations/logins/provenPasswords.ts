import { createHmac, randomBytes } from 'node:crypto'
import { LRUCache } from 'lru-cache'

/**
 * Passwords that were right a while ago. A fleet whose every member logs in each minute costs a hash now and then, not
 * one each. Only digests are kept, under a key that this process alone has and forgets with its end, and only of what was
 * right: of a wrong one it tells nothing. A new password has a new hash, so nothing has to be taken back.
 */
export interface ProvenPasswords {
  has(password: string, hash: string): boolean
  add(password: string, hash: string): void
}

const most = 1000
const longest = 3600_000

export function createProvenPasswords(): ProvenPasswords {
  const key = randomBytes(32)
  const proven = new LRUCache<string, true>({ max: most, ttl: longest })
  const digest = (password: string, hash: string): string =>
    createHmac('sha256', key)
      .update(JSON.stringify([password, hash]))
      .digest('base64url')
  return {
    has: (password, hash) => proven.has(digest(password, hash)),
    add: (password, hash) => {
      proven.set(digest(password, hash), true)
    },
  }
}
