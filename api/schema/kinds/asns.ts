import { defineKind } from '../defineKind.js'
import { integer, ref } from '../fields.js'

export const fields = {
  asn: integer({ max: 4_294_967_295, description: 'The same number may be announced from several places.' }),
  cachegroupId: ref('cachegroups', { nameAliases: ['cachegroup', 'cachegroupName'] }),
}

export default defineKind({
  kind: 'asns',
  description: 'An autonomous system whose clients belong to a cache group.',
  label: 'asn',
  key: null,
  fields,
})
