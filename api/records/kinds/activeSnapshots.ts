import { integer, ref, text } from '../../schema/fields.js'
import { defineResource } from '../defineKind.js'

export const fields = {
  snapshotId: ref('snapshots', { onDelete: 'cascade', managed: true }),
  /**
   * `stats.date` of the routers' document, in seconds since 1970. Routers and monitors take a document only with a
   * later one than the last, so it never goes back, whatever the clock does.
   */
  date: integer({ managed: true }),
  activatedBy: text({ min: 0, managed: true }),
  /** The largest version number ever given out. */
  lastVersion: integer({ managed: true }),
}

/** Which version of a CDN's documents routers and monitors get; under the CDN's id. */
export default defineResource({
  kind: 'activeSnapshots',
  label: 'active snapshot',
  key: null,
  idRefersTo: 'cdns',
  fields,
  transient: true,
  routes: [],
})
