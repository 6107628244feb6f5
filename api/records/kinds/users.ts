import type { Transaction } from '../../journal/transaction.js'
import type { Data } from '../../schema/data.js'
import type { RecordOf } from '../../schema/fields.js'
import type { fields } from '../../schema/kinds/users.js'
import type { Caller } from '../../schema/privileges.js'
import { agentRole, isAdmin } from '../../schema/privileges.js'
import { defineBehaviour } from '../defineBehaviour.js'
import { needed } from '../rules.js'

export type User = RecordOf<typeof fields>

export default defineBehaviour('users', {
  rules: [({ after }) => needed(after, 'tenantId'), privileged],
  deleteGuard: keeps,
  tenant: (user) => user.tenantId,
  revokes: (transaction, changed) => {
    endOneTimeToken(transaction, changed)
    endApiTokens(transaction, changed)
  },
})

function* privileged({ before, after, data, user }: { before: User | null; after: User; data: Data; user: Caller }) {
  const levelOf = (role: number | undefined) => data.get('roles', role ?? null)?.privLevel ?? 0
  if (before?.role !== after.role && levelOf(after.role) > user.privLevel) {
    yield { path: 'role', text: `role cannot exceed current user's privilege level (${user.privLevel})` }
  }
  yield* outranks(before, data, user)
  if (before?.id !== user.id) yield* readsKeys([before, after], data, user)
  if (before && before.id === user.id && user.tokenId !== null) {
    yield { path: '', text: 'Forbidden. An API token cannot change its user.', status: 403 as const }
  }
  if (before && before.id === user.id && before.role !== after.role) {
    yield { path: 'role', text: 'role: nobody changes their own role', status: 403 as const }
  }
}

/** Nobody removes themselves, nor whom they could not change. */
function* keeps(before: User, { data, user }: { data: Data; user: Caller }) {
  if (before.id === user.id) yield { path: '', text: 'Nobody removes themselves.', status: 409 as const }
  yield* outranks(before, data, user)
  yield* readsKeys([before], data, user)
}

/** Agents of the root tenant read the private keys of whole CDNs, which their level does not show. */
function* readsKeys(users: readonly (User | null)[], data: Data, user: Caller) {
  const reads = (one: User | null) =>
    data.get('roles', one?.role ?? null)?.name === agentRole &&
    data.get('tenants', one?.tenantId ?? null)?.parentId === null
  if (isAdmin(user) || !users.some(reads)) return
  const text = `Forbidden. Only administrators make or change users of the root tenant with the role '${agentRole}'.`
  yield { path: '', text, status: 403 as const }
}

/** Whoever could change a user of a higher privilege could take over the account. */
function* outranks(before: User | null, data: Data, user: Caller) {
  if ((data.get('roles', before?.role ?? null)?.privLevel ?? 0) > user.privLevel) {
    yield { path: '', text: 'Forbidden. The user has a higher privilege level.', status: 403 as const }
  }
}

/** Whoever was sent a one-time token by an address or for a password that is no more the user's does not get in by it. */
function endOneTimeToken(
  transaction: Transaction,
  { before, after }: { before: User | null; after: User | null },
): void {
  if (!before || !after || after.tokenHash === null || after.tokenHash !== before.tokenHash) return
  if (after.email === before.email && after.passwordHash === before.passwordHash) return
  transaction.update('users', after.id, { tokenHash: null, tokenMade: null })
}

/**
 * A new password that others give a user, and a role that may not log in, are what one does about an account that is not
 * its owner's any more: its API tokens end with it. Whoever changes their own keeps them, as programs use them.
 */
function endApiTokens(transaction: Transaction, { before, after }: { before: User | null; after: User | null }): void {
  if (!before || !after) return
  const mayLogIn = (role: number) => (transaction.data.get('roles', role)?.privLevel ?? 0) > 0
  const isReset = after.passwordHash !== before.passwordHash && transaction.user.id !== after.id
  if (isReset || (mayLogIn(before.role) && !mayLogIn(after.role))) removeApiTokens(transaction, after.id)
}

export function removeApiTokens(transaction: Transaction, userId: number): void {
  for (const id of transaction.data.ids('apiTokens', 'userId', userId)) transaction.remove('apiTokens', id)
}
