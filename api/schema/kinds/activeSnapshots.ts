import { defineKind } from '../defineKind.js'
import { integer, ref, text } from '../fields.js'

export const fields = {
  snapshotId: ref('snapshots', { onDelete: 'cascade', readOnly: true }),
  date: integer({
    readOnly: true,
    description:
      "`stats.date` of the routers' document, in seconds since 1970. Routers and monitors take a document only with a later one than the last, so it never goes back, whatever the clock does.",
  }),
  activatedBy: text({ min: 0, readOnly: true }),
  lastVersion: integer({ readOnly: true, description: 'The largest version number ever given out.' }),
}

export default defineKind({
  kind: 'activeSnapshots',
  description: 'Which version of its snapshot a CDN runs on.',
  label: 'active snapshot',
  key: null,
  idRefersTo: 'cdns',
  fields,
  transient: true,
})
