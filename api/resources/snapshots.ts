import { defineResource } from '../resource/define.js'
import { flag, integer, moment, optional, ref, text } from '../resource/fields.js'

export const fields = {
  cdnId: ref('cdns', { as: ['cdnName'], onDelete: 'cascade' }),
  /** Hash of the frozen document, under which the store keeps its bytes. */
  hash: text(),
  /** Whether routers and monitors get this version. */
  current: flag({ fallback: false }),
  /** The revision the document was made from. */
  revision: integer(),
  takenBy: text(),
  takenAt: moment(),
  comment: optional(text({ max: 1024, lines: true })),
}

/** The frozen versions of a CDN's router configuration. */
export default defineResource({
  kind: 'snapshots',
  label: 'snapshot',
  key: null,
  fields,
  routes: [],
})
