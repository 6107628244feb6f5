import type { Plan } from '../../journal/plan.js'
import type { Version } from './frozenVersions.js'

/**
 * Makes a version the one that routers and monitors get, and returns its new `stats.date`: that of now, but always
 * later than the last one of the CDN, since routers take nothing else, whatever the clock says.
 */
export function activate(plan: Plan, version: Version): number {
  const { data, user, time } = plan
  const last = data.get('activeSnapshots', version.cdnId)
  const date = dateAfter(last?.date, time)
  const values = {
    snapshotId: version.id,
    date,
    activatedBy: user.username,
    lastVersion: Math.max(last?.lastVersion ?? 0, version.version),
  }
  if (last) plan.update('activeSnapshots', version.cdnId, values)
  else plan.create('activeSnapshots', values, version.cdnId)
  return date
}

/** In seconds since 1970. */
export const dateAfter = (last: number | undefined, time: string): number =>
  Math.max(Math.floor(Date.parse(time) / 1000), (last ?? 0) + 1)
