import { defineKind } from '../defineKind.js'
import { integer, ref } from '../fields.js'

export const fields = {
  /** The same number may be announced from several places. */
  asn: integer({ max: 4_294_967_295 }),
  cachegroupId: ref('cachegroups', { as: ['cachegroup', 'cachegroupName'] }),
}

export default defineKind({
  kind: 'asns',
  label: 'asn',
  key: null,
  fields,
})
