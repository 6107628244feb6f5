import type { Transaction } from '../../journal/transaction.js'
import type { Version } from './frozenVersions.js'

/**
 * Makes a version the one that routers and monitors get, and returns its new `stats.date`: that of now, but always
 * later than the last one of the CDN, since routers take nothing else, whatever the clock says.
 */
export function activate(transaction: Transaction, version: Version): number {
  const { data, user, time } = transaction
  const last = data.get('activeSnapshots', version.cdnId)
  const date = dateAfter(last?.date, time)
  const values = {
    snapshotId: version.id,
    date,
    activatedBy: user.username,
    lastVersion: Math.max(last?.lastVersion ?? 0, version.version),
  }
  if (last) transaction.update('activeSnapshots', version.cdnId, values)
  else transaction.create('activeSnapshots', values, version.cdnId)
  return date
}

/** In seconds since 1970. */
export const dateAfter = (last: number | undefined, time: string): number =>
  Math.max(Math.floor(Date.parse(time) / 1000), (last ?? 0) + 1)
