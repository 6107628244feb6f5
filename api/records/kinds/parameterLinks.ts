import type { Transaction } from '../../journal/transaction.js'

/** Which profiles have a parameter is part of the parameter's record. */

export function link(transaction: Transaction, parameterId: number, profileIds: readonly number[]): void {
  const { profiles } = transaction.data.get('parameters', parameterId)!
  const added = profileIds.filter((id) => !profiles.includes(id))
  if (added.length > 0) setLinks(transaction, parameterId, [...profiles, ...added])
}

export function unlink(transaction: Transaction, parameterId: number, profileIds: readonly number[]): void {
  const { profiles } = transaction.data.get('parameters', parameterId)!
  const kept = profiles.filter((id) => !profileIds.includes(id))
  if (kept.length < profiles.length) setLinks(transaction, parameterId, kept)
}

function setLinks(transaction: Transaction, parameterId: number, profiles: readonly number[]): void {
  transaction.update('parameters', parameterId, { profiles: [...new Set(profiles)].sort((a, b) => a - b) })
}
