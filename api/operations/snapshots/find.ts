import { noSuch } from '../../config/errors.js'
import { uniqueKey } from '../../journal/kinds.js'
import type { Data } from '../../schema/data.js'
import { asId, findOne } from '../../schema/data.js'
import type { Records } from '../../schema/records.js'
import type { Version } from './frozenVersions.js'

export function cdnNamed(data: Data, name: string | undefined): Records['cdns'] {
  const cdn = findOne(data, 'cdns', 'name', name ?? '')
  if (!cdn) throw noSuch('cdn', name ?? '')
  return cdn
}

/** The newest version of a CDN by number. */
export function newestVersion(data: Data, cdnId: number): Version | null {
  return data
    .by('snapshots', 'cdnId', cdnId)
    .reduce<Version | null>((newest, version) => (newest && newest.version > version.version ? newest : version), null)
}

/** A version by its number, or the one that is `active`. */
export function versionNamed(data: Data, cdn: Records['cdns'], name: string | undefined): Version {
  const number = asId(name)
  const found =
    name === 'active'
      ? data.get('snapshots', data.get('activeSnapshots', cdn.id)?.snapshotId ?? null)
      : number !== null && findOne(data, 'snapshots', 'cdnId+version', uniqueKey([cdn.id, number])!)
  if (!found) throw noSuch(`snapshot version of ${cdn.name}`, name ?? '')
  return found
}

/** Whether routers and monitors get this version. */
export const isActive = (data: Data, { id, cdnId }: Version): boolean =>
  data.get('activeSnapshots', cdnId)?.snapshotId === id

/** The `stats.date` under which a version was last given out. */
export function dateOf(data: Data, version: Version): number {
  const active = data.get('activeSnapshots', version.cdnId)
  return active?.snapshotId === version.id ? active.date : version.date
}
