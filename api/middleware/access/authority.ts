import type { Caller } from '../../schema/privileges.js'
import { digest } from '../target.js'

/**
 * A caller as answers know them that are kept for all who have the same rights: what names a person is left out, so
 * such an answer cannot depend on it.
 */
export const unnamed = (caller: Caller): Caller => Object.freeze({ ...caller, id: 0, username: '', tokenId: null })

/**
 * A short name of all there is in a caller: equal only for callers who are equal in everything. What a handler is
 * told of who asks is the very value this is made from, so a field added to `Caller` is part of it by itself.
 */
export const authorityOf = (caller: Caller): string =>
  digest(Object.entries(caller).sort(([a], [b]) => (a < b ? -1 : 1)))
