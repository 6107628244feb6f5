import { defineKind } from '../defineKind.js'
import { integer, ref, text } from '../fields.js'

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

export default defineKind({
  kind: 'activeSnapshots',
  label: 'active snapshot',
  key: null,
  idRefersTo: 'cdns',
  fields,
  transient: true,
})
