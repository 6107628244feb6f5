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
  /** 1, 2, 3, … per CDN; a number is never given twice. */
  version: integer({ min: 1, managed: true }),
  /** The revision of the data the documents were compiled from. */
  revision: integer({ managed: true }),
  frozenBy: name(),
  /** `stats.date` of the routers' document when this version was made, in seconds since 1970. */
  date: integer({ managed: true }),
  /** The rest of `stats`, which a later activation repeats. */
  cdnName: name(),
  host: name(),
  tool: name(),
  /** How many faults were passed over by `force`. */
  faults: integer({ managed: true }),
  forced: flag({ managed: true }),
  /** The blob that says what the documents are made of, and those that hold the pieces. */
  manifest: text({ managed: true }),
  packs: texts({ managed: true, max: 1000 }),
  crConfigHash: hash(),
  crConfigBytes: integer({ managed: true }),
  monitoringHash: hash(),
  monitoringBytes: integer({ managed: true }),
  /** JSON: per document and section, how many entries were added, removed and changed since the version before. */
  changes: text({ max: 65_536, managed: true }),
}

export default defineKind({
  kind: 'snapshots',
  label: 'snapshot version',
  key: null,
  fields,
  unique: [['cdnId', 'version']],
  transient: true,
})
