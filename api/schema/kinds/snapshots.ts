import { defineKind } from '../defineKind.js'
import { flag, integer, ref, text, texts } from '../fields.js'

const hash = () => text({ max: 64, readOnly: true })

const name = (max = 255) => text({ min: 0, max, readOnly: true })

/**
 * A frozen version of the documents of a CDN, never changed after it was made. The documents are blobs; they are
 * there before the journal entry that makes this record, so a version is either whole or was never made.
 */
export const fields = {
  cdnId: ref('cdns', { onDelete: 'cascade', readOnly: true }),
  version: integer({ min: 1, readOnly: true, description: '1, 2, 3, … per CDN; a number is never given twice.' }),
  revision: integer({ readOnly: true, description: 'The revision of the data the documents were compiled from.' }),
  frozenBy: name(),
  date: integer({
    readOnly: true,
    description: "`stats.date` of the routers' document when this version was made, in seconds since 1970.",
  }),
  /** The rest of `stats`, which a later activation repeats. */
  cdnName: name(),
  host: name(),
  tool: name(),
  faults: integer({ readOnly: true, description: 'How many faults were passed over by `force`.' }),
  forced: flag({ readOnly: true }),
  manifest: text({
    readOnly: true,
    description: 'The blob that says what the documents are made of, and those that hold the pieces.',
  }),
  packs: texts({ readOnly: true, max: 1000 }),
  crConfigHash: hash(),
  crConfigBytes: integer({ readOnly: true }),
  monitoringHash: hash(),
  monitoringBytes: integer({ readOnly: true }),
  changes: text({
    max: 65_536,
    readOnly: true,
    description:
      'JSON: per document and section, how many entries were added, removed and changed since the version before.',
  }),
}

export default defineKind({
  kind: 'snapshots',
  description: 'A frozen version of the documents that the routers and monitors of a CDN run on.',
  label: 'snapshot version',
  key: null,
  fields,
  unique: [['cdnId', 'version']],
  transient: true,
})
