import { defineKind } from '../defineKind.js'
import { flag, integer, ref, text, texts } from '../fields.js'

const hash = () => text({ max: 64, managed: true })

const name = (max = 255) => text({ min: 0, max, managed: true })

/**
 * A frozen version of the documents of a CDN, never changed after it was made. The documents are blobs; they are
 * there before the journal entry that makes this record, so a version is either whole or was never made.
 */
export const fields = {
  cdnId: ref('cdns', { onDelete: 'cascade', managed: true }),
  version: integer({ min: 1, managed: true, description: '1, 2, 3, … per CDN; a number is never given twice.' }),
  revision: integer({ managed: true, description: 'The revision of the data the documents were compiled from.' }),
  frozenBy: name(),
  date: integer({
    managed: true,
    description: "`stats.date` of the routers' document when this version was made, in seconds since 1970.",
  }),
  /** The rest of `stats`, which a later activation repeats. */
  cdnName: name(),
  host: name(),
  tool: name(),
  faults: integer({ managed: true, description: 'How many faults were passed over by `force`.' }),
  forced: flag({ managed: true }),
  manifest: text({
    managed: true,
    description: 'The blob that says what the documents are made of, and those that hold the pieces.',
  }),
  packs: texts({ managed: true, max: 1000 }),
  crConfigHash: hash(),
  crConfigBytes: integer({ managed: true }),
  monitoringHash: hash(),
  monitoringBytes: integer({ managed: true }),
  changes: text({
    max: 65_536,
    managed: true,
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
